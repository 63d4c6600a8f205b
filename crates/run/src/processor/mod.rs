//! Retries the letters of dead queues, automatically and on request.

mod down_destinations;
mod hand_back;
mod lost_claims;
mod manual;
mod named;
mod origin;
mod processor;
mod queue_hand_back;

pub use hand_back::HandBack;
pub use lost_claims::end_lost_claims;
pub use manual::{ManualRetry, Retried, WhileDown};
pub use origin::OriginTarget;
pub use processor::{Processor, ProcessorError, ProcessorSettings};
