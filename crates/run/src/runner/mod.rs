//! The loop between a source and a handler: limits concurrency and time, decides about failures, settles deliveries.

mod answers;
mod claim_ahead;
mod claims;
mod clock_reading;
mod destination_breakers;
mod engine;
mod entries_by_destination;
mod entry;
mod health;
mod intake;
mod judge;
mod meters;
mod numbers;
mod outages;
mod outbox;
mod outcome;
mod report;
mod retry_delay;
mod runner;
mod running;
mod settings;
mod task;
mod timer;

pub use health::{DestinationHealth, RunnerHealth, RunnerTrouble};
pub use numbers::{DurationCounts, RunnerNumbers};
pub use report::RunReport;
pub use runner::{Runner, RunnerStartError};
pub use running::{RunnerMonitor, Running};
pub use settings::{Liveness, RunnerSettings};

pub(crate) use judge::{Times, keep_known_parts, panicked};
pub(crate) use numbers::RunnerCounters;
pub(crate) use task::panic_message;
