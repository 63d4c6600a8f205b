//! Keeping the index like the store: from the feed of changes, in batches, for ever.

mod confirm;
mod core;
mod delivery;
mod op;
mod patience;
mod prepare;
mod progress;
mod projection;
mod queue_gone;
mod reader;
mod task;

pub(crate) use self::core::Core;
pub(crate) use delivery::{Delivered, Target, deliver};
pub(crate) use op::Op;
pub(crate) use patience::Patience;
pub use progress::{ProjectionNumbers, ProjectionState, RefillProgress};
pub use projection::Projection;
pub(crate) use reader::Reader;
