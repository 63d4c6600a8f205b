//! Why a loop or a group of loops cannot run.

use redrive_core::{Invalid, Span};
use redrive_run::RunnerStartError;

use crate::MailboxError;

/// Why a loop cannot start, or ended.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LoopError {
    #[error("loop '{0}' is already running")]
    AlreadyRunning(String),
    /// A setting of the loop or its policy is not valid.
    #[error(transparent)]
    Settings(#[from] Invalid),
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
    #[error(transparent)]
    Start(#[from] RunnerStartError),
    /// A defect: the runner contains the panics of handlers.
    #[error("the runner of loop '{0}' panicked")]
    Panicked(String),
}

/// Why a group of loops cannot run.
#[derive(Debug, thiserror::Error)]
pub enum GroupError {
    #[error("a group needs at least one loop")]
    Empty,
    #[error("two loops have the name '{0}'; give one of them another name")]
    SameName(String),
    #[error("the settings of loop '{name}' are not valid")]
    Loop { name: String, source: LoopError },
    #[error("the times of loop '{name}' contradict those of the group")]
    LoopTiming { name: String, source: TimingError },
    #[error(transparent)]
    Timing(#[from] TimingError),
    #[error("health checks cannot be served on {address}")]
    Health { address: std::net::SocketAddr, source: std::io::Error },
    #[error("signals cannot be handled")]
    Signals(#[source] std::io::Error),
    #[error("the watchdog cannot be started")]
    Watchdog(#[source] std::io::Error),
}

/// Two times of a group that contradict each other. The right value depends on `max_gap`, the longest time between
/// two heartbeats of a handler that works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimingError {
    #[error(
        "visibility {visibility} must be longer than the watchdog's threshold and max_gap together, {least}: otherwise a \
         message is delivered again before a worker that hangs with it is ended"
    )]
    Visibility { visibility: Span, least: Span },
    #[error(
        "the watchdog's threshold {threshold} must be longer than wait and max_gap together, {least}: otherwise it ends \
         a worker that only waits"
    )]
    WatchdogThreshold { threshold: Span, least: Span },
    #[error(
        "the watchdog's interval {interval} must be shorter than a third of its threshold, {most}: otherwise it finds a \
         worker that hangs much too late"
    )]
    WatchdogInterval { interval: Span, most: Span },
    #[error("the watchdog's interval must be longer than 0s: otherwise it never rests")]
    WatchdogIntervalZero,
    #[error(
        "readiness {readiness} must be longer than wait and max_gap together, {least}: otherwise a worker that only waits \
         is not ready"
    )]
    ReadinessTooShort { readiness: Span, least: Span },
    #[error(
        "readiness {readiness} must be shorter than the watchdog's threshold {threshold}: otherwise a worker is ended \
         before it is reported as not ready"
    )]
    ReadinessTooLong { readiness: Span, threshold: Span },
    #[error(
        "the lease extension {extension} must be longer than the watchdog's threshold, its interval and the interval of \
         extensions together, {least}: otherwise a message is delivered again while a worker that hangs still has it"
    )]
    Extension { extension: Span, least: Span },
}
