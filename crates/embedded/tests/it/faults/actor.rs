//! A store that is used, and the oracle that is told of it.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::Crash;
use redrive_model::{CreateQueue, Cursor, KeyWrite, QueueSettings, Rejection};
use redrive_store::{Clock as _, ManualClock, Reply, Request, Store, StoreError};

use super::look::{CursorBy, READER, look, look_at_letters};
use super::machine::{Machine, Wrap};
use super::oracle::{Checked, Effect, Found, Home, Oracle, Rest, Unsure};
use crate::rig::{self, Random, name, settings};

/// Leases end within a history, now and then.
pub(super) const LEASE: Span = Span::from_secs(60);

#[derive(Debug)]
pub(super) struct Actor {
    pub(super) machine: Machine,
    pub(super) clock: ManualClock,
    pub(super) random: Random,
    pub(super) oracle: Oracle,
    pub(super) store: EmbeddedStore,
    /// Something on the disk fails, or is full: a refusal for want of room is no surprise.
    pub(super) is_disturbed: bool,
    /// The store said that its disk failed.
    pub(super) is_down: bool,
    /// Time has passed, and what it brings may not have happened yet.
    pub(super) is_restless: bool,
    pub(super) tally: Tally,
}

/// What histories went through: a test that never meets compaction proves nothing about it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) crashes: u64,
    pub(super) cuts: u64,
    pub(super) sweeps: u64,
    pub(super) relocated: u64,
    pub(super) dropped: u64,
    pub(super) poisoned: u64,
    pub(super) refused_full: u64,
    pub(super) unsure: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.crashes += other.crashes;
        self.cuts += other.cuts;
        self.sweeps += other.sweeps;
        self.relocated += other.relocated;
        self.dropped += other.dropped;
        self.poisoned += other.poisoned;
        self.refused_full += other.refused_full;
        self.unsure += other.unsure;
    }
}

