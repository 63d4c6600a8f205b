//! The single writer.
//!
//! It takes what requests there are, does them all in memory, makes their facts durable with one sync, and then
//! releases the answers. Nothing is seen outside before it is durable; a read, too, waits for what it saw.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender};

use redrive_core::{MonotonicTime, Span};
use redrive_journal::Use;
use redrive_model::{ClaimDue, Lease, OpContext, Rejection, WriteKeys};
use redrive_queue::{Facts, Relocate, State, Tick};
use redrive_store::{Clock, Reply, Request, StoreError};
use tokio::sync::watch;

use super::weight::{bytes_of_all, relocation_bytes};
use super::{Limits, Random, UnderWay};
use crate::answer::Answer;
use crate::executor::Executor;
use crate::feed_waiters::FeedWaiters;
use crate::frozen_queues::FrozenQueues;
use crate::lease_waiters::{LeaseWaiters, Waiter, Want};
use crate::message::{Message, QueuedRequest};
use crate::options::Vitals;
use crate::persistence::Persistence;
use crate::readers::{DamagedAnswer, Readers};
use crate::reply::{AbandonedLeases, ReplyTo};
use crate::retention_notices::RetentionNotices;

#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) state: State,
    pub(crate) persistence: Persistence,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) returns: Arc<AbandonedLeases>,
    pub(crate) readers: Readers,
    /// Answers that leave when what was found damaged for them is set aside.
    pub(crate) damaged: VecDeque<DamagedAnswer>,
    pub(crate) under_way: UnderWay,
    pub(crate) clock: Arc<dyn Clock>,
    /// When the batch began: by this those are timed who wait.
    pub(crate) now: MonotonicTime,
    pub(crate) random: Random,
    pub(crate) limits: Limits,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) facts: Facts,
    pub(crate) waiting: LeaseWaiters,
    pub(crate) listening: FeedWaiters,
    pub(crate) forgotten: Arc<RetentionNotices>,
    /// What comes before all that is in the inbox: what did not fit into the last batch, for instance.
    pub(crate) first: VecDeque<Message>,
    pub(crate) frozen_queues: FrozenQueues,
    /// What frees room, and must wait on a full disk until the state is described or what came before it is done.
    pub(crate) held_back: Vec<QueuedRequest>,
    pub(crate) mode: Mode,
    /// Documents to be written again that had no room in the last batch.
    pub(crate) postponed: Option<Relocation>,
    /// Queues in which something is there for those who wait, and it was not their turn.
    pub(crate) unserved: BTreeSet<u32>,
    /// A batch had no room for what happens by itself: the next one is for that alone.
    pub(crate) owes_upkeep: bool,
    /// There is no room even for what happens by itself.
    pub(crate) is_stuck: bool,
    /// On a full disk nobody is served now: what room there is, is needed to make some.
    pub(crate) is_saving: bool,
    /// Something was written that no later batch proves.
    pub(crate) is_unproven: bool,
    pub(crate) idle_proof: Span,
    /// Told how it ended, once it has.
    pub(crate) closed: watch::Sender<Option<Result<(), StoreError>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Working,
    /// The disk failed: only reads, of what was acknowledged.
    ReadOnly,
    /// The disk failed, and what was acknowledged could not be read again.
    Blind,
}

/// What one batch is about.
#[derive(Debug, Default)]
pub(super) struct WriteBatch {
    pub(super) requests: Vec<QueuedRequest>,
    pub(super) relocations: Vec<Relocation>,
    /// It is the last.
    pub(super) is_end: bool,
}

#[derive(Debug)]
pub(crate) struct Relocation {
    pub(super) documents: Vec<Relocate>,
    pub(super) done: SyncSender<bool>,
}

/// A request that is about to wait.
#[derive(Debug)]
struct Waits {
    client: Option<String>,
    deadline: MonotonicTime,
    want: Want,
}

impl Waits {
    fn with(self, reply: ReplyTo) -> Waiter {
        let Self { client, deadline, want } = self;
        Waiter { client, deadline, want, reply }
    }
}

pub(super) type Answers = Vec<(ReplyTo, Result<Answer, StoreError>)>;

