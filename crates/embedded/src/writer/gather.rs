//! Waiting for something to do, and taking what there is.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::Duration;

use redrive_core::{MonotonicTime, QueueName, Time};
use redrive_model::Rejection;
use redrive_store::StoreError;

use super::weight::relocation_bytes;
use super::writer::{Relocation, WriteBatch};
use super::{Mode, Writer};
use crate::frozen_queues::FreezeOutcome;
use crate::message::{Message, QueuedRequest};
use crate::operations;
use crate::persistence::Persistence;

/// A caller that waits for its answer asks again at once: looking for it costs less than sleeping and being woken. After
/// the first looks, whoever else has something to do goes first.
const LOOKS_BEFORE_SLEEP: u32 = 200;
const LOOKS_BEFORE_YIELD: u32 = 100;

/// For so long nobody must have come before the next piece of a description is written for its own sake.
const SWEEP_PAUSE: Duration = Duration::from_millis(2);

/// For so long requests wait for whoever gives up files, where that is late.
const CATCH_UP: Duration = Duration::from_millis(2);
/// For so long those who need room wait before it is looked again whether there is some.
const ROOM_PAUSE: Duration = Duration::from_millis(2);

impl Writer {
    /// Waits for something to do, and takes what there is, up to a batch.
    pub(super) fn gather(&mut self) -> WriteBatch {
        let mut turn = WriteBatch::default();
        if std::mem::take(&mut self.owes_upkeep) {
            return turn;
        }
        self.let_compactor_catch_up();
        turn.requests = std::mem::take(&mut self.held_back);
        let mut bytes: usize = turn.requests.iter().map(|request| self.bytes_of(request)).sum();
        if turn.requests.len() >= self.limits.requests {
            return turn;
        }
        let mut next = match self.first.pop_front().or_else(|| self.returns.next()) {
            Some(message) => Some(message),
            // They wait for what a file that is given up makes of room: so does the writer.
            None if !turn.requests.is_empty() && self.is_compacting() => self.inbox.recv_timeout(ROOM_PAUSE).ok(),
            None if !turn.requests.is_empty() => self.inbox.try_recv().ok(),
            None => self.first(&mut turn),
        };
        while let Some(message) = next {
            let size = self.size_of(&message);
            if bytes > 0 && bytes + size > self.limits.bytes {
                self.first.push_front(message);
                break;
            }
            bytes += size;
            match message {
                Message::Request(request) => turn.requests.extend(self.unless_frozen(request)),
                Message::Relocate { documents, done } => turn.relocations.push(Relocation { documents, done }),
                Message::Compacted { shelf, outcome } => {
                    if let Persistence::Log(log) = &mut self.persistence {
                        log.compacted(shelf, outcome);
                    }
                }
                Message::WhichAreHeld { mut candidates, reply } => {
                    candidates.retain(|(slot, place)| self.state.holds(*slot, *place));
                    // Whoever asked may be gone.
                    let _gone = reply.send(candidates);
                }
                Message::Wake => {}
                Message::Freeze { queue, is_frozen, done } => {
                    // Whoever asked may be gone.
                    let _gone = done.send(self.freeze(&queue, is_frozen));
                }
                Message::Close => turn.is_end = true,
            }
            if turn.requests.len() >= self.limits.requests || turn.is_end {
                break;
            }
            next = self.first.pop_front().or_else(|| self.inbox.try_recv().ok());
        }
        turn
    }

    /// Where files are given up more slowly than the log grows, whoever does that goes first: requests wait until it has
    /// said something, or for a moment. The log would grow without bound on a busy machine.
    fn let_compactor_catch_up(&mut self) {
        let must_catch_up = matches!(&self.persistence, Persistence::Log(log) if log.must_catch_up());
        while must_catch_up && self.first.len() < self.limits.requests {
            let Ok(message) = self.inbox.recv_timeout(CATCH_UP) else { return };
            match message {
                Message::Relocate { .. } | Message::WhichAreHeld { .. } | Message::Compacted { .. } => {
                    return self.first.push_front(message);
                }
                Message::Close => return self.first.push_back(message),
                _ => self.first.push_back(message),
            }
        }
    }

    /// The request, unless its queue is frozen.
    fn unless_frozen(&mut self, request: QueuedRequest) -> Option<QueuedRequest> {
        match self.frozen_queues.keep(request, &self.state) {
            FreezeOutcome::Yes => None,
            FreezeOutcome::No(request) => Some(request),
            FreezeOutcome::TooMany(request) => {
                request.reply.send(Err(StoreError::Overloaded));
                None
            }
        }
    }

