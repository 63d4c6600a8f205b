//! How far the projection is, for statistics, metrics and whoever waits for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use metrics::{counter, gauge};
use redrive_core::{Span, Time};
use redrive_store::Clock;
use tokio::sync::watch;

use super::delivery::Delivered;
use super::reader::Outbox;

/// How the projection fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectionState {
    /// Everything that changed is in the index, or on its way.
    Ok,
    /// The index does not take anything; changes wait in the store.
    Down,
    /// It works, and more waits than fits one batch.
    #[default]
    CatchingUp,
}

impl ProjectionState {
    pub const ALL: [Self; 3] = [Self::Ok, Self::Down, Self::CatchingUp];

    /// The name in statistics and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Down => "down",
            Self::CatchingUp => "catching_up",
        }
    }
}

/// How far the index is that gets all letters of the store, since it had none of them or not all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefillProgress {
    /// Letters that were copied.
    pub done: u64,
    /// Letters that the store had when it began. More may come meanwhile, and some may go.
    pub total: u64,
}

/// The projection's numbers. What is counted is counted since the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectionNumbers {
    pub state: ProjectionState,
    /// How many letters wait to be written. Where somebody else reads the feed, too, what waits for him is counted.
    pub outbox_depth: u64,
    /// How old the oldest of them is.
    pub lag: Span,
    /// The position in the feed up to which the index has acknowledged everything.
    pub position: u64,
    pub indexed: u64,
    pub deleted: u64,
    /// Documents of which the index had the same or a newer version.
    pub conflicts: u64,
    /// Documents that the index did not take as they were, and that are there with less in them.
    pub quarantined: u64,
    /// Requests that failed, one after the other, until now.
    pub failures: u64,
    /// Times that nothing could be written, by why.
    pub failed: BTreeMap<&'static str, u64>,
    /// Why it is down. Nothing of a letter is in it.
    pub trouble: Option<String>,
    /// While the index is filled with what the store has.
    pub refill: Option<RefillProgress>,
}

/// Where the numbers are kept.
#[derive(Debug)]
pub(crate) struct Progress {
    numbers: watch::Sender<Inner>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Inner {
    numbers: ProjectionNumbers,
    behind_since: Option<Time>,
    /// There was nothing to do once: what waits has come since.
    has_caught_up: bool,
}

impl Inner {
    /// Something waits. When it came is known where it was waited for; at a start it is as old as the letter tells. A letter
    /// may be old and have changed a moment ago, so that counts only where nothing better is known, or is later.
    fn behind(&mut self, oldest: Option<Time>, now: Time) {
        let first = if self.has_caught_up { now } else { oldest.unwrap_or(now) };
        let since = self.behind_since.unwrap_or(first);
        self.behind_since = Some(oldest.map_or(since, |oldest| since.max(oldest.min(now))));
    }
}

impl Progress {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { numbers: watch::Sender::new(Inner::default()), clock }
    }

    pub(crate) fn numbers(&self) -> ProjectionNumbers {
        shown(&self.numbers.borrow(), self.clock.now())
    }

    /// Waits until the numbers are so.
    pub(crate) async fn until(&self, is_so: impl Fn(&ProjectionNumbers) -> bool) -> ProjectionNumbers {
        let mut receiver = self.numbers.subscribe();
        let now = || self.clock.now();
        match receiver.wait_for(|inner| is_so(&shown(inner, now()))).await {
            Ok(inner) => shown(&inner, now()),
            // Out of the question: the sender is ours.
            Err(_) => self.numbers(),
        }
    }

    /// Changes were read that the index does not have yet.
    pub(crate) fn read(&self, depth: usize, oldest: Option<Time>, is_last: bool) {
        let now = self.clock.now();
        self.change(|inner| {
            inner.numbers.outbox_depth = depth as u64;
            inner.behind(oldest, now);
            if !is_last && inner.numbers.state == ProjectionState::Ok {
                inner.numbers.state = ProjectionState::CatchingUp;
            }
        });
    }

    /// The index has taken some of them; or all, and then their number is told by the next look.
    pub(crate) fn delivered(&self, delivered: &Delivered) {
        let Delivered { indexed, deleted, conflicts, quarantined, .. } = delivered;
        let outcomes =
            [("indexed", indexed), ("deleted", deleted), ("conflict", conflicts), ("quarantined", quarantined)];
        for (outcome, count) in outcomes {
            counter!("redrive_search_documents_total", "outcome" => outcome).increment(*count);
        }
        self.change(|Inner { numbers, .. }| {
            numbers.indexed += indexed;
            numbers.deleted += deleted;
            numbers.conflicts += conflicts;
            numbers.quarantined += quarantined;
        });
    }

    /// Everything up to there is in the index.
    pub(crate) fn acknowledged(&self, position: u64, depth: usize, is_last: bool) {
        self.change(|Inner { numbers, behind_since, has_caught_up }| {
            numbers.position = position;
            numbers.outbox_depth = depth as u64;
            numbers.failures = 0;
            numbers.trouble = None;
            numbers.state = if is_last { ProjectionState::Ok } else { ProjectionState::CatchingUp };
            if is_last {
                *behind_since = None;
                *has_caught_up = true;
            }
        });
    }

    /// It works again, and what waits is yet to be seen.
    pub(crate) fn prepared(&self) {
        self.change(|Inner { numbers, .. }| {
            numbers.trouble = None;
            numbers.state = ProjectionState::CatchingUp;
            numbers.refill = None;
        });
    }

    /// The index takes letters, and is filled with what the store has.
    pub(crate) fn refilling(&self, refill: RefillProgress) {
        self.change(|Inner { numbers, .. }| {
            numbers.trouble = None;
            numbers.state = ProjectionState::CatchingUp;
            numbers.refill = Some(refill);
        });
    }

    pub(crate) fn failed(&self, label: &'static str, trouble: String, outbox: Option<Outbox>) {
        counter!("redrive_search_failures_total", "reason" => label).increment(1);
        let now = self.clock.now();
        self.change(|inner| {
            inner.numbers.failures += 1;
            *inner.numbers.failed.entry(label).or_default() += 1;
            inner.numbers.trouble = Some(trouble);
            inner.numbers.state = ProjectionState::Down;
            if let Some(Outbox { depth, oldest }) = outbox {
                inner.numbers.outbox_depth = depth as u64;
                if depth > 0 {
                    inner.behind(oldest, now);
                }
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        self.numbers.send_modify(change);
        let numbers = self.numbers();
        for state in ProjectionState::ALL {
            let is_this = if state == numbers.state { 1.0 } else { 0.0 };
            gauge!("redrive_search_state", "state" => state.as_str()).set(is_this);
        }
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a rough number")]
        gauge!("redrive_search_outbox_depth").set(numbers.outbox_depth as f64);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a rough number")]
        gauge!("redrive_search_lag_seconds").set(numbers.lag.as_micros() as f64 / 1e6);
    }
}

fn shown(inner: &Inner, now: Time) -> ProjectionNumbers {
    let lag = inner.behind_since.map_or(Span::ZERO, |since| now.since(since));
    ProjectionNumbers { lag, ..inner.numbers.clone() }
}
