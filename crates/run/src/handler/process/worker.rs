//! A running worker, as its holder uses it: one call at a time.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use rustix::io::ioctl_fionread;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::exit::{Dismissal, WorkerExit};
use super::frame::{Breach, Frame, FrameReader, ReadError};
use super::process::Pipes;
use super::reply::{Outcome, PROTOCOL_VERSION, WorkerMessage};
use super::request::WorkerRequest;
use super::{WorkerCommand, WorkerError};
use crate::Call;

/// A worker that has sent its hello. Dropping the handle kills the process.
#[derive(Debug)]
pub(super) struct WorkerHandle {
    /// Unique within the pool.
    pub(super) number: u64,
    stdin: ChildStdin,
    frames: FrameReader<ChildStdout>,
    link: SupervisorLink,
}

/// The worker's end of the link to its supervisor.
#[derive(Debug)]
pub(super) struct SupervisorLink {
    dismissals: oneshot::Sender<Dismissal>,
    exit: oneshot::Receiver<WorkerExit>,
    is_useful: Arc<AtomicBool>,
}

/// The supervisor's end of the link.
#[derive(Debug)]
pub(super) struct WorkerLink {
    pub(super) dismissals: oneshot::Receiver<Dismissal>,
    pub(super) exit: oneshot::Sender<WorkerExit>,
    /// Whether the worker has answered a call.
    pub(super) is_useful: Arc<AtomicBool>,
}

/// How long frames are read that a process wrote before its end.
const LAST_FRAMES_WITHIN: Duration = Duration::from_millis(100);

/// Why a call got no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The worker is dying. `is_written`: the whole request was written to its pipe.
    PipeClosed {
        is_written: bool,
    },
    Breach(Breach),
}

/// A worker that has not sent its hello yet.
#[derive(Debug)]
pub(super) struct StartingWorker {
    stdin: ChildStdin,
    frames: FrameReader<ChildStdout>,
}

/// Why there was no hello.
#[derive(Debug)]
pub(super) enum NoHello {
    PipeClosed,
    Error(WorkerError),
}

impl StartingWorker {
    pub(super) fn new(pipes: Pipes, command: &WorkerCommand) -> Self {
        let Pipes { stdin, stdout } = pipes;
        Self { stdin, frames: FrameReader::new(stdout, command.frame_bytes_max) }
    }

    /// Waits for its hello.
    pub(super) async fn hello(&mut self) -> Result<(), NoHello> {
        let protocol = |breach: Breach| NoHello::Error(WorkerError::Protocol(breach.into()));
        let frame = self.frames.next().await.map_err(|error| match error {
            ReadError::Closed => NoHello::PipeClosed,
            ReadError::Breach(breach) => protocol(breach),
        })?;
        match WorkerMessage::parse(&frame.header).map_err(protocol)? {
            WorkerMessage::Hello { version: PROTOCOL_VERSION } => Ok(()),
            WorkerMessage::Hello { version } => Err(NoHello::Error(WorkerError::Version { found: version })),
            other => Err(protocol(Breach::NoHello { found: other.frame() })),
        }
    }

    pub(super) fn started(self, number: u64) -> (WorkerHandle, WorkerLink) {
        let (dismissals_tx, dismissals) = oneshot::channel();
        let (exit, exit_rx) = oneshot::channel();
        let is_useful = Arc::<AtomicBool>::default();
        let link = SupervisorLink { dismissals: dismissals_tx, exit: exit_rx, is_useful: Arc::clone(&is_useful) };
        let Self { stdin, frames } = self;
        (WorkerHandle { number, stdin, frames, link }, WorkerLink { dismissals, exit, is_useful })
    }
}

impl WorkerHandle {
    /// Sends a request and waits for the answer.
    pub(super) async fn call(
        &mut self,
        number: u64,
        request: &WorkerRequest,
        call: &Call,
    ) -> Result<(Outcome, Bytes), NoAnswer> {
        self.send(number, request, call).await?;
        loop {
            let frame = next_frame(&mut self.frames, &mut self.link).await;
            if let Some(reply) = Self::reply(frame, number, call, true)? {
                self.link.is_useful.store(true, Ordering::Relaxed);
                return Ok(reply);
            }
        }
    }

