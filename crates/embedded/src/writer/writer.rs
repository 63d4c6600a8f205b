//! The single writer.
//!
//! It takes the waiting requests, executes all of them in memory, makes their facts durable with one sync, and then
//! sends the answers. No change is visible to callers before it is durable; a read, too, waits until what it saw is
//! durable.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender};

use redrive_core::{MonotonicTime, QueueName, Span, SplitMix64};
use redrive_journal::Use;
use redrive_model::{Lease, OpContext, Rejection, WriteKeys};
use redrive_queue::{Facts, Relocate, State, Tick};
use redrive_store::{Clock, Reply, Request, StoreError};
use tokio::sync::watch;

use super::sizes::{bytes_of_all, relocation_bytes};
use super::{Limits, ReadAheadRuns};
use crate::answer::Answer;
use crate::feed_waiters::FeedWaiters;
#[cfg(feature = "test-mode")]
use crate::frozen_queues::FrozenQueues;
use crate::lease_waiters::{LeaseWaiters, WaitFor, Waiter};
use crate::message::{Message, QueuedRequest};
use crate::operations::Executor;
use crate::options::LiveStatus;
use crate::persistence::Persistence;
use crate::readers::{DamagedAnswer, Readers};
use crate::reply::{AbandonedLeases, ReplyTo};
use crate::retention_notices::RetentionNotices;

#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) state: State,
    pub(crate) persistence: Persistence,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) abandoned: Arc<AbandonedLeases>,
    pub(crate) readers: Readers,
    /// Answers that are sent after their damaged items were set aside.
    pub(crate) damaged: VecDeque<DamagedAnswer>,
    pub(crate) read_ahead_runs: ReadAheadRuns,
    pub(crate) clock: Arc<dyn Clock>,
    /// The start of the batch. Deadlines of waiting requests are compared with it.
    pub(crate) now: MonotonicTime,
    pub(crate) random: SplitMix64,
    pub(crate) limits: Limits,
    pub(crate) status: Arc<LiveStatus>,
    pub(crate) facts: Facts,
    pub(crate) waiting: LeaseWaiters,
    pub(crate) listening: FeedWaiters,
    pub(crate) retention_notices: Arc<RetentionNotices>,
    /// Messages that are processed before the inbox, for example one that did not fit into the last batch.
    pub(crate) deferred: VecDeque<Message>,
    #[cfg(feature = "test-mode")]
    pub(crate) frozen_queues: FrozenQueues,
    /// Requests that free space and wait on a full disk, for the checkpoint or for earlier requests.
    pub(crate) held_back: Vec<QueuedRequest>,
    pub(crate) mode: Mode,
    /// Documents to be rewritten for which the last batch had no space.
    pub(crate) postponed: Option<Relocation>,
    /// Queues with items and waiting requests that the last batch could not serve within its limits.
    pub(crate) unserved: BTreeSet<u32>,
    /// The last batch had no space for upkeep: the next one does only upkeep.
    pub(crate) owes_upkeep: bool,
    /// There is no disk space even for upkeep.
    pub(crate) is_stuck: bool,
    /// The disk is full and waiting requests are not served: the remaining space is needed to free some.
    pub(crate) is_saving: bool,
    /// The last batch has not been proven by a later one.
    pub(crate) is_unproven: bool,
    pub(crate) idle_proof: Span,
    /// The result of closing the store, once it is closed.
    pub(crate) closed: watch::Sender<Option<Result<(), StoreError>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Working,
    /// The disk failed: only reads of acknowledged data are possible.
    ReadOnly,
    /// The disk failed, and the acknowledged state could not be read from it: all requests fail.
    Unavailable,
}

/// The work of one batch.
#[derive(Debug, Default)]
pub(super) struct WriteBatch {
    pub(super) requests: Vec<QueuedRequest>,
    pub(super) relocations: Vec<Relocation>,
    /// Whether the store closes after this batch.
    pub(super) is_last: bool,
}

#[derive(Debug)]
pub(crate) struct Relocation {
    pub(super) documents: Vec<Relocate>,
    pub(super) done: SyncSender<bool>,
}

