//! A store under test, and the oracle that records the expected effects.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::Crash;
use redrive_model::{CreateQueue, Cursor, KeyWrite, QueueSettings, Rejection};
use redrive_store::{Clock as _, ManualClock, Reply, Request, Store, StoreError};

use super::look::{CursorBy, READER, look, look_at_letters};
use super::machine::{Machine, Wrap};
use super::oracle::{Checked, Effect, Found, Oracle, TestQueue, Timers, Unanswered};
use crate::rig::{self, Random, name, settings};

/// Short enough that leases sometimes expire within a history.
pub(super) const LEASE: Span = Span::from_secs(60);

#[derive(Debug)]
pub(super) struct Actor {
    pub(super) machine: Machine,
    pub(super) clock: ManualClock,
    pub(super) random: Random,
    pub(super) oracle: Oracle,
    pub(super) store: EmbeddedStore,
    /// The disk fails or is full: errors because of that are expected.
    pub(super) is_faulty: bool,
    /// The store has reported that its disk failed.
    pub(super) is_down: bool,
    /// Time has passed, and due timers may not have fired yet.
    pub(super) has_pending_timers: bool,
    pub(super) counts: HistoryCounts,
}

/// Counts events in histories: a test without compaction, for example, would prove nothing about it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HistoryCounts {
    pub(super) crashes: u64,
    pub(super) cuts: u64,
    pub(super) checkpoints: u64,
    pub(super) relocated: u64,
    pub(super) dropped: u64,
    pub(super) poisoned: u64,
    pub(super) rejected_full: u64,
    pub(super) unanswered: u64,
}

impl HistoryCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.crashes += other.crashes;
        self.cuts += other.cuts;
        self.checkpoints += other.checkpoints;
        self.relocated += other.relocated;
        self.dropped += other.dropped;
        self.poisoned += other.poisoned;
        self.rejected_full += other.rejected_full;
        self.unanswered += other.unanswered;
    }
}

