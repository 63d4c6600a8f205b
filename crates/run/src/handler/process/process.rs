//! A child process with its process group.

use std::convert::Infallible;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::events::EVENTS;
use super::stderr::Stderr;
use super::{WorkerCommand, WorkerError};

/// A child process. Dropping it kills the process and its process group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its process group; `None` after its end, when the id may be reused.
    group: Option<Pid>,
    stderr: Stderr,
}

/// The ends of its pipes.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

impl Process {
    /// How long stderr is read after the end: a process that left the group may keep it open.
    const LAST_LINES_WITHIN: Duration = Duration::from_millis(100);

    pub(super) fn start(command: &WorkerCommand) -> Result<(Self, Pipes), WorkerError> {
        let not_started = |error| WorkerError::not_started(command, error);
        let mut child = command.to_command().spawn().map_err(not_started)?;
        let pid = child.id().unwrap_or_default();
        let group = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let stderr = Stderr::new(child.stderr.take(), pid);
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = Self { child, group, stderr };
        match pipes {
            Some((stdin, stdout)) => Ok((process, Pipes { stdin, stdout })),
            None => Err(not_started(io::Error::other("it has no pipes"))),
        }
    }

    /// Its process id, while it runs.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for its end and forwards its stderr to the log until then. Cancel safe.
    pub(super) async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = tokio::select! {
            status = self.child.wait() => status,
            never = forward_for_ever(&mut self.stderr) => match never {},
        };
        // It may have been a shell around the process that does the work. The group id became free a moment ago and ids
        // are assigned in turn, so no other group has it yet; later that would not be certain.
        self.kill_group();
        self.group = None;
        let _is_late = timeout(Self::LAST_LINES_WITHIN, self.stderr.forward()).await.is_err();
        status
    }

    /// Kills it, and waits until it is gone.
    pub(super) async fn kill(&mut self) -> io::Result<ExitStatus> {
        self.kill_group();
        self.ended().await
    }

    fn kill_group(&self) {
        match self.group.map(|group| kill_process_group(group, Signal::KILL)) {
            // Usually the group is empty by then.
            None | Some(Ok(()) | Err(Errno::SRCH)) => {}
            Some(Err(error)) => tracing::warn!(target: EVENTS, %error, "worker could not be killed"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

async fn forward_for_ever(stderr: &mut Stderr) -> Infallible {
    stderr.forward().await;
    std::future::pending().await
}
