//! How the life of a worker ends.

use std::fmt;
use std::io;
use std::process::ExitStatus;

/// What a supervisor is told of its worker. One that is dropped without a word is killed: nobody knows what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dismissal {
    /// There is nothing more to do, and its stdin is closed: it ends by itself, or when the pool kills.
    Retired,
    /// A pipe of it was closed: it is dying, and gets a moment so that its last words can be told.
    PipeClosed,
    /// It is not to be trusted.
    Distrusted,
}

/// How a process ended.
#[derive(Debug)]
pub(super) enum WorkerExit {
    ByItself(ExitStatus),
    /// It had closed a pipe, but did not end.
    KilledAsMute,
    /// It was not trusted, or nobody waited for it any more.
    KilledAsDistrusted,
    /// The pool was stopped, and it took too long.
    KilledAtStop,
    /// The operating system did not tell.
    Unknown(io::Error),
}

impl fmt::Display for WorkerExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByItself(status) => write!(f, "{status}"),
            Self::KilledAsMute => f.write_str("it closed its stdin or stdout without ending, and was killed"),
            Self::KilledAsDistrusted => f.write_str("it was killed, since it could not be trusted any more"),
            Self::KilledAtStop => f.write_str("it was killed, since the pool was stopped"),
            Self::Unknown(error) => write!(f, "its exit status is unknown: {error}"),
        }
    }
}