impl Actor {
    /// A store with the queues of a history.
    pub(super) async fn new(seed: u64, wrap: Wrap) -> Checked<Self> {
        let machine = Machine::new(wrap);
        let clock = rig::clock();
        let mut random = Random::new(seed);
        let store = open(&machine, &clock, random.next()).map_err(|error| format!("a new store: {error}"))?;
        let actor = Self {
            machine,
            clock,
            random,
            oracle: Oracle::default(),
            store,
            is_faulty: false,
            is_down: false,
            has_pending_timers: false,
            counts: HistoryCounts::default(),
        };
        for test_queue in TestQueue::ALL {
            let created = actor.store.create_queue(CreateQueue { settings: queue_settings(test_queue) }).await;
            created.map_err(|error| format!("no queue: {error}"))?;
        }
        let register = Cursor::Register { name: READER.to_owned() };
        actor.store.cursor(register).await.map_err(|error| format!("no cursor: {error}"))?;
        Ok(actor)
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Submits an operation and records its effect. `None` if it was not done, or if that is unknown.
    pub(super) async fn submit(
        &mut self,
        operation: Request,
        along: Vec<KeyWrite>,
        effect: Effect,
    ) -> Checked<Option<Reply>> {
        let submitted = operation.clone();
        let was_poisoned = self.store.status().is_poisoned;
        match self.store.submit(operation, along).await {
            Ok(_) if was_poisoned => Err(format!("a store whose disk failed accepted {}", operation_name(&submitted))),
            Ok(reply) => {
                self.oracle.apply(effect);
                Ok(Some(reply))
            }
            Err(StoreError::Poisoned) if self.is_faulty => {
                self.is_down = true;
                if !was_poisoned {
                    self.oracle.unanswered.push(effect);
                    self.counts.unanswered += 1;
                }
                Ok(None)
            }
            Err(StoreError::Full) if self.is_faulty => {
                self.counts.rejected_full += 1;
                Ok(None)
            }
            Err(StoreError::TimedOut) => Ok(None),
            Err(StoreError::Rejected(rejection)) if is_expected(&rejection) => Ok(None),
            Err(error) => Err(format!("{} was answered with: {error}", operation_name(&submitted))),
        }
    }

    /// Compares everything the store shows with the oracle.
    pub(super) async fn check(&mut self) -> Checked {
        let was_poisoned = self.store.status().is_poisoned;
        let looked = self.settled_look(was_poisoned).await;
        let is_poisoned = self.store.status().is_poisoned;
        let found = match looked {
            // The store's upkeep met the fault during the look.
            _ if is_poisoned && !was_poisoned && self.is_faulty => {
                self.settled_look(true).await.map_err(|wrong| format!("{wrong} (after a failure)"))?
            }
            looked => {
                looked.map_err(|wrong| format!("{wrong} (disturbed: {}, {:?})", self.is_faulty, self.store.status()))?
            }
        };
        let unanswered = if is_poisoned { Unanswered::Absent } else { Unanswered::Either };
        self.oracle.compare(&found, unanswered, if self.is_faulty { Timers::Pending } else { Timers::Settled })?;
        match look_at_letters(&self.store, &self.oracle).await {
            Err(_) if self.is_faulty && !is_poisoned && self.store.status().is_poisoned => Ok(()),
            looked => looked,
        }
    }

    /// Looks until no more timers fire: one look consists of many reads at different times.
    async fn settled_look(&mut self, is_poisoned: bool) -> Checked<Found> {
        // Registering the cursor may write, and needs disk space for that.
        let is_known = is_poisoned || self.is_faulty;
        let cursor = if is_known { CursorBy::Known(self.oracle.cursor) } else { CursorBy::Registering };
        let mut before = look(&self.store, cursor).await;
        if !self.has_pending_timers {
            return before;
        }
        for _ in 0..1_000 {
            let after = look(&self.store, cursor).await;
            if matches!((&before, &after), (Ok(before), Ok(after)) if before == after) {
                self.has_pending_timers = self.is_faulty;
                return after;
            }
            before = after;
        }
        before.and(Err("timers keep firing".to_owned()))
    }

    /// Crashes the machine, or only the process, and reopens the store.
    pub(super) async fn crash(&mut self, crash: Crash) -> Checked {
        self.remember_status();
        let seed = self.random.next();
        self.machine.crash(crash, seed);
        self.oracle.forget_unanswered_leases();
        self.reopen().await
    }

    fn remember_status(&mut self) {
        let status = self.store.status();
        self.counts.crashes += 1;
        self.counts.checkpoints += status.checkpoints;
        self.counts.relocated += status.relocated;
        self.counts.dropped += status.dropped;
        self.counts.poisoned += u64::from(status.is_poisoned);
    }

    /// Reopens the store; the machine may crash again meanwhile.
    pub(super) async fn reopen(&mut self) -> Checked {
        for _ in 0..3 {
            if !self.random.chance(25) {
                break;
            }
            self.machine.disk.stop_after(self.random.below(12) as u64);
            let opened = open(&self.machine, &self.clock, self.random.next());
            let (crash, seed) = (self.some_crash(), self.random.next());
            self.machine.crash(crash, seed);
            drop(opened);
        }
        self.store =
            open(&self.machine, &self.clock, self.random.next()).map_err(|error| format!("opening failed: {error}"))?;
        self.counts.cuts += u64::from(self.store.report().cut.is_some());
        (self.is_faulty, self.is_down) = (false, false);
        self.check().await?;
        self.recreate_brief().await
    }

    /// Recreates the queue that histories sometimes remove, if it is missing.
    pub(super) async fn recreate_brief(&mut self) -> Checked {
        self.submit(create(TestQueue::Brief), Vec::new(), Effect::default()).await.map(|_| ())
    }

    /// Closes the store cleanly and then crashes the machine: nothing may depend on a later sync.
    pub(super) async fn close_and_reopen(&mut self) -> Checked {
        self.remember_status();
        self.store.close().await.map_err(|error| format!("closing failed: {error}"))?;
        let seed = self.random.next();
        self.machine.crash(Crash::LoseAll, seed);
        self.reopen().await
    }

    pub(super) fn some_crash(&mut self) -> Crash {
        let crashes = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly];
        crashes[self.random.below(crashes.len())]
    }
}

/// Whether a rejection is legitimate: the letter's status does not allow the operation, a letter of other work has its
/// source id, the name is taken, several large letters came at once, or a queue was removed and there was no disk space
/// to recreate it.
fn is_expected(rejection: &Rejection) -> bool {
    match rejection {
        Rejection::LetterConflict { .. }
        | Rejection::OtherPayload { .. }
        | Rejection::QueueExists(_)
        | Rejection::TooLarge { .. } => true,
        Rejection::NoSuchQueue(queue) => *queue == name(TestQueue::Brief.name()),
        _ => false,
    }
}

/// The name of the operation, without its payloads.
fn operation_name(operation: &Request) -> String {
    let text = format!("{operation:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

fn create(test_queue: TestQueue) -> Request {
    CreateQueue { settings: queue_settings(test_queue) }.into()
}

fn queue_settings(test_queue: TestQueue) -> QueueSettings {
    let mut settings = settings(test_queue.name());
    settings.lease_timeout = LEASE;
    settings.partitions = test_queue.partitions();
    settings.letters.completed_retention = Some(Span::from_secs(30));
    if test_queue == TestQueue::Fragile {
        settings.max_attempts = 2;
        settings.dead_queue = Some(name(TestQueue::Dead.name()));
    }
    settings
}

fn open(machine: &Machine, clock: &ManualClock, seed: u64) -> Result<EmbeddedStore, String> {
    let options = EmbeddedOptions { seed: Some(seed), clock: Arc::new(clock.clone()), ..rig::options(clock) };
    rig::open_with(machine.boot(), &options).map_err(|error| rig::error_chain(&error))
}
