//! How a worker process ends.

use std::fmt;
use std::io;
use std::process::ExitStatus;

/// What the holder of a worker asks of its supervisor. A worker that is dropped without it is killed: what it does is
/// unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dismissal {
    /// Its stdin is closed: it exits, or is killed with the pool.
    Retired,
    /// One of its pipes was closed: it gets a moment to exit, so that its exit status can be reported.
    PipeClosed,
    /// It violated the protocol.
    Distrusted,
}

/// How a process ended.
#[derive(Debug)]
pub(super) enum WorkerExit {
    Exited(ExitStatus),
    /// It had closed a pipe, but did not exit.
    KilledAsMute,
    /// It violated the protocol, or its call was cancelled.
    KilledAsDistrusted,
    /// The pool was stopped, and it took too long.
    KilledAtStop,
    /// The operating system did not report the exit status.
    Unknown(io::Error),
}

impl fmt::Display for WorkerExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "{status}"),
            Self::KilledAsMute => f.write_str("it closed its stdin or stdout without exiting, and was killed"),
            Self::KilledAsDistrusted => f.write_str("it was killed, since it could not be trusted any more"),
            Self::KilledAtStop => f.write_str("it was killed, since the pool was stopped"),
            Self::Unknown(error) => write!(f, "its exit status is unknown: {error}"),
        }
    }
}
