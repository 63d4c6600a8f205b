//! Keeps the index in sync with the store: reads the feed of changes and writes them in batches.

mod confirm;
mod core;
mod delivery;
mod op;
mod prepare;
mod progress;
mod projection;
mod queue_gone;
mod reader;
mod retry_delay;
mod task;

pub(crate) use self::core::Core;
pub(crate) use delivery::{Delivered, Target, deliver};
pub(crate) use op::Op;
pub use progress::{ProjectionNumbers, ProjectionState, RefillProgress};
pub use projection::Projection;
pub(crate) use reader::Reader;
pub(crate) use retry_delay::RetryDelay;
