//! Progress of the projection, for statistics, metrics and waiting callers.

use std::collections::BTreeMap;
use std::sync::Arc;

use metrics::{counter, gauge};
use redrive_core::{Span, Time};
use redrive_store::Clock;
use tokio::sync::watch;

use super::delivery::Delivered;
use super::reader::Outbox;

/// State of the projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectionState {
    /// All changes are in the index or being sent.
    Ok,
    /// The index accepts nothing; changes wait in the store.
    Down,
    /// The index accepts changes, and more are waiting than fit one batch.
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

/// Progress of filling an incomplete index with all letters of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefillProgress {
    /// Copied letters.
    pub done: u64,
    /// Letters in the store when the refill began. Letters may be added and removed meanwhile.
    pub total: u64,
}

/// The numbers of the projection. Counters begin at its start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectionNumbers {
    pub state: ProjectionState,
    /// Letters waiting to be written. Letters waiting for other readers of the feed are included.
    pub outbox_depth: u64,
    /// Age of the oldest waiting change.
    pub lag: Span,
    /// The position in the feed up to which the index has acknowledged everything.
    pub position: u64,
    pub indexed: u64,
    pub deleted: u64,
    /// Documents of which the index had the same or a newer version.
    pub conflicts: u64,
    /// Documents that the index rejected, and that were written with reduced content.
    pub quarantined: u64,
    /// Consecutive failures.
    pub failures: u64,
    /// Failures by reason.
    pub failed: BTreeMap<&'static str, u64>,
    /// Why it is down. Contains no data of letters.
    pub trouble: Option<String>,
    /// Set while the index is filled from the store.
    pub refill: Option<RefillProgress>,
}

/// Holds the numbers and publishes their changes.
#[derive(Debug)]
pub(crate) struct Progress {
    numbers: watch::Sender<Inner>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Inner {
    numbers: ProjectionNumbers,
    behind_since: Option<Time>,
    /// All changes were sent at least once, so the waiting ones are newer than that.
    has_caught_up: bool,
}

impl Inner {
    /// Records that changes are waiting. Their age is known if the projection had caught up before; at a start it is
    /// the time stored in the letter. An old letter may have changed a moment ago, so that time is used only if nothing
    /// better is known, or if it is later.
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
        snapshot(&self.numbers.borrow(), self.clock.now())
    }

    /// Waits until a condition holds.
    pub(crate) async fn until(&self, condition: impl Fn(&ProjectionNumbers) -> bool) -> ProjectionNumbers {
        let mut receiver = self.numbers.subscribe();
        let now = || self.clock.now();
        match receiver.wait_for(|inner| condition(&snapshot(inner, now()))).await {
            Ok(inner) => snapshot(&inner, now()),
            // Cannot happen: this owns the sender.
            Err(_) => self.numbers(),
        }
    }

    /// Records that changes were read that the index does not have yet.
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

    /// Records the outcome of sending changes. The next read updates their number.
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

    /// Records that everything up to a position is in the index.
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

    /// Records that the index is ready; the waiting changes are not known yet.
    pub(crate) fn prepared(&self) {
        self.change(|Inner { numbers, .. }| {
            numbers.trouble = None;
            numbers.state = ProjectionState::CatchingUp;
            numbers.refill = None;
        });
    }

    /// Records the progress of filling the index from the store.
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
        #[expect(clippy::cast_precision_loss, reason = "a gauge may be imprecise")]
        gauge!("redrive_search_outbox_depth").set(numbers.outbox_depth as f64);
        #[expect(clippy::cast_precision_loss, reason = "a gauge may be imprecise")]
        gauge!("redrive_search_lag_seconds").set(numbers.lag.as_micros() as f64 / 1e6);
    }
}

fn snapshot(inner: &Inner, now: Time) -> ProjectionNumbers {
    let lag = inner.behind_since.map_or(Span::ZERO, |since| now.since(since));
    ProjectionNumbers { lag, ..inner.numbers.clone() }
}
