//! What earlier rows have decided about a piece of work.

use std::collections::HashMap;
use std::hash::Hash;

use super::BreakerConfig;

/// The verdicts on a bounded number of pieces of work: those that are oldest are forgotten.
#[derive(Debug, Clone)]
pub(super) struct PastVerdicts<W> {
    newer: HashMap<W, Past>,
    older: HashMap<W, Past>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Past {
    /// Outages that have charged the work nothing.
    forgiven: u8,
    /// The work was charged: it has failed while the destination served other work.
    was_charged: bool,
}

impl<W> Default for PastVerdicts<W> {
    fn default() -> Self {
        Self { newer: HashMap::new(), older: HashMap::new() }
    }
}

impl<W: Eq + Hash> PastVerdicts<W> {
    /// Half of the number of pieces of work.
    const HALF: usize = 5_000;

    fn of(&self, work: &W) -> Past {
        self.newer.get(work).or_else(|| self.older.get(work)).copied().unwrap_or_default()
    }

    fn note(&mut self, work: W, past: Past) {
        if self.newer.len() >= Self::HALF {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(work, past);
    }

    pub(super) fn was_charged(&self, work: &W) -> bool {
        self.of(work).was_charged
    }

    pub(super) fn charge(&mut self, work: W) {
        let past = self.of(&work);
        self.note(work, Past { was_charged: true, ..past });
    }

    /// Counts an outage for the work. Returns whether it is forgiven.
    pub(super) fn forgive(&mut self, work: W) -> bool {
        let past = self.of(&work);
        if past.forgiven >= BreakerConfig::OUTAGES_FORGIVEN {
            return false;
        }
        self.note(work, Past { forgiven: past.forgiven + 1, ..past });
        true
    }

    /// The destination has served the work.
    pub(super) fn forget(&mut self, work: &W) {
        if !self.is_empty() {
            self.newer.remove(work);
            self.older.remove(work);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.newer.is_empty() && self.older.is_empty()
    }
}