    /// Writes a request.
    ///
    /// It reads frames meanwhile: a worker that fills its stdout before it reads would otherwise wait for us as we wait
    /// for it.
    async fn send(&mut self, number: u64, request: &WorkerRequest, call: &Call) -> Result<(), NoAnswer> {
        let mut writing = pin!(request.write_to(&mut self.stdin));
        loop {
            let frame = tokio::select! {
                biased;
                written = &mut writing => return written.map_err(|_| NoAnswer::PipeClosed { is_written: false }),
                frame = next_frame(&mut self.frames, &mut self.link) => frame,
            };
            if Self::reply(frame, number, call, false)?.is_some() {
                return Err(NoAnswer::Breach(Breach::Early));
            }
        }
    }

    /// The call's result, if the frame is its reply. A beat is recorded.
    fn reply(
        read: Result<Frame, ReadError>,
        number: u64,
        call: &Call,
        is_written: bool,
    ) -> Result<Option<(Outcome, Bytes)>, NoAnswer> {
        let frame = read.map_err(|error| match error {
            ReadError::Closed => NoAnswer::PipeClosed { is_written },
            ReadError::Breach(breach) => NoAnswer::Breach(breach),
        })?;
        match WorkerMessage::parse(&frame.header).map_err(NoAnswer::Breach)? {
            // A thread that sends beats may be late for a call that has been answered.
            WorkerMessage::Beat { call: earlier } if earlier < number => Ok(None),
            WorkerMessage::Beat { call: found } if found == number => {
                call.beat();
                Ok(None)
            }
            WorkerMessage::Reply { call: found, outcome } if found == number => Ok(Some((outcome, frame.payload))),
            WorkerMessage::Beat { call: found } | WorkerMessage::Reply { call: found, .. } => {
                Err(NoAnswer::Breach(Breach::WrongCall { found, asked: number }))
            }
            hello @ WorkerMessage::Hello { .. } => Err(NoAnswer::Breach(Breach::NotNow { found: hello.frame() })),
        }
    }

    /// Whether its supervisor has seen it end.
    pub(super) fn has_ended(&self) -> bool {
        self.link.dismissals.is_closed()
    }

    /// Closes its stdin, upon which it exits.
    pub(super) fn retire(self) {
        // The supervisor of one that has ended does not listen any more.
        let _has_ended = self.link.dismissals.send(Dismissal::Retired);
    }

    /// Ends the process and waits until it is gone.
    pub(super) async fn end(self, why: Dismissal) -> EndedWorker {
        let Self { stdin, frames, link, .. } = self;
        drop(frames);
        // The supervisor of one that has ended has sent its exit already.
        let _has_ended = link.dismissals.send(why);
        let exit = link.exit.await.unwrap_or(WorkerExit::KilledAtStop);
        // Where the operating system does not report it, the worker may have read all of it.
        let unread = ioctl_fionread(&stdin).unwrap_or_default();
        EndedWorker { exit, unread }
    }
}

/// The next frame. After the process has ended, only what it wrote before.
async fn next_frame(frames: &mut FrameReader<ChildStdout>, link: &mut SupervisorLink) -> Result<Frame, ReadError> {
    tokio::select! {
        biased;
        frame = frames.next() => return frame,
        () = link.dismissals.closed() => {}
    }
    // Its frames are in the pipe by now; a process that it started may keep the pipe open.
    timeout(LAST_FRAMES_WITHIN, frames.next()).await.unwrap_or(Err(ReadError::Closed))
}

/// A worker whose process is gone.
#[derive(Debug)]
pub(super) struct EndedWorker {
    pub(super) exit: WorkerExit,
    /// How many bytes of its last request it had not read.
    pub(super) unread: u64,
}