impl Writer {
    /// Works until the store is closed.
    pub(crate) fn run(mut self) {
        loop {
            let WriteBatch { requests, relocations, is_end } = self.gather();
            self.work(requests, relocations);
            if is_end {
                return self.close();
            }
        }
    }

    /// One batch.
    pub(super) fn work(&mut self, mut requests: Vec<QueuedRequest>, mut relocations: Vec<Relocation>) {
        relocations.extend(self.postponed.take());
        self.keep_ahead();
        self.damaged.extend(self.readers.damaged.take());
        Vitals::add(&self.vitals.requests, requests.len() as u64);
        let op = OpContext::new(self.clock.now(), self.random.next());
        self.now = self.clock.monotonic();
        let now = self.now;
        let mut answers: Answers = Vec::with_capacity(requests.len());
        if self.mode != Mode::Working {
            self.read_only(requests, op, &mut answers);
            self.answer_damaged();
            return self.release(answers);
        }
        for request in &mut requests {
            request.bytes = self.bytes_of(request);
        }
        let batch = self.busy_bytes(&requests);
        let (requests, room) = self.admit(requests, &relocations, &mut answers);
        if room.for_sweep
            && let Persistence::Log(log) = &mut self.persistence
        {
            log.sweep(&mut self.state, batch, &mut self.facts);
        }
        if room.for_upkeep {
            Tick { limit: self.limits.transitions }.apply(&mut self.state, op, &mut self.facts);
        }
        if room.for_upkeep {
            self.set_aside(op, &mut answers);
        } else {
            self.answer_damaged();
        }
        let is_relocating = room.for_upkeep && self.may_relocate(&relocations);
        if is_relocating {
            self.relocate(&relocations, op);
        }
        self.dismiss_late(|deadline| deadline < now, &mut answers);
        // Of what came together, new items come first, then those who wait for them, then what became of others.
        let (settles, others): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| matches!(request.request, Request::Settle(_)));
        let mut asked = BTreeSet::new();
        for request in others {
            self.request(request, op, &mut asked, &mut answers);
        }
        let mut left = room.for_leases;
        self.serve(asked, &mut left, op, &mut answers);
        for request in settles {
            self.request(request, op, &mut BTreeSet::new(), &mut answers);
        }
        self.serve(BTreeSet::new(), &mut left, op, &mut answers);
        self.dismiss_late(|deadline| deadline <= now, &mut answers);
        self.tell_listeners(op, &mut answers);
        let is_kept = self.commit(answers, room.purpose);
        if self.owes_upkeep && !room.for_upkeep {
            // Only one is ever under way.
            self.postponed = relocations.pop();
        }
        for Relocation { done, .. } in relocations {
            // Whoever asked may be gone.
            let _gone = done.send(is_kept && is_relocating);
        }
    }

    /// The size of a batch that somebody waits for, so that little else goes into it; on a full disk what makes room
    /// comes first.
    pub(super) fn busy_bytes(&self, requests: &[QueuedRequest]) -> Option<usize> {
        let is_full = self.vitals.is_full.load(Ordering::Relaxed);
        (!requests.is_empty() && !is_full).then(|| bytes_of_all(requests))
    }

    fn may_relocate(&self, relocations: &[Relocation]) -> bool {
        let bytes: usize = relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum();
        matches!(&self.persistence, Persistence::Log(log) if log.may_relocate(&self.state, bytes as u64))
    }

    fn relocate(&mut self, relocations: &[Relocation], op: OpContext) {
        for document in relocations.iter().flat_map(|relocation| &relocation.documents) {
            let is_held = document.clone().apply(&mut self.state, op, &mut self.facts);
            Vitals::add(&self.vitals.relocated, u64::from(is_held));
        }
    }

    pub(super) fn executor(&mut self, op: OpContext) -> Executor<'_> {
        Executor { state: &mut self.state, facts: &mut self.facts, persistence: &self.persistence, op }
    }

    /// Does a request, or has it wait.
    fn request(&mut self, request: QueuedRequest, op: OpContext, asked: &mut BTreeSet<u32>, answers: &mut Answers) {
        let QueuedRequest { request, along, reply, .. } = request;
        match request {
            Request::Lease(_) | Request::ClaimDue(_) if !along.is_empty() => {
                answers.push((reply, Err(Rejection::NothingAlong.into())));
            }
            Request::Lease(_) | Request::ClaimDue(_) if self.waiting.is_full() => {
                answers.push((reply, Err(StoreError::Overloaded)));
            }
            Request::Lease(lease) => match self.await_items(lease) {
                Ok((queue, waiter)) => {
                    self.waiting.add(queue, waiter.with(reply));
                    asked.insert(queue);
                }
                Err(refusal) => answers.push((reply, Err(refusal.into()))),
            },
            Request::ClaimDue(claim) => match self.await_letters(claim) {
                Ok((queue, waiter)) => {
                    self.waiting.add(queue, waiter.with(reply));
                    asked.insert(queue);
                }
                Err(refusal) => answers.push((reply, Err(refusal.into()))),
            },
            Request::ReadChanges(request) => self.listen(request, along, reply, op, answers),
            request => {
                let answer = self.operate(request, WriteKeys { writes: along }, op, answers);
                answers.push((reply, answer));
            }
        }
    }

    fn await_items(&mut self, lease: Lease) -> Result<(u32, Waits), Rejection> {
        lease.spec.check()?;
        let queue = self.state.number_of(&lease.queue).ok_or(Rejection::NoSuchQueue(lease.queue))?;
        self.check_client(queue, lease.client_id.as_deref())?;
        let deadline = self.now.saturating_add(lease.wait);
        Ok((queue, Waits { client: lease.client_id, deadline, want: Want::Items(lease.spec) }))
    }

    fn await_letters(&self, claim: ClaimDue) -> Result<(u32, Waits), Rejection> {
        claim.check()?;
        let queue = self.state.number_of(&claim.queue);
        let queue = queue.ok_or_else(|| Rejection::NoSuchQueue(claim.queue.clone()))?;
        let deadline = self.now.saturating_add(claim.wait);
        Ok((queue, Waits { client: None, deadline, want: Want::DueLetters(claim) }))
    }

    /// Does what nobody waits in, and what only the writer knows about it.
    fn operate(
        &mut self,
        request: Request,
        along: WriteKeys,
        op: OpContext,
        answers: &mut Answers,
    ) -> Result<Answer, StoreError> {
        let deleted = match &request {
            Request::DeleteQueue(delete) => self.state.number_of(&delete.name),
            _ => None,
        };
        let asked_about = match &request {
            Request::GetStats(stats) => self.state.number_of(&stats.queue),
            _ => None,
        };
        let mut answer = self.executor(op).execute(request, along)?;
        if let Some(queue) = deleted {
            let waited = self.waiting.take_queue(queue).into_iter().map(|waiter| waiter.reply);
            let kept = self.frozen_queues.end(queue).into_iter().map(|request| request.reply);
            answers.extend(waited.chain(kept).map(|reply| (reply, Err(StoreError::QueueGone))));
        }
        if let (Some(queue), Answer::Ready(Reply::GetStats(stats))) = (asked_about, &mut answer) {
            stats.waiting = self.waiting.count(queue) + self.frozen_queues.leases(queue);
        }
        Ok(answer)
    }

    /// Makes it durable, and only then tells anybody; whether it is durable.
    fn commit(&mut self, answers: Answers, purpose: Use) -> bool {
        if !self.facts.is_empty() {
            match self.persistence.keep(&mut self.state, &self.facts, purpose) {
                Ok(()) => self.is_unproven = true,
                Err(error) => {
                    self.fail(&error, answers);
                    return false;
                }
            }
        }
        self.vitals.damaged.store(self.state.damaged() as u64, Ordering::Relaxed);
        self.forgotten.tell(&mut self.state);
        self.release(answers);
        self.facts.clear();
        if let Persistence::Log(log) = &mut self.persistence {
            let has_made_room = log.tidy(&self.state);
            self.is_saving &= !has_made_room;
        }
        self.log_news();
        true
    }
}
