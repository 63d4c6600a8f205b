//! The breakers of a runner, and what they mean for its claims.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use redrive_core::{BreakerChange, BreakerConfig, Breakers, KeyedPermit, MonotonicTime};

use super::judge::Learned;

/// One breaker a destination. What follows from them is worked out when one of them changed or its time has come, not
/// at every turn: there may be a thousand.
#[derive(Debug)]
pub(super) struct Gates {
    breakers: Breakers<Arc<str>>,
    /// Destinations whose breaker is not closed.
    pub(super) not_closed: Vec<Arc<str>>,
    /// Those of them that may be tried again now.
    pub(super) may_be_tried: Vec<Arc<str>>,
    /// When another of them may be.
    next: Option<MonotonicTime>,
    is_stale: bool,
}

impl Gates {
    pub(super) fn new(config: BreakerConfig, destinations: NonZeroUsize) -> Self {
        let breakers = Breakers::new(config, destinations);
        Self { breakers, not_closed: Vec::new(), may_be_tried: Vec::new(), next: None, is_stale: false }
    }

    /// Asks for one call to a destination: a permit, or until when there is none.
    pub(super) fn admit(&mut self, destination: &Arc<str>, now: MonotonicTime) -> Result<KeyedPermit, MonotonicTime> {
        self.is_stale |= !self.not_closed.is_empty();
        self.breakers.admit(destination, now)
    }

    /// Reports what a call has shown.
    pub(super) fn learn(
        &mut self,
        destination: &Arc<str>,
        permit: KeyedPermit,
        learned: Learned,
        now: MonotonicTime,
    ) -> Option<BreakerChange> {
        let change = match learned {
            Learned::Answers => self.breakers.succeeded(destination, permit),
            Learned::Fails(category) => self.breakers.failed(destination, permit, category, now),
            Learned::Nothing => {
                self.breakers.abandoned(destination, permit);
                None
            }
        };
        self.is_stale |= change.is_some() || !self.not_closed.is_empty();
        change
    }

    /// Works out what may be claimed now.
    pub(super) fn look(&mut self, now: MonotonicTime) {
        if !self.is_stale && self.next.is_none_or(|next| now < next) {
            return;
        }
        let held: BTreeSet<(&Arc<str>, MonotonicTime)> = self.breakers.held(now).collect();
        let is_held = |destination: &Arc<str>| {
            held.range((destination, MonotonicTime::ZERO)..).next().is_some_and(|(first, _)| *first == destination)
        };
        self.may_be_tried = self.breakers.not_closed().filter(|destination| !is_held(destination)).cloned().collect();
        self.next = held.iter().map(|(_, until)| *until).min();
        self.not_closed = self.breakers.not_closed().cloned().collect();
        self.is_stale = false;
    }

    /// When to look again, if nothing changes before.
    pub(super) const fn next(&self) -> Option<MonotonicTime> {
        self.next
    }

    /// Destinations that are not called now.
    pub(super) fn held(&self, now: MonotonicTime) -> Vec<Arc<str>> {
        self.breakers.held(now).map(|(destination, _)| Arc::clone(destination)).collect()
    }
}
