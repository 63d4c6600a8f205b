//! Who does the work.

mod call;
mod handled;
mod handler;
mod process;
pub(crate) mod within;

pub use call::Call;
pub use handled::{Handled, IntoHandled};
pub use handler::Handler;
pub use process::{WorkerCommand, WorkerError, WorkerPool};
