//! What went wrong, as the handler saw it: facts only, no judgement.

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