pub(super) type Answers = Vec<(ReplyTo, Result<Answer, StoreError>)>;

impl Writer {
    /// Processes batches until the store is closed.
    pub(crate) fn run(mut self) {
        loop {
            let WriteBatch { requests, relocations, is_last } = self.gather();
            self.work(requests, relocations);
            if is_last {
                return self.close();
            }
        }
    }

    /// Processes one batch.
    pub(super) fn work(&mut self, mut requests: Vec<QueuedRequest>, mut relocations: Vec<Relocation>) {
        relocations.extend(self.postponed.take());
        self.cache_read_ahead();
        self.damaged.extend(self.readers.damaged.take());
        LiveStatus::add(&self.status.requests, requests.len() as u64);
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
        let (requests, budget) = self.admit(requests, &relocations, &mut answers);
        if budget.for_checkpoint
            && let Persistence::Log(log) = &mut self.persistence
        {
            log.write_checkpoint(&mut self.state, batch, &mut self.facts);
        }
        if budget.for_upkeep {
            Tick { limit: self.limits.transitions }.apply(&mut self.state, op, &mut self.facts);
        }
        // If there is no disk space for upkeep, requests cannot wait for what is due.
        let is_current = !self.state.has_due(op.now) || !(budget.for_upkeep || self.owes_upkeep);
        let requests = if is_current { requests } else { self.hold_back_for_due(requests) };
        if budget.for_upkeep {
            self.set_aside(op, &mut answers);
        } else {
            self.answer_damaged();
        }
        let is_relocating = budget.for_upkeep && self.may_relocate(&relocations);
        if is_relocating {
            self.relocate(&relocations, op);
        }
        // A lease that does not wait still gets what is due.
        self.dismiss_expired(|deadline| is_current && deadline < now, &mut answers);
        // Within a batch, other requests (such as produces) come first, then waiting leases, then settlements.
        let (settles, others): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| matches!(request.request, Request::Settle(_)));
        let mut requested = BTreeSet::new();
        for request in others {
            self.request(request, op, &mut requested, &mut answers);
        }
        let mut left = budget.for_leases;
        self.serve(requested, &mut left, op, &mut answers);
        for request in settles {
            self.request(request, op, &mut BTreeSet::new(), &mut answers);
        }
        self.serve(BTreeSet::new(), &mut left, op, &mut answers);
        self.dismiss_expired(|deadline| is_current && deadline <= now, &mut answers);
        self.answer_listeners(op, &mut answers);
        let is_kept = self.commit(answers, budget.purpose);
        if self.owes_upkeep && !budget.for_upkeep {
            // The compactor sends one at a time.
            self.postponed = relocations.pop();
        }
        for Relocation { done, .. } in relocations {
            // The compactor may have ended.
            let _gone = done.send(is_kept && is_relocating);
        }
    }

    /// Holds statistics back until everything due has been applied, and returns the other requests.
    fn hold_back_for_due(&mut self, requests: Vec<QueuedRequest>) -> Vec<QueuedRequest> {
        let (waiting, others): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| matches!(request.request, Request::GetStats(_)));
        self.held_back.extend(waiting);
        others
    }

    /// The size of the batch if callers wait for it, so that checkpoint pieces in it stay small. `None` if no caller
    /// waits, or if the disk is full: work that frees space then comes first.
    pub(super) fn busy_bytes(&self, requests: &[QueuedRequest]) -> Option<usize> {
        let is_full = self.status.is_full.load(Ordering::Relaxed);
        (!requests.is_empty() && !is_full).then(|| bytes_of_all(requests))
    }

    fn may_relocate(&self, relocations: &[Relocation]) -> bool {
        let bytes: usize = relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum();
        matches!(&self.persistence, Persistence::Log(log) if log.may_relocate(&self.state, bytes as u64))
    }

    fn relocate(&mut self, relocations: &[Relocation], op: OpContext) {
        for document in relocations.iter().flat_map(|relocation| &relocation.documents) {
            let is_held = document.clone().apply(&mut self.state, op, &mut self.facts);
            LiveStatus::add(&self.status.relocated, u64::from(is_held));
        }
    }

    pub(super) fn executor(&mut self, op: OpContext) -> Executor<'_> {
        Executor { state: &mut self.state, facts: &mut self.facts, persistence: &self.persistence, op }
    }

    /// Executes a request, or makes it wait.
    fn request(&mut self, request: QueuedRequest, op: OpContext, requested: &mut BTreeSet<u32>, answers: &mut Answers) {
        let QueuedRequest { request, along, reply, .. } = request;
        match request {
            Request::Lease(_) | Request::ClaimDue(_) if !along.is_empty() => {
                answers.push((reply, Err(Rejection::KeysNotAllowed.into())));
            }
            Request::Lease(_) | Request::ClaimDue(_) if self.waiting.is_full() => {
                answers.push((reply, Err(StoreError::Overloaded)));
            }
            Request::Lease(Lease { queue, client_id, spec, wait }) => {
                let deadline = self.now.saturating_add(wait);
                let waiter = Waiter { client: client_id, deadline, wait_for: WaitFor::Items(spec), reply };
                self.wait(self.state.number_of(&queue).ok_or(queue), waiter, requested, answers);
            }
            Request::ClaimDue(claim) => {
                let queue = self.state.number_of(&claim.queue).ok_or_else(|| claim.queue.clone());
                let deadline = self.now.saturating_add(claim.wait);
                let waiter = Waiter { client: None, deadline, wait_for: WaitFor::DueLetters(claim), reply };
                self.wait(queue, waiter, requested, answers);
            }
            Request::ReadChanges(request) => self.listen(request, along, reply, op, answers),
            request => {
                let answer = self.operate(request, WriteKeys { writes: along }, op, answers);
                answers.push((reply, answer));
            }
        }
    }

    /// Makes a lease or claim wait on its queue; the error is the name of one that does not exist.
    fn wait(
        &mut self,
        queue: Result<u32, QueueName>,
        waiter: Waiter,
        requested: &mut BTreeSet<u32>,
        answers: &mut Answers,
    ) {
        let checked = waiter.wait_for.check().and_then(|()| queue.map_err(Rejection::NoSuchQueue));
        let checked = checked.and_then(|queue| self.check_client(queue, waiter.client.as_deref()).map(|()| queue));
        match checked {
            Ok(queue) => {
                self.waiting.add(queue, waiter);
                requested.insert(queue);
            }
            Err(rejection) => answers.push((waiter.reply, Err(rejection.into()))),
        }
    }

    /// Executes a request that does not wait, including the parts that concern waiting requests.
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
        let stats_queue = match &request {
            Request::GetStats(stats) => self.state.number_of(&stats.queue),
            _ => None,
        };
        let mut answer = self.executor(op).execute(request, along)?;
        if let Some(queue) = deleted {
            let waited = self.waiting.take_queue(queue).into_iter().map(|waiter| waiter.reply);
            #[cfg(feature = "test-mode")]
            let waited = waited.chain(self.frozen_queues.unfreeze(queue).into_iter().map(|request| request.reply));
            answers.extend(waited.map(|reply| (reply, Err(StoreError::QueueGone))));
        }
        if let (Some(queue), Answer::Ready(Reply::GetStats(stats))) = (stats_queue, &mut answer) {
            stats.waiting = self.waiting.count(queue);
            #[cfg(feature = "test-mode")]
            {
                stats.waiting += self.frozen_queues.leases(queue);
            }
        }
        Ok(answer)
    }

    /// Makes the batch durable and then sends the answers. Returns whether it is durable.
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
        self.status.damaged.store(self.state.damaged() as u64, Ordering::Relaxed);
        self.retention_notices.publish(&mut self.state);
        self.release(answers);
        self.facts.clear();
        if let Persistence::Log(log) = &mut self.persistence {
            let has_freed_space = log.tidy(&self.state);
            self.is_saving &= !has_freed_space;
        }
        self.log_events();
        true
    }
}
