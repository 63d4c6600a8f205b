//! The circuit breakers of a runner, and the destinations that its claims may cover.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;

use redrive_core::{BreakerChange, BreakerConfig, BreakerState, Breakers, KeyedPermit, MonotonicTime, Time};

use super::clock_reading::ClockReading;
use super::judge::BreakerSignal;
use super::{DestinationHealth, RunnerTrouble};

/// One breaker per destination. The lists for the claims are computed when a breaker changed or may be probed, not at
/// every iteration of the loop: there may be a thousand breakers.
#[derive(Debug)]
pub(super) struct DestinationBreakers {
    /// `None` without breakers: every call is permitted.
    breakers: Option<Breakers<Arc<str>>>,
    /// Destinations whose breaker is not closed.
    pub(super) not_closed: Vec<Arc<str>>,
    /// Those of them that may be probed now.
    pub(super) may_be_probed: Vec<Arc<str>>,
    /// When the next of them may be probed.
    next: Option<MonotonicTime>,
    is_stale: bool,
    /// The destinations whose last call failed.
    troubles: HashMap<Arc<str>, RunnerTrouble>,
    /// When the breakers opened that are not closed.
    opened: HashMap<Arc<str>, MonotonicTime>,
}

impl DestinationBreakers {
    /// The next call of a destination in `down` is a probe.
    pub(super) fn new(config: Option<BreakerConfig>, destinations: NonZeroUsize, down: &[Arc<str>]) -> Self {
        let mut breakers = config.map(|config| Breakers::new(config, destinations));
        if let Some(breakers) = &mut breakers {
            down.iter().for_each(|destination| breakers.reopen(destination));
        }
        Self {
            breakers,
            not_closed: Vec::new(),
            may_be_probed: Vec::new(),
            next: None,
            is_stale: true,
            troubles: HashMap::new(),
            opened: HashMap::new(),
        }
    }

    /// Asks for a permit for one call to a destination; without breakers, none is needed. The error is the time until
    /// which there is none.
    pub(super) fn admit(
        &mut self,
        destination: &Arc<str>,
        now: MonotonicTime,
    ) -> Result<Option<KeyedPermit>, MonotonicTime> {
        self.is_stale |= !self.not_closed.is_empty();
        self.breakers.as_mut().map(|breakers| breakers.admit(destination, now)).transpose()
    }

    /// Reports the result of a call.
    pub(super) fn report(
        &mut self,
        destination: &Arc<str>,
        permit: KeyedPermit,
        signal: BreakerSignal,
        now: MonotonicTime,
    ) -> Option<BreakerChange> {
        let breakers = self.breakers.as_mut()?;
        let change = match signal {
            BreakerSignal::Success => breakers.succeeded(destination, permit),
            BreakerSignal::Failure(category) => breakers.failed(destination, permit, category, now),
            BreakerSignal::Inconclusive => {
                breakers.abandoned(destination, permit);
                None
            }
        };
        self.is_stale |= change.is_some() || !self.not_closed.is_empty();
        if let Some(change) = change {
            self.note_change(destination, change, now);
        }
        change
    }

    /// Notes when a breaker has opened: it stays open for whoever waits for it while probes of it fail.
    fn note_change(&mut self, destination: &Arc<str>, change: BreakerChange, now: MonotonicTime) {
        let Some(breakers) = &self.breakers else { return };
        if change.to == BreakerState::Closed {
            self.opened.remove(destination);
        } else if !self.opened.contains_key(destination) {
            retain_known(breakers, &mut self.opened);
            self.opened.insert(Arc::clone(destination), now);
        }
    }

    /// Notes the result of a call: `error` is that of a failure for which the destination is to blame.
    pub(super) fn note(&mut self, destination: &Arc<str>, error: Option<&str>, now: Time) {
        let Some(breakers) = &self.breakers else { return };
        let Some(error) = error else {
            if !self.troubles.is_empty() {
                self.troubles.remove(destination);
            }
            return;
        };
        if let Some(trouble) = self.troubles.get_mut(destination) {
            error.clone_into(&mut trouble.error);
            return;
        }
        retain_known(breakers, &mut self.troubles);
        self.troubles.insert(Arc::clone(destination), RunnerTrouble { since: now, error: error.to_owned() });
    }

