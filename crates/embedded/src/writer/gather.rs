//! Waiting for messages, and gathering the next batch.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::Duration;

use redrive_core::{MonotonicTime, Time};

use super::sizes::relocation_bytes;
use super::writer::{Relocation, WriteBatch};
use super::{Mode, Writer};
use crate::message::Message;
use crate::operations;
use crate::persistence::Persistence;

/// How often the writer polls its inbox before it sleeps. A caller that got its answer sends the next request at once:
/// polling for it costs less than sleeping and being woken. After the first polls the writer yields to other threads.
const POLLS_BEFORE_SLEEP: u32 = 200;
const POLLS_BEFORE_YIELD: u32 = 100;

/// The idle time after which the next piece of a checkpoint is written without waiting for a request.
const CHECKPOINT_PAUSE: Duration = Duration::from_millis(2);

/// How long requests wait for the compactor if it is behind.
const CATCH_UP: Duration = Duration::from_millis(2);
/// How long requests that need disk space wait before the writer checks again.
const SPACE_PAUSE: Duration = Duration::from_millis(2);

impl Writer {
    /// Waits for work and takes the available messages, up to the limits of a batch.
    pub(super) fn gather(&mut self) -> WriteBatch {
        let mut batch = WriteBatch::default();
        if std::mem::take(&mut self.owes_upkeep) {
            return batch;
        }
        self.let_compactor_catch_up();
        batch.requests = std::mem::take(&mut self.held_back);
        let mut bytes: usize = batch.requests.iter().map(|request| self.bytes_of(request)).sum();
        if batch.requests.len() >= self.limits.requests {
            return batch;
        }
        let mut next = match self.deferred.pop_front().or_else(|| self.abandoned.next()) {
            Some(message) => Some(message),
            // The requests wait for space that compaction will free, so the writer waits for the compactor.
            None if !batch.requests.is_empty() && self.is_compacting() => self.inbox.recv_timeout(SPACE_PAUSE).ok(),
            None if !batch.requests.is_empty() => self.inbox.try_recv().ok(),
            None => self.first_message(&mut batch),
        };
        while let Some(message) = next {
            let size = self.size_of(&message);
            if bytes > 0 && bytes + size > self.limits.bytes {
                self.deferred.push_front(message);
                break;
            }
            bytes += size;
            match message {
                #[cfg(feature = "test-mode")]
                Message::Request(request) => batch.requests.extend(self.unless_frozen(request)),
                #[cfg(not(feature = "test-mode"))]
                Message::Request(request) => batch.requests.push(request),
                Message::Relocate { documents, done } => batch.relocations.push(Relocation { documents, done }),
                Message::Compacted { segment, outcome } => {
                    if let Persistence::Log(log) = &mut self.persistence {
                        log.compacted(segment, outcome);
                    }
                }
                Message::WhichAreInUse { mut candidates, reply } => {
                    candidates.retain(|(slot, place)| self.state.holds(*slot, *place));
                    // The compactor may have ended.
                    let _gone = reply.send(candidates);
                }
                Message::Wake => {}
                #[cfg(feature = "test-mode")]
                Message::Freeze { queue, is_frozen, reply } => {
                    // The caller may be gone.
                    let _gone = reply.send(self.freeze(&queue, is_frozen));
                }
                Message::Close => batch.is_last = true,
            }
            if batch.requests.len() >= self.limits.requests || batch.is_last {
                break;
            }
            next = self.deferred.pop_front().or_else(|| self.inbox.try_recv().ok());
        }
        batch
    }

    /// Gives the compactor precedence if the log grows faster than it is compacted: requests wait until the compactor
    /// sends a message, or for a short time. Otherwise the log would grow without bound under load.
    fn let_compactor_catch_up(&mut self) {
        let must_catch_up = matches!(&self.persistence, Persistence::Log(log) if log.must_catch_up());
        while must_catch_up && self.deferred.len() < self.limits.requests {
            let Ok(message) = self.inbox.recv_timeout(CATCH_UP) else { return };
            match message {
                Message::Relocate { .. } | Message::WhichAreInUse { .. } | Message::Compacted { .. } => {
                    return self.deferred.push_front(message);
                }
                Message::Close => return self.deferred.push_back(message),
                _ => self.deferred.push_back(message),
            }
        }
    }

    fn size_of(&self, message: &Message) -> usize {
        match message {
            Message::Request(request) => operations::bytes_max(&request.request, &request.along, &self.state),
            Message::Relocate { documents, .. } => relocation_bytes(documents),
            _ => 0,
        }
    }

    /// Waits for the first message of a batch; `None` if there is work without one.
    fn first_message(&mut self, batch: &mut WriteBatch) -> Option<Message> {
        let has_upkeep = self.has_upkeep();
        for poll in 0..POLLS_BEFORE_SLEEP {
            match self.inbox.try_recv() {
                Ok(message) => return Some(message),
                Err(TryRecvError::Disconnected) => {
                    batch.is_last = true;
                    return None;
                }
                Err(TryRecvError::Empty) if has_upkeep => return None,
                Err(TryRecvError::Empty) if poll < POLLS_BEFORE_YIELD => std::hint::spin_loop(),
                Err(TryRecvError::Empty) => std::thread::yield_now(),
            }
        }
        // A checkpoint continues only after a short idle time, so that new requests find the disk idle.
        let checkpoint = self.is_checkpointing().then_some(CHECKPOINT_PAUSE);
        let proof = self.is_unproven.then_some(Duration::from_micros(self.idle_proof.as_micros()));
        let due = self.next_due().and_then(|at| self.clock.until(at));
        let late = self.next_deadline().and_then(|at| self.clock.until_monotonic(at));
        let event = due.into_iter().chain(late).min();
        let received = match event.into_iter().chain(proof).chain(checkpoint).min() {
            Some(wait) => self.inbox.recv_timeout(wait),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Disconnected) => {
                batch.is_last = true;
                None
            }
            Err(RecvTimeoutError::Timeout) => {
                if checkpoint.is_none() && proof.is_some_and(|proof| event.is_none_or(|event| proof <= event)) {
                    self.prove();
                }
                None
            }
        }
    }

    /// Whether there is work to do now without a request. On a full disk that includes work that frees space.
    fn has_upkeep(&self) -> bool {
        let is_urgent = self.is_checkpointing() && self.status.is_full.load(Ordering::Relaxed);
        self.mode == Mode::Working
            && !self.is_stuck
            && (is_urgent
                || (!self.unserved.is_empty() && !self.is_saving)
                || self.next_due().is_some_and(|at| at <= self.clock.now())
                || self.next_deadline().is_some_and(|at| at <= self.clock.monotonic()))
    }

    fn is_compacting(&self) -> bool {
        !self.is_checkpointing() && matches!(&self.persistence, Persistence::Log(log) if log.is_compacting())
    }

    fn is_checkpointing(&self) -> bool {
        let is_checkpointing = matches!(&self.persistence, Persistence::Log(log) if log.is_checkpointing());
        is_checkpointing && self.mode == Mode::Working && !self.is_stuck
    }

    /// The time of day of the next timed transition or due letter.
    fn next_due(&self) -> Option<Time> {
        if self.mode != Mode::Working {
            return None;
        }
        let claims = self.waiting.claims().filter_map(|(_, claim)| self.state.next_due(claim));
        self.state.next_timer().into_iter().chain(claims).min()
    }

    /// The next deadline of a waiting request.
    fn next_deadline(&self) -> Option<MonotonicTime> {
        if self.mode != Mode::Working {
            return None;
        }
        self.waiting.next_deadline().into_iter().chain(self.listening.next_deadline()).min()
    }
}
