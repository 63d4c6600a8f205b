//! Why a worker could not be started.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use redrive_core::{Invalid, Span};

use super::WorkerCommand;
use super::reply::PROTOCOL_VERSION;

/// Why a worker could not be started.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("no program '{}' was found; give its path, or put it on the PATH", program.display())]
    NotFound { program: PathBuf },
    #[error("the interpreter that the first line of '{}' names was not found; correct that line", program.display())]
    NoInterpreter { program: PathBuf },
    #[error("'{}' may not be executed; make it executable (chmod +x), or start its interpreter", program.display())]
    NotExecutable { program: PathBuf },
    #[error("the workers' directory '{}' does not exist; create it, or configure another", directory.display())]
    NoDirectory { directory: PathBuf },
    #[error("'{}' could not be started", program.display())]
    NotStarted { program: PathBuf, source: io::Error },
    #[error("the worker exited before it sent its hello ({status}); what it wrote to stderr is in the log")]
    Ended { status: ExitStatus },
    #[error("the worker closed its stdout before it sent its hello; it must write frames there, a hello first")]
    Closed,
    #[error(
        "the worker sent no hello within {within}; it must write a hello frame first, or needs a longer start_within"
    )]
    Silent { within: Span },
    #[error(
        "the worker speaks version {found} of the protocol; this is {PROTOCOL_VERSION}, see docs/worker-protocol.md"
    )]
    Version { found: u64 },
    #[error("what the worker wrote is no hello; nothing else may be printed to stdout")]
    Protocol(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The pool was stopped or dropped before it had started.
    #[error("the pool was stopped while it started")]
    Stopped,
}

impl WorkerError {
    pub(super) fn not_started(command: &WorkerCommand, error: io::Error) -> Self {
        let program = command.program.clone();
        // `ENOENT` stands for a missing program, interpreter or directory.
        if let Some(directory) = command.directory.as_ref().filter(|directory| !directory.is_dir()) {
            return Self::NoDirectory { directory: directory.clone() };
        }
        match error.kind() {
            io::ErrorKind::NotFound if program.components().count() > 1 && program.is_file() => {
                Self::NoInterpreter { program }
            }
            io::ErrorKind::NotFound => Self::NotFound { program },
            io::ErrorKind::PermissionDenied => Self::NotExecutable { program },
            _ => Self::NotStarted { program, source: error },
        }
    }
}
