//! Several loops in one process: start, supervision, watchdog, health and shutdown.

mod group;
mod readiness;
mod report;
mod settings;
mod supervisor;
mod watchdog;

pub use group::LoopGroup;
pub use report::{GroupReport, LoopReport};
pub use settings::{GroupSettings, OnLoopEnd, WatchdogSettings};
