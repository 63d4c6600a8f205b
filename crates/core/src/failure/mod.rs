//! A failure as the handler reports it: facts, without a classification.

mod error_chain;
mod evidence;
mod failure;
mod io_kind;
mod kind;
mod sqlstate;

pub use evidence::{Evidence, GrpcCode};
pub use failure::{Failure, Link};
pub use io_kind::IoKind;
pub use kind::Kind;
pub(crate) use kind::path_is_a;
pub use sqlstate::SqlState;
