//! The one failure path, for everything that consumes anything.
//!
//! A [`Source`] yields deliveries that may run now, a [`Handler`] does the user's work, and the [`Runner`] between
//! them bounds, times, retries, defers and dead-letters by the policy of [`redrive_core`]. Whoever writes a second
//! retry loop is in the wrong place.
//!
//! [`conformance`] is what any source must pass.
//!
//! It is not a scheduler and not a store: when something is due, and what is kept, is the source's business.

pub mod conformance;
mod guard;
mod handler;
mod letter_box;
mod processor;
mod runner;
mod source;
mod work;

pub use guard::{Disposition, Guard, GuardStats, Guarded, Returned, Task};
#[cfg(any(feature = "grpc", feature = "http"))]
pub use handler::Secret;
pub use handler::{Call, Handled, Handler, IntoHandled};
#[cfg(feature = "grpc")]
pub use handler::{GrpcSettings, GrpcTarget};
#[cfg(feature = "http")]
pub use handler::{HttpSettings, HttpTarget};
pub use handler::{WorkerCommand, WorkerError, WorkerPool};
pub use letter_box::{LetterBox, NotCaptured, Posted, StoreLetterBox};
pub use processor::{
    BackToOrigin, ManualRetry, Processor, ProcessorError, ProcessorSettings, Retried, end_lost_claims,
};
pub use redrive_model::DestinationFilter;
pub use runner::{
    DurationCounts, Liveness, RunReport, Runner, RunnerHealth, RunnerNumbers, RunnerSettings, RunnerStartError,
    RunnerTrouble, Running,
};
pub use source::{
    Cancel, ClaimSpec, DeadWork, Delivery, DueLetters, FinishedDelivery, Resolution, SettleError, Source, SourceError,
    StoreQueue,
};
pub use work::{LetterRetry, Work, WorkId};