    fn freeze(&mut self, name: &QueueName, is_frozen: bool) -> Result<(), StoreError> {
        let queue = self.state.number_of(name).ok_or_else(|| Rejection::NoSuchQueue(name.clone()))?;
        self.state.freeze(queue, is_frozen);
        if is_frozen {
            self.frozen_queues.begin(queue);
            let now = self.clock.monotonic();
            for waiter in self.waiting.take_queue(queue) {
                self.frozen_queues.keep_waiter(queue, waiter, now, &self.state);
            }
        } else {
            let held = self.frozen_queues.end(queue).into_iter();
            self.first.extend(held.map(Message::Request));
        }
        Ok(())
    }

    fn size_of(&self, message: &Message) -> usize {
        match message {
            Message::Request(request) => operations::bytes_max(&request.request, &request.along, &self.state),
            Message::Relocate { documents, .. } => relocation_bytes(documents),
            Message::WhichAreHeld { .. }
            | Message::Wake
            | Message::Compacted { .. }
            | Message::Freeze { .. }
            | Message::Close => 0,
        }
    }

    /// The first message of a turn; `None` when there is something to do without one.
    fn first(&mut self, turn: &mut WriteBatch) -> Option<Message> {
        let has_upkeep = self.has_upkeep();
        for look in 0..LOOKS_BEFORE_SLEEP {
            match self.inbox.try_recv() {
                Ok(message) => return Some(message),
                Err(TryRecvError::Disconnected) => {
                    turn.is_end = true;
                    return None;
                }
                Err(TryRecvError::Empty) if has_upkeep => return None,
                Err(TryRecvError::Empty) if look < LOOKS_BEFORE_YIELD => std::hint::spin_loop(),
                Err(TryRecvError::Empty) => std::thread::yield_now(),
            }
        }
        // A description of the state goes on when nobody has come for a moment: whoever comes finds the disk free.
        let sweep = self.is_sweeping().then_some(SWEEP_PAUSE);
        let proof = self.is_unproven.then_some(Duration::from_micros(self.idle_proof.as_micros()));
        let due = self.next_due().and_then(|at| self.clock.until(at));
        let late = self.next_deadline().and_then(|at| self.clock.until_monotonic(at));
        let event = due.into_iter().chain(late).min();
        let received = match event.into_iter().chain(proof).chain(sweep).min() {
            Some(wait) => self.inbox.recv_timeout(wait),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Disconnected) => {
                turn.is_end = true;
                None
            }
            Err(RecvTimeoutError::Timeout) => {
                if sweep.is_none() && proof.is_some_and(|proof| event.is_none_or(|event| proof <= event)) {
                    self.prove();
                }
                None
            }
        }
    }

    /// Whether there is something to do by itself, now. On a full disk that includes what makes room.
    fn has_upkeep(&self) -> bool {
        let is_urgent = self.is_sweeping() && self.vitals.is_full.load(Ordering::Relaxed);
        self.mode == Mode::Working
            && !self.is_stuck
            && (is_urgent
                || (!self.unserved.is_empty() && !self.is_saving)
                || self.next_due().is_some_and(|at| at <= self.clock.now())
                || self.next_deadline().is_some_and(|at| at <= self.clock.monotonic()))
    }

    fn is_compacting(&self) -> bool {
        !self.is_sweeping() && matches!(&self.persistence, Persistence::Log(log) if log.is_compacting())
    }

    fn is_sweeping(&self) -> bool {
        let is_sweeping = matches!(&self.persistence, Persistence::Log(log) if log.is_sweeping());
        is_sweeping && self.mode == Mode::Working && !self.is_stuck
    }

    /// The time of day at which something happens by itself.
    fn next_due(&self) -> Option<Time> {
        if self.mode != Mode::Working {
            return None;
        }
        let claims = self.waiting.claims().filter_map(|(_, claim)| self.state.next_due(claim));
        self.state.next_timer().into_iter().chain(claims).min()
    }

    /// When somebody has waited long enough.
    fn next_deadline(&self) -> Option<MonotonicTime> {
        if self.mode != Mode::Working {
            return None;
        }
        self.waiting.next_deadline().into_iter().chain(self.listening.next_deadline()).min()
    }
}
