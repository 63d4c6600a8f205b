//! The failures of a destination that are not decided.

use std::collections::HashMap;
use std::hash::Hash;

use super::{BreakerConfig, FailedCall};
use crate::MonotonicTime;

/// The pieces of work whose calls have failed, and that have no verdict yet.
#[derive(Debug, Clone)]
pub(super) struct Row<W> {
    /// When the first call failed since the destination last answered one; `None` if none has.
    pub(super) since: Option<MonotonicTime>,
    /// Number of pieces of work that failed since then, including those that were served while the destination was
    /// paused.
    pub(super) pieces: usize,
    /// Those of them that no earlier row has charged.
    pub(super) new_pieces: usize,
    /// The destination was known to be down when the row began.
    pub(super) is_known: bool,
    work: HashMap<W, FailedWork>,
    /// When the last piece of work joined the row.
    pub(super) grown_at: MonotonicTime,
    /// What the destination has asked for: it is not probed before.
    pub(super) not_before: MonotonicTime,
}

#[derive(Debug, Clone, Copy)]
struct FailedWork {
    /// Whether a call of it was sent.
    was_sent: bool,
    failed_at: MonotonicTime,
    /// Whether it has failed since the destination last answered a call.
    is_counted: bool,
    /// It was served in the pause, and is in the row only to be counted once.
    was_served: bool,
}

impl<W: Clone + Eq + Hash> Row<W> {
    /// Maximum number of pieces of work. Beyond it, the row does not grow.
    const PIECES_MAX: usize = 10_000;

    pub(super) fn new(now: MonotonicTime) -> Self {
        Self {
            since: None,
            pieces: 0,
            new_pieces: 0,
            is_known: false,
            work: HashMap::new(),
            grown_at: now,
            not_before: MonotonicTime::ZERO,
        }
    }

    /// Adds a failed call. `is_new` says that no earlier row has charged its work. Returns whether it is the first of its
    /// work.
    pub(super) fn add(&mut self, call: &FailedCall<'_, W>, is_new: bool, now: MonotonicTime) -> bool {
        self.since.get_or_insert(now);
        if let Some(hint) = call.retry_after {
            let not_before = now.saturating_add(hint.min(BreakerConfig::RETRY_AFTER_MAX));
            self.not_before = if now < self.not_before { self.not_before.min(not_before) } else { not_before };
        }
        if let Some(failed) = self.work.get_mut(call.work) {
            let is_first = std::mem::replace(&mut failed.was_served, false);
            failed.was_sent = call.was_sent || failed.was_sent && !is_first;
            failed.failed_at = now;
            if is_first {
                self.grown_at = now;
            }
            if !std::mem::replace(&mut failed.is_counted, true) {
                self.count(is_new);
            }
            return is_first;
        }
        if self.work.len() < Self::PIECES_MAX {
            let failed = FailedWork { was_sent: call.was_sent, failed_at: now, is_counted: true, was_served: false };
            self.work.insert(call.work.clone(), failed);
            self.count(is_new);
        }
        self.grown_at = now;
        true
    }

    fn count(&mut self, is_new: bool) {
        self.pieces += 1;
        self.new_pieces += usize::from(is_new);
    }

    /// Whether a call of the work was sent and has failed; `None` if the work is not in the row.
    pub(super) fn was_sent(&self, work: &W) -> Option<bool> {
        self.work.get(work).filter(|failed| !failed.was_served).map(|failed| failed.was_sent)
    }

    /// The pieces of work.
    pub(super) fn iter(&self) -> impl Iterator<Item = &W> {
        self.work.iter().filter(|(_, failed)| !failed.was_served).map(|(work, _)| work)
    }

    /// The destination has served the work.
    pub(super) fn remove(&mut self, work: &W) {
        if let Some(failed) = self.work.get_mut(work) {
            failed.was_served = true;
        }
    }

    /// The destination has served a call that began at this time. Returns the work that had failed by then, and whether a
    /// call of each was sent. What failed later is not decided by it.
    pub(super) fn served(&mut self, began_at: MonotonicTime) -> Vec<(W, bool)> {
        (self.since, self.pieces, self.new_pieces, self.is_known) = (None, 0, 0, false);
        self.not_before = MonotonicTime::ZERO;
        self.work.retain(|_, failed| !failed.was_served);
        let decided = self.work.extract_if(|_, failed| failed.failed_at <= began_at);
        let decided = decided.map(|(work, failed)| (work, failed.was_sent)).collect();
        self.work.values_mut().for_each(|failed| failed.is_counted = false);
        decided
    }

    /// Whether its pieces of work are as many as pause the destination.
    pub(super) fn is_full(&self, threshold: u32) -> bool {
        let charged = self.pieces - self.new_pieces;
        self.is_known || self.new_pieces + charged / BreakerConfig::CHARGED_PIECES >= threshold as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.work.is_empty()
    }
}
