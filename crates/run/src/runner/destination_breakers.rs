//! The circuit breakers of a runner, and the destinations that its claims may cover.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use redrive_core::{
    Breaker, BreakerConfig, Breakers, FailedCall, KeyedPermit, MonotonicTime, RowVerdicts, Served, Time,
};

use super::clock_reading::ClockReading;
use super::meters::Meters;
use super::{DestinationHealth, RunnerTrouble};
use crate::{Work, WorkId};

/// One breaker per destination. The lists for the claims are computed when a breaker changed or may be probed, not at
/// every iteration of the loop: there may be a thousand breakers.
#[derive(Debug)]
pub(super) struct DestinationBreakers {
    /// `None` without breakers: every call is permitted.
    breakers: Option<Breakers<Arc<str>, WorkId>>,
    /// Paused destinations.
    pub(super) paused: Vec<Arc<str>>,
    /// Those of them that may be probed now.
    pub(super) may_be_probed: Vec<Arc<str>>,
    /// When the next of them may be probed, or the age of a row pauses a destination.
    next: Option<MonotonicTime>,
    is_stale: bool,
    /// The destinations whose last call failed.
    troubles: HashMap<Arc<str>, RunnerTrouble>,
    /// Since when destinations are paused.
    paused_since: HashMap<Arc<str>, MonotonicTime>,
}

/// What a failed call means for its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailedStanding {
    /// There is no breaker, or it was evicted since the call was admitted.
    Unknown,
    /// The row decides when it ends.
    InRow {
        /// The call was a probe, and other work shows that the destination is down.
        is_down: bool,
    },
    /// The row has lasted so long that the policy decides, if no other work could be had.
    Impatient,
}

impl DestinationBreakers {
    /// The next call of a destination in `down` is a probe.
    pub(super) fn new(
        config: Option<BreakerConfig>,
        destinations: NonZeroUsize,
        down: &[Arc<str>],
        now: MonotonicTime,
    ) -> Self {
        let mut breakers = config.map(|config| Breakers::new(config, destinations));
        if let Some(breakers) = &mut breakers {
            down.iter().for_each(|destination| breakers.pause(destination, now));
        }
        Self {
            breakers,
            paused: Vec::new(),
            may_be_probed: Vec::new(),
            next: None,
            is_stale: true,
            troubles: HashMap::new(),
            paused_since: down.iter().map(|destination| (Arc::clone(destination), now)).collect(),
        }
    }

    /// Asks for a permit for one call to a destination; without breakers, none is needed.
    pub(super) fn admit(
        &mut self,
        destination: &Arc<str>,
        has_just_arrived: bool,
        now: MonotonicTime,
    ) -> Result<Option<KeyedPermit>, NotAdmitted> {
        self.is_stale |= !self.paused.is_empty();
        let Some(breakers) = &mut self.breakers else { return Ok(None) };
        breakers.admit(destination, has_just_arrived, now).map(Some).map_err(|_until| NotAdmitted)
    }

    /// The destination has served a call. Returns the verdicts on failed work.
    pub(super) fn served(
        &mut self,
        work: &Work,
        permit: Option<KeyedPermit>,
        began_at: MonotonicTime,
        meters: &Meters,
        now: MonotonicTime,
    ) -> Option<RowVerdicts<WorkId>> {
        let (breakers, permit) = (self.breakers.as_mut()?, permit?);
        let served = breakers.served(&work.destination, permit, &work.id, began_at, now)?;
        self.noted(&work.destination, served, meters)
    }

    /// There is no other work for a paused destination. Returns the verdicts on failed work.
    pub(super) fn has_no_other_work(
        &mut self,
        destination: &Arc<str>,
        meters: &Meters,
        now: MonotonicTime,
    ) -> Option<RowVerdicts<WorkId>> {
        let served = self.breakers.as_mut()?.has_no_other_work(destination, now);
        self.noted(destination, served, meters)
    }

    fn noted(
        &mut self,
        destination: &Arc<str>,
        served: Served<WorkId>,
        meters: &Meters,
    ) -> Option<RowVerdicts<WorkId>> {
        self.is_stale |= !self.paused.is_empty() || served.decided.is_some();
        if served.has_resumed {
            self.paused_since.remove(destination);
            self.troubles.remove(destination);
            meters.resumed(destination);
        }
        served.decided
    }

