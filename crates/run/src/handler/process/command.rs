//! The command that starts workers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;

use redrive_core::{Invalid, Problem, Span};
use tokio::process::Command;

use super::reply::PROTOCOL_VERSION;

/// The program that workers run, and how many of them there are.
///
/// ```
/// use redrive_run::WorkerCommand;
///
/// let command = WorkerCommand { processes: 4, ..WorkerCommand::new("python3", ["worker.py"]) };
/// assert!(command.check().is_ok());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// A path, or a name that is searched on the `PATH`.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Environment variables, in addition to the inherited ones.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working directory [default: the directory of this process].
    pub directory: Option<PathBuf>,
    /// The number of processes. The concurrency of a runner may be a few times as high, so that no worker is idle while
    /// there is work: calls that wait for a worker have not begun, and are not charged.
    pub processes: usize,
    /// The largest frame in either direction, in bytes. Larger work fails validation; a worker that writes a larger frame
    /// is killed.
    pub frame_bytes_max: usize,
    /// How long a worker may take to send its hello.
    pub start_within: Span,
}

impl WorkerCommand {
    pub const PROCESSES_MAX: usize = 1024;
    pub const FRAME_BYTES_DEFAULT: usize = 16 << 20;
    /// Enough for the header of a request.
    pub const FRAME_BYTES_LEAST: usize = 1 << 10;
    pub const FRAME_BYTES_MAX: usize = 1 << 30;
    pub const START_WITHIN_MAX: Span = Span::from_hours(1);

    /// One process that runs this program, and has ten seconds to send its hello.
    pub fn new<A: Into<OsString>>(program: impl Into<PathBuf>, args: impl IntoIterator<Item = A>) -> Self {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            env: BTreeMap::new(),
            directory: None,
            processes: 1,
            frame_bytes_max: Self::FRAME_BYTES_DEFAULT,
            start_within: Span::from_secs(10),
        }
    }

    /// Checks the bounds. Whether the program can be started is found out by starting it.
    pub fn check(&self) -> Result<(), Invalid> {
        if self.program.as_os_str().is_empty() {
            return Err(Invalid::missing("program", "a path, or a name on the PATH"));
        }
        Invalid::unless_within("processes", self.processes, 1..=Self::PROCESSES_MAX)?;
        let frame_bytes = Self::FRAME_BYTES_LEAST..=Self::FRAME_BYTES_MAX;
        Invalid::unless_within("frame_bytes_max", self.frame_bytes_max, frame_bytes)?;
        if self.start_within.is_zero() || self.start_within > Self::START_WITHIN_MAX {
            let allowed = format!("more than zero, up to {}", Self::START_WITHIN_MAX);
            return Err(Invalid::new("start_within", Problem::OutOfRange, self.start_within, allowed));
        }
        Ok(())
    }

    pub(super) fn to_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            // For workers that support several versions, or want to know the limit.
            .env("REDRIVE_WORKER_PROTOCOL", PROTOCOL_VERSION.to_string())
            .env("REDRIVE_FRAME_BYTES_MAX", self.frame_bytes_max.to_string())
            .envs(&self.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C at the terminal must not reach workers, which may finish their calls; and what a worker started is
            // killed with its group.
            .process_group(0)
            .kill_on_drop(true);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// Without the values of environment variables: they may be secrets.
impl fmt::Debug for WorkerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerCommand")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("env", &self.env.keys())
            .field("directory", &self.directory)
            .field("processes", &self.processes)
            .field("frame_bytes_max", &self.frame_bytes_max)
            .field("start_within", &self.start_within)
            .finish()
    }
}
