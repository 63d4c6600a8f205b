//! A worker that greeted: whoever has it may ask it, one call at a time.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use rustix::io::ioctl_fionread;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::ending::{Ending, Exit};
use super::frame::{Breach, FrameReader, ReadError};
use super::haste::Haste;
use super::process::Pipes;
use super::reply::{Outcome, PROTOCOL_VERSION, Said};
use super::request::Request;
use super::{WorkerCommand, WorkerError};
use crate::Call;

/// A worker, as whoever asks it holds it. Dropping it has its process killed.
#[derive(Debug)]
pub(super) struct Worker {
    /// Tells it from all others of its pool.
    pub(super) number: u64,
    stdin: ChildStdin,
    frames: FrameReader<ChildStdout>,
    haste: Haste,
    line: Line,
}

/// The line from a worker to its keeper.
#[derive(Debug)]
pub(super) struct Line {
    endings: oneshot::Sender<Ending>,
    exit: oneshot::Receiver<Exit>,
    is_useful: Arc<AtomicBool>,
}

/// The keeper's end of the line.
#[derive(Debug)]
pub(super) struct KeepersEnd {
    pub(super) endings: oneshot::Receiver<Ending>,
    pub(super) exit: oneshot::Sender<Exit>,
    /// Whether it ever answered a call.
    pub(super) is_useful: Arc<AtomicBool>,
}

/// What a process wrote before its end is read within this time.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(100);

/// Why a call got no answer.
#[derive(Debug)]
pub(super) enum Broken {
    /// The worker is dying. `is_written`: the whole request went into its pipe.
    PipeClosed {
        is_written: bool,
    },
    Breach(Breach),
}

/// A worker before its hello.
#[derive(Debug)]
pub(super) struct Stranger {
    stdin: ChildStdin,
    frames: FrameReader<ChildStdout>,
}

/// Why there was no hello.
#[derive(Debug)]
pub(super) enum NoHello {
    PipeClosed,
    Error(WorkerError),
}

impl Stranger {
    pub(super) fn new(pipes: Pipes, command: &WorkerCommand) -> Self {
        let Pipes { stdin, stdout } = pipes;
        Self { stdin, frames: FrameReader::new(stdout, command.frame_bytes_max) }
    }

    /// Waits for its hello.
    pub(super) async fn greeting(&mut self) -> Result<(), NoHello> {
        let protocol = |breach: Breach| NoHello::Error(WorkerError::Protocol(breach.into()));
        let frame = self.frames.next().await.map_err(|error| match error {
            ReadError::Closed => NoHello::PipeClosed,
            ReadError::Breach(breach) => protocol(breach),
        })?;
        match Said::parse(&frame.header).map_err(protocol)? {
            Said::Hello { version: PROTOCOL_VERSION } => Ok(()),
            Said::Hello { version } => Err(NoHello::Error(WorkerError::Version { found: version })),
            other => Err(protocol(Breach::NoHello { found: other.frame() })),
        }
    }

    pub(super) fn introduced(self, number: u64) -> (Worker, KeepersEnd) {
        let (endings, hear_ending) = oneshot::channel();
        let (tell_exit, exit) = oneshot::channel();
        let is_useful = Arc::<AtomicBool>::default();
        let line = Line { endings, exit, is_useful: Arc::clone(&is_useful) };
        let worker = Worker { number, stdin: self.stdin, frames: self.frames, haste: Haste::default(), line };
        (worker, KeepersEnd { endings: hear_ending, exit: tell_exit, is_useful })
    }
}

impl Worker {
    /// Has it do one call.
    ///
    /// It is read from while the request is written: a worker that fills its stdout before it reads would otherwise wait
    /// for us as we wait for it.
    pub(super) async fn call(
        &mut self,
        number: u64,
        request: &Request,
        call: &Call,
    ) -> Result<(Outcome, Bytes), Broken> {
        let mut writing = pin!(request.write_to(&mut self.stdin));
        let (mut is_written, mut has_ended) = (false, false);
        loop {
            let read = if has_ended {
                // Its last words are in the pipe by now; somebody else may hold that open.
                timeout(LAST_WORDS_WITHIN, self.frames.next()).await.unwrap_or(Err(ReadError::Closed))
            } else {
                tokio::select! {
                    biased;
                    written = &mut writing, if !is_written => {
                        written.map_err(|_| Broken::PipeClosed { is_written: false })?;
                        is_written = true;
                        self.haste.wait_for(&mut self.frames);
                        continue;
                    }
                    read = self.frames.next() => read,
                    () = self.line.endings.closed() => {
                        has_ended = true;
                        continue;
                    }
                }
            };
            let frame = match read {
                Ok(frame) => frame,
                Err(ReadError::Closed) => return Err(Broken::PipeClosed { is_written }),
                Err(ReadError::Breach(breach)) => return Err(Broken::Breach(breach)),
            };
            match Said::parse(&frame.header).map_err(Broken::Breach)? {
                // A thread that beats may come too late for a call that has been answered.
                Said::Beat { call: earlier } if earlier < number => {}
                Said::Beat { call: found } if found == number => call.beat(),
                Said::Reply { call: found, .. } if found == number && !is_written => {
                    return Err(Broken::Breach(Breach::Early));
                }
                Said::Reply { call: found, outcome } if found == number => {
                    self.line.is_useful.store(true, Ordering::Relaxed);
                    return Ok((outcome, frame.payload));
                }
                Said::Beat { call: found } | Said::Reply { call: found, .. } => {
                    return Err(Broken::Breach(Breach::WrongCall { found, asked: number }));
                }
                hello @ Said::Hello { .. } => {
                    return Err(Broken::Breach(Breach::NotNow { found: hello.frame() }));
                }
            }
        }
    }

    /// Whether its keeper knows that it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.line.endings.is_closed()
    }

    /// Closes its stdin, upon which it ends.
    pub(super) fn retire(self) {
        // One that has ended needs no telling.
        let _has_ended = self.line.endings.send(Ending::Retired);
    }

    /// Has it ended, and waits until it is gone: whatever it was doing, it does no more.
    pub(super) async fn end(self, why: Ending) -> Remains {
        let Self { stdin, frames, line, .. } = self;
        drop(frames);
        // One that has ended has left word of how.
        let _has_ended = line.endings.send(why);
        let exit = line.exit.await.unwrap_or(Exit::KilledAtStop);
        // Where the operating system does not tell, all of it may have been read.
        let unread = ioctl_fionread(&stdin).unwrap_or_default();
        Remains { exit, unread }
    }
}

/// What is left of a worker.
#[derive(Debug)]
pub(super) struct Remains {
    pub(super) exit: Exit,
    /// So many bytes of its last request it had not read.
    pub(super) unread: u64,
}
