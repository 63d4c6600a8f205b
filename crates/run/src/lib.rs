//! Runs work from any source through one failure path.
//!
//! A [`Source`] yields deliveries that are due, a [`Handler`] does the user's work, and the [`Runner`] between them
//! limits concurrency and time, and retries, defers or dead-letters failures by the policy of [`redrive_core`]. Work is
//! retried by this loop alone; a second retry loop is a mistake.
//!
//! [`conformance`] is the test suite that every source must pass.
//!
//! This crate is neither a scheduler nor a store: the source decides when work is due and what is kept.

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
    ManualRetry, OriginTarget, Processor, ProcessorError, ProcessorSettings, Retried, end_lost_claims,
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
