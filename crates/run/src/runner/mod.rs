//! What joins a source and a handler: bounds, times, decides, finishes.

mod answers;
mod claims;
mod clock_reading;
mod engine;
mod entry;
mod gates;
mod health;
mod intake;
mod judge;
mod meters;
mod numbers;
mod outbox;
mod outcome;
mod pace;
mod patience;
mod random;
mod report;
mod runner;
mod running;
mod settings;
mod task;
mod timer;

pub use health::{RunnerHealth, RunnerTrouble};
pub use numbers::{DurationCounts, RunnerNumbers};
pub use report::RunReport;
pub use runner::{Runner, RunnerStartError};
pub use running::Running;
pub use settings::{Liveness, RunnerSettings};

pub(crate) use judge::{Times, keep_known_parts, panicked};
pub(crate) use numbers::RunnerCounters;
pub(crate) use random::RunnerRandom;
pub(crate) use task::words_of;
