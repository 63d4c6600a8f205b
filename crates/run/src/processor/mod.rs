//! Retries the letters of dead queues, automatically and on request.

mod lost_claims;
mod manual;
mod named;
mod origin;
mod processor;

pub use lost_claims::end_lost_claims;
pub use manual::{ManualRetry, Retried};
pub use origin::OriginTarget;
pub use processor::{Processor, ProcessorError, ProcessorSettings};
