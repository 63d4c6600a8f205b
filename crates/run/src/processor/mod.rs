//! Retries the letters of dead queues, by themselves and by hand.

mod lost_claims;
mod manual;
mod named;
mod origin;
mod processor;

pub use lost_claims::end_lost_claims;
pub use manual::{ManualRetry, Retried};
pub use origin::BackToOrigin;
pub use processor::{Processor, ProcessorError, ProcessorSettings};
