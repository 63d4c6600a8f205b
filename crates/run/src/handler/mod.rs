//! Who does the work.

mod call;
mod handled;
mod handler;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod wire;
mod process;
pub(crate) mod within;

pub use call::Call;
pub use handled::{Handled, IntoHandled};
pub use handler::Handler;
#[cfg(feature = "http")]
pub use http::{HttpSettings, HttpTarget};
#[cfg(feature = "http")]
pub use wire::Secret;
pub use process::{WorkerCommand, WorkerError, WorkerPool};
