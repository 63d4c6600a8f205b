//! A worker that greeted: whoever has it may ask it, one call at a time.

use std::io::IoSlice;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use rustix::io::{ioctl_fionread, writev};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::ahead::{Batch, SentAhead};
use super::ending::{Dismissal, WorkerExit};
use super::frame::{Breach, Frame, FrameReader, ReadError};
use super::haste::Haste;
use super::process::Pipes;
use super::reply::{Outcome, PROTOCOL_VERSION, WorkerMessage};
use super::request::WorkerRequest;
use super::{WorkerCommand, WorkerError};
use crate::Call;

/// A worker, as whoever asks it holds it. Dropping it has its process killed.
#[derive(Debug)]
pub(super) struct WorkerHandle {
    /// Tells it from all others of its pool.
    pub(super) number: u64,
    stdin: ChildStdin,
    frames: FrameReader<ChildStdout>,
    /// What it has to do when it has answered.
    pub(super) ahead: SentAhead,
    haste: Haste,
    link: SupervisorLink,
}

/// The link from a worker to its supervisor.
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
    /// Whether it ever answered a call.
    pub(super) is_useful: Arc<AtomicBool>,
}

/// What a process wrote before its end is read within this time.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(100);

/// Why a call got no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
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
    pub(super) async fn greeting(&mut self) -> Result<SentAhead, NoHello> {
        let protocol = |breach: Breach| NoHello::Error(WorkerError::Protocol(breach.into()));
        let frame = self.frames.next().await.map_err(|error| match error {
            ReadError::Closed => NoHello::PipeClosed,
            ReadError::Breach(breach) => protocol(breach),
        })?;
        match WorkerMessage::parse(&frame.header).map_err(protocol)? {
            WorkerMessage::Hello { version: PROTOCOL_VERSION, ahead } => Ok(SentAhead::at_most(ahead)),
            WorkerMessage::Hello { version, .. } => Err(NoHello::Error(WorkerError::Version { found: version })),
            other => Err(protocol(Breach::NoHello { found: other.frame() })),
        }
    }

    pub(super) fn introduced(self, number: u64, ahead: SentAhead) -> (WorkerHandle, WorkerLink) {
        let (dismissals, hear_dismissal) = oneshot::channel();
        let (tell_exit, exit) = oneshot::channel();
        let is_useful = Arc::<AtomicBool>::default();
        let link = SupervisorLink { dismissals, exit, is_useful: Arc::clone(&is_useful) };
        let Self { stdin, frames } = self;
        let worker = WorkerHandle { number, stdin, frames, ahead, haste: Haste::default(), link };
        (worker, WorkerLink { dismissals: hear_dismissal, exit: tell_exit, is_useful })
    }
}

impl WorkerHandle {
    /// Writes a request.
    ///
    /// It is read from meanwhile: a worker that fills its stdout before it reads would otherwise wait for us as we wait
    /// for it.
    pub(super) async fn ask(&mut self, number: u64, request: &WorkerRequest, call: &Call) -> Result<(), NoAnswer> {
        let mut writing = pin!(request.write_to(&mut self.stdin));
        loop {
            let frame = tokio::select! {
                biased;
                written = &mut writing => return written.map_err(|_| NoAnswer::PipeClosed { is_written: false }),
                frame = next_frame(&mut self.frames, &mut self.link) => frame,
            };
            if Self::heard(frame, number, call, false)?.is_some() {
                return Err(NoAnswer::Breach(Breach::Early));
            }
        }
    }

    /// Waits for the answer to what it is at.
    pub(super) async fn answer(&mut self, number: u64, call: &Call) -> Result<(Outcome, Bytes), NoAnswer> {
        self.haste.wait_for(&mut self.frames);
        loop {
            let frame = next_frame(&mut self.frames, &mut self.link).await;
            if let Some(reply) = Self::heard(frame, number, call, true)? {
                self.link.is_useful.store(true, Ordering::Relaxed);
                return Ok(reply);
            }
        }
    }

    /// What a frame says about this call: nothing, or what became of it.
    fn heard(
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
            // A thread that beats may come too late for a call that has been answered.
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

    /// The answer to a call that was written ahead, if that was read already. Whatever else comes first is for the call
    /// itself to hear.
    pub(super) fn answered(&mut self, number: u64) -> Option<(Outcome, Bytes)> {
        match WorkerMessage::parse(self.frames.header()?) {
            Ok(WorkerMessage::Reply { call, outcome }) if call == number => Some((outcome, self.frames.take().payload)),
            Ok(_) | Err(_) => None,
        }
    }

    /// How many requests may be written ahead: none, if it has not been quick of late.
    pub(super) fn room_ahead(&self) -> usize {
        if self.haste.is_quick() { self.ahead.room() } else { 0 }
    }

    /// Writes requests ahead, all or none. What it does not take comes back.
    pub(super) fn write_ahead(&mut self, batch: Batch) -> Result<(), Batch> {
        let pieces: Vec<IoSlice<'_>> = batch.calls.iter().flat_map(|waiter| waiter.request.pieces()).collect();
        // Nothing waits here: a pipe that has no room says so. Whatever else is wrong, the call that it is at will find.
        if writev(&self.stdin, &pieces).is_err() {
            return Err(batch);
        }
        self.ahead.push(batch);
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn hurry(&mut self) {
        self.haste = Haste::of_a_quick_one();
    }

    /// Whether its supervisor knows that it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.link.dismissals.is_closed()
    }

    /// Closes its stdin, upon which it ends.
    pub(super) fn retire(self) {
        // One that has ended needs no telling.
        let _has_ended = self.link.dismissals.send(Dismissal::Retired);
    }

    /// Has it ended, and waits until it is gone: whatever it was doing, it does no more.
    pub(super) async fn end(self, why: Dismissal) -> Remains {
        let Self { stdin, frames, link, ahead, .. } = self;
        drop(frames);
        let unread_ahead = ahead.bytes() as u64;
        // They need not wait for its end.
        drop(ahead);
        // One that has ended has left word of how.
        let _has_ended = link.dismissals.send(why);
        let exit = link.exit.await.unwrap_or(WorkerExit::KilledAtStop);
        // Where the operating system does not tell, all of it may have been read.
        let unread = ioctl_fionread(&stdin).unwrap_or_default().saturating_sub(unread_ahead);
        Remains { exit, unread }
    }
}

/// The next frame; nothing comes after the last words of a process that has ended.
async fn next_frame(frames: &mut FrameReader<ChildStdout>, link: &mut SupervisorLink) -> Result<Frame, ReadError> {
    tokio::select! {
        biased;
        frame = frames.next() => return frame,
        () = link.dismissals.closed() => {}
    }
    // They are in the pipe by now; somebody else may hold that open.
    timeout(LAST_WORDS_WITHIN, frames.next()).await.unwrap_or(Err(ReadError::Closed))
}

/// What is left of a worker.
#[derive(Debug)]
pub(super) struct Remains {
    pub(super) exit: WorkerExit,
    /// So many bytes of its last request it had not read.
    pub(super) unread: u64,
}
