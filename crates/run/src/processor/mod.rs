//! Retries the letters of dead queues, by themselves and by hand.

mod named;
mod origin;
mod processor;

pub use origin::BackToOrigin;
pub use processor::{Processor, ProcessorError, ProcessorSettings, Retried};