    /// A call has failed, or was not sent. Returns what that means for its work, and whether it has paused the destination.
    pub(super) fn failed(
        &mut self,
        destination: &Arc<str>,
        permit: Option<KeyedPermit>,
        call: FailedCall<'_, WorkId>,
        now: MonotonicTime,
        random: u64,
    ) -> (FailedStanding, bool) {
        let (Some(breakers), Some(permit)) = (&mut self.breakers, permit) else {
            return (FailedStanding::Unknown, false);
        };
        let is_probe = permit.is_probe();
        let Some(failed) = breakers.failed(destination, permit, call, now, random) else {
            return (FailedStanding::Unknown, false);
        };
        self.is_stale = true;
        let breaker = breakers.get(destination);
        let standing = match breaker.and_then(Breaker::impatient_at) {
            Some(at) if at <= now && !failed.is_first => FailedStanding::Impatient,
            _ => FailedStanding::InRow { is_down: is_probe && breaker.is_some_and(Breaker::has_full_row) },
        };
        (standing, failed.has_paused)
    }

    /// Reports a call without a result from the destination.
    pub(super) fn abandoned(&mut self, destination: &Arc<str>, permit: Option<KeyedPermit>) {
        if let (Some(breakers), Some(permit)) = (&mut self.breakers, permit) {
            breakers.abandoned(destination, permit);
            self.is_stale |= !self.paused.is_empty();
        }
    }

    /// Notes that a destination is paused.
    pub(super) fn note_pause(&mut self, destination: &Arc<str>, meters: &Meters, now: MonotonicTime) {
        let Some(breakers) = &self.breakers else { return };
        retain_known(breakers, &mut self.paused_since);
        self.paused_since.insert(Arc::clone(destination), now);
        meters.paused(destination, self.troubles.get(destination));
        self.is_stale = true;
    }

    /// Pauses the destinations whose row is old enough, and returns them.
    pub(super) fn poll(&mut self, now: MonotonicTime) -> Vec<Arc<str>> {
        match &mut self.breakers {
            Some(breakers) if self.next.is_some_and(|next| next <= now) => breakers.poll(now),
            _ => Vec::new(),
        }
    }

    /// Notes the result of a call: `error` is that of a failure that may pass.
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

    pub(super) fn contains(&self, destination: &Arc<str>) -> bool {
        self.breakers.as_ref().is_some_and(|breakers| breakers.contains(destination))
    }

    /// The number of breakers that were evicted.
    pub(super) fn forgotten(&self) -> u64 {
        self.breakers.as_ref().map_or(0, Breakers::forgotten)
    }

    pub(super) fn all_paused(&self) -> Vec<Arc<str>> {
        self.breakers.iter().flat_map(Breakers::paused).cloned().collect()
    }

    pub(super) fn is_paused(&self, destination: &Arc<str>) -> bool {
        self.breakers.as_ref().is_some_and(|breakers| breakers.is_paused(destination))
    }

    pub(super) fn get(&self, destination: &Arc<str>) -> Option<&Breaker<WorkId>> {
        self.breakers.as_ref()?.get(destination)
    }

    /// The health of the known destinations, by name.
    pub(super) fn health(&self, now: ClockReading) -> Vec<DestinationHealth> {
        let breakers = self.breakers.iter().flat_map(Breakers::iter);
        let since = |name| self.paused_since.get(name).map(|at| now.time.saturating_sub(now.monotonic.since(*at)));
        let mut destinations: Vec<DestinationHealth> = breakers
            .map(|(name, breaker)| DestinationHealth {
                name: Arc::clone(name),
                breaker: breaker.state(now.monotonic),
                open_since: if breaker.is_paused() { since(name) } else { None },
                next_probe_at: breaker.next_probe_at(now.monotonic).map(|at| now.time_at(at)),
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
        self.paused = breakers.paused().cloned().collect();
        let held_until = |destination: &Arc<str>| breakers.get(destination)?.held_until(false, now);
        self.may_be_probed =
            self.paused.iter().filter(|destination| held_until(destination).is_none()).cloned().collect();
        let probe = self.paused.iter().filter_map(|destination| held_until(destination).flatten()).min();
        self.next = [probe, breakers.next_pause_at()].into_iter().flatten().min();
        self.is_stale = false;
    }

    /// When to refresh, if no breaker changes before.
    pub(super) const fn next_refresh(&self) -> Option<MonotonicTime> {
        self.next
    }
}

/// The breaker does not admit the call now.
#[derive(Debug, Clone, Copy)]
pub(super) struct NotAdmitted;

fn retain_known<T>(breakers: &Breakers<Arc<str>, WorkId>, of_destinations: &mut HashMap<Arc<str>, T>) {
    if of_destinations.len() >= 2 * breakers.len() {
        of_destinations.retain(|destination, _| breakers.contains(destination));
    }
}