impl Actor {
    /// A store with the queues of a history, all of it acknowledged.
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
            is_disturbed: false,
            is_down: false,
            is_restless: false,
            tally: Tally::default(),
        };
        for home in Home::ALL {
            let created = actor.store.create_queue(CreateQueue { settings: queue_settings(home) }).await;
            created.map_err(|error| format!("no queue: {error}"))?;
        }
        let register = Cursor::Register { name: READER.to_owned() };
        actor.store.cursor(register).await.map_err(|error| format!("no cursor: {error}"))?;
        Ok(actor)
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Does an operation, and tells the oracle. `None` when it was not done, or is not known to be.
    pub(super) async fn submit(
        &mut self,
        operation: Request,
        along: Vec<KeyWrite>,
        effect: Effect,
    ) -> Checked<Option<Reply>> {
        let asked = operation.clone();
        let was_poisoned = self.store.status().is_poisoned;
        match self.store.submit(operation, along).await {
            Ok(_) if was_poisoned => Err(format!("a store whose disk failed took {}", word_of(&asked))),
            Ok(reply) => {
                self.oracle.apply(effect);
                Ok(Some(reply))
            }
            Err(StoreError::Poisoned) if self.is_disturbed => {
                self.is_down = true;
                if !was_poisoned {
                    self.oracle.unsure.push(effect);
                    self.tally.unsure += 1;
                }
                Ok(None)
            }
            Err(StoreError::Full) if self.is_disturbed => {
                self.tally.refused_full += 1;
                Ok(None)
            }
            Err(StoreError::TimedOut) => Ok(None),
            Err(StoreError::Rejected(refusal)) if is_right(&refusal) => Ok(None),
            Err(error) => Err(format!("{} was answered with: {error}", word_of(&asked))),
        }
    }

    /// Compares all that the store shows with what is known.
    pub(super) async fn check(&mut self) -> Checked {
        let was_poisoned = self.store.status().is_poisoned;
        let looked = self.quiet_look(was_poisoned).await;
        let is_poisoned = self.store.status().is_poisoned;
        let found = match looked {
            // The store's own upkeep met the fault while it was looked at.
            _ if is_poisoned && !was_poisoned && self.is_disturbed => {
                self.quiet_look(true).await.map_err(|wrong| format!("{wrong} (after a failure)"))?
            }
            looked => looked
                .map_err(|wrong| format!("{wrong} (disturbed: {}, {:?})", self.is_disturbed, self.store.status()))?,
        };
        let unsure = if is_poisoned { Unsure::Absent } else { Unsure::Either };
        self.oracle.compare(&found, unsure, if self.is_disturbed { Rest::Held } else { Rest::Quiet })?;
        match look_at_letters(&self.store, &self.oracle).await {
            Err(_) if self.is_disturbed && !is_poisoned && self.store.status().is_poisoned => Ok(()),
            looked => looked,
        }
    }

    /// Looks until nothing happens by itself any more: one look is many reads, and each of them sees its own moment.
    async fn quiet_look(&mut self, is_poisoned: bool) -> Checked<Found> {
        // Asking where a reader stands may write, and needs room for that.
        let is_known = is_poisoned || self.is_disturbed;
        let cursor = if is_known { CursorBy::Knowing(self.oracle.cursor) } else { CursorBy::Asking };
        let mut before = look(&self.store, cursor).await;
        if !self.is_restless {
            return before;
        }
        for _ in 0..1_000 {
            let after = look(&self.store, cursor).await;
            if matches!((&before, &after), (Ok(before), Ok(after)) if before == after) {
                self.is_restless = self.is_disturbed;
                return after;
            }
            before = after;
        }
        before.and(Err("it does not come to rest".to_owned()))
    }

    /// The machine, or the process alone, stops now.
    pub(super) async fn crash(&mut self, crash: Crash) -> Checked {
        self.remember_status();
        let seed = self.random.next();
        self.machine.crash(crash, seed);
        self.oracle.forget_unsure_leases();
        self.reopen().await
    }

    fn remember_status(&mut self) {
        let status = self.store.status();
        self.tally.crashes += 1;
        self.tally.sweeps += status.sweeps;
        self.tally.relocated += status.relocated;
        self.tally.dropped += status.dropped;
        self.tally.poisoned += u64::from(status.is_poisoned);
    }

    /// Starts again; it may stop again while it starts.
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
        self.store = open(&self.machine, &self.clock, self.random.next())
            .map_err(|error| format!("it does not open: {error}"))?;
        self.tally.cuts += u64::from(self.store.report().cut.is_some());
        (self.is_disturbed, self.is_down) = (false, false);
        self.check().await?;
        self.make_brief().await
    }

    /// The queue that is removed now and then is made again, if it was just removed.
    pub(super) async fn make_brief(&mut self) -> Checked {
        self.submit(create(Home::Brief), Vec::new(), Effect::default()).await.map(|_| ())
    }

    /// Ends the store in order, and then the machine: nothing may depend on a second sync.
    pub(super) async fn close_and_reopen(&mut self) -> Checked {
        self.remember_status();
        self.store.close().await.map_err(|error| format!("it does not close: {error}"))?;
        let seed = self.random.next();
        self.machine.crash(Crash::LoseAll, seed);
        self.reopen().await
    }

    pub(super) fn some_crash(&mut self) -> Crash {
        let crashes = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly];
        crashes[self.random.below(crashes.len())]
    }
}

/// A letter is in a state in which this is not done, a name is taken, several large letters came at once, or a queue was
/// removed and there was no room to make it again: right, and nothing happened.
fn is_right(refusal: &Rejection) -> bool {
    match refusal {
        Rejection::LetterConflict { .. } | Rejection::QueueExists(_) | Rejection::TooLarge { .. } => true,
        Rejection::NoSuchQueue(queue) => *queue == name(Home::Brief.name()),
        _ => false,
    }
}

/// The operation's name alone: payloads say nothing to whoever reads of a failure.
fn word_of(operation: &Request) -> String {
    let text = format!("{operation:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

fn create(home: Home) -> Request {
    CreateQueue { settings: queue_settings(home) }.into()
}

fn queue_settings(home: Home) -> QueueSettings {
    let mut settings = settings(home.name());
    settings.lease_timeout = LEASE;
    settings.partitions = home.partitions();
    settings.letters.completed_retention = Some(Span::from_secs(30));
    if home == Home::Fragile {
        settings.max_attempts = 2;
        settings.dead_queue = Some(name(Home::Dead.name()));
    }
    settings
}

fn open(machine: &Machine, clock: &ManualClock, seed: u64) -> Result<EmbeddedStore, String> {
    let options = EmbeddedOptions { seed: Some(seed), clock: Arc::new(clock.clone()), ..rig::options(clock) };
    rig::open_with(machine.boot(), &options).map_err(|error| rig::told(&error))
}