    /// Since when calls of a destination fail.
    pub(super) fn failing_since(&self, destination: &Arc<str>) -> Option<Time> {
        self.troubles.get(destination).map(|trouble| trouble.since)
    }

    pub(super) fn contains(&self, destination: &Arc<str>) -> bool {
        self.breakers.as_ref().is_some_and(|breakers| breakers.contains(destination))
    }

    /// Removes destinations that the breakers have evicted, if there may be many.
    pub(super) fn retain_known<T>(&self, of_destinations: &mut HashMap<Arc<str>, T>) {
        if let Some(breakers) = &self.breakers {
            retain_known(breakers, of_destinations);
        }
    }

    /// Whether the breaker has changed its state since the call was admitted; `None` if it was evicted since then.
    pub(super) fn has_changed_since(&self, destination: &Arc<str>, permit: &KeyedPermit) -> Option<bool> {
        self.breakers.as_ref()?.has_changed_since(destination, permit)
    }

    /// Whether the next counted failure opens the breaker.
    pub(super) fn is_about_to_open(&self, destination: &Arc<str>) -> bool {
        self.breakers.as_ref().is_some_and(|breakers| breakers.is_about_to_open(destination))
    }

    /// When the open time of the breaker ends; `None` if it is not open.
    pub(super) fn open_until(&self, destination: &Arc<str>, now: MonotonicTime) -> Option<MonotonicTime> {
        self.breakers.as_ref()?.open_until(destination, now)
    }

    /// The health of the known destinations, by name.
    pub(super) fn health(&self, now: ClockReading) -> Vec<DestinationHealth> {
        let states = self.breakers.iter().flat_map(|breakers| breakers.states(now.monotonic));
        let opened = |name| self.opened.get(name).map(|at| now.time.saturating_sub(now.monotonic.since(*at)));
        let mut destinations: Vec<DestinationHealth> = states
            .map(|(name, breaker, until)| DestinationHealth {
                name: Arc::clone(name),
                breaker,
                open_since: if breaker == BreakerState::Closed { None } else { opened(name) },
                next_probe_at: until.map(|until| now.time_at(until)),
                trouble: self.troubles.get(name).cloned(),
            })
            .collect();
        destinations.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        destinations
    }

    /// Computes which destinations may be claimed and probed now.
    pub(super) fn refresh(&mut self, now: MonotonicTime) {
        let Some(breakers) = &self.breakers else { return };
        if !self.is_stale && self.next.is_none_or(|next| now < next) {
            return;
        }
        let held: BTreeSet<(&Arc<str>, MonotonicTime)> = breakers.held(now).collect();
        let is_held = |destination: &Arc<str>| {
            held.range((destination, MonotonicTime::ZERO)..).next().is_some_and(|(first, _)| *first == destination)
        };
        self.may_be_probed = breakers.not_closed().filter(|destination| !is_held(destination)).cloned().collect();
        self.next = held.iter().map(|(_, until)| *until).min();
        self.not_closed = breakers.not_closed().cloned().collect();
        self.is_stale = false;
    }

    /// When to refresh, if no breaker changes before.
    pub(super) const fn next_refresh(&self) -> Option<MonotonicTime> {
        self.next
    }

    /// Destinations that the breakers do not let through now.
    pub(super) fn held(&self, now: MonotonicTime) -> Vec<Arc<str>> {
        let held = self.breakers.iter().flat_map(|breakers| breakers.held(now));
        held.map(|(destination, _)| Arc::clone(destination)).collect()
    }
}

fn retain_known<T>(breakers: &Breakers<Arc<str>>, of_destinations: &mut HashMap<Arc<str>, T>) {
    if of_destinations.len() >= 2 * breakers.len() {
        of_destinations.retain(|destination, _| breakers.contains(destination));
    }
}
