//! Destinations that manual retries have found down.
//!
//! A manual retry of many letters is a runner of a few hundred letters at a time, and each begins with closed circuit
//! breakers. What one of them has found out is kept here for the next, so that an outage costs the attempts of one of them,
//! and not of each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redrive_core::{BreakerState, QueueName, Time};

use crate::DestinationHealth;

type ByDestination = BTreeMap<Arc<str>, Time>;

/// By dead queue, the destinations whose circuit breaker was not closed, with the time from which they may be probed.
#[derive(Debug, Default)]
pub(super) struct DownDestinations(Mutex<BTreeMap<QueueName, ByDestination>>);

impl DownDestinations {
    /// Maximum number of destinations of a queue. Beyond it, none is added: its letters are tried without a probe.
    const DESTINATIONS_MAX: usize = 10_000;

    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    // No code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<QueueName, ByDestination>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn of(&self, queue: &QueueName) -> ByDestination {
        self.lock().get(queue).cloned().unwrap_or_default()
    }

    /// Notes what a runner knows at its end.
    pub(super) fn note(&self, queue: &QueueName, destinations: Vec<DestinationHealth>, now: Time) {
        let mut all = self.lock();
        let known = all.entry(queue.clone()).or_default();
        for DestinationHealth { name, breaker, next_probe_at, trouble, .. } in destinations {
            if breaker == BreakerState::Closed {
                // Too few failures to open a breaker do not show that the destination is back.
                if trouble.is_none() {
                    known.remove(&name);
                }
            } else if known.len() < Self::DESTINATIONS_MAX || known.contains_key(&name) {
                known.insert(name, next_probe_at.unwrap_or(now));
            }
        }
        if known.is_empty() {
            all.remove(queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::RunnerTrouble;

    #[test]
    fn a_destination_is_down_until_a_call_succeeds() {
        let (down, queue) = (DownDestinations::new(), QueueName::new("dead").unwrap());
        let health = |breaker, error: Option<&str>| {
            let trouble = error.map(|error| RunnerTrouble { since: Time::EPOCH, error: error.to_owned() });
            let next_probe_at = (breaker == BreakerState::Open).then_some(Time::from_secs(10));
            vec![DestinationHealth { name: "shop".into(), breaker, open_since: None, next_probe_at, trouble }]
        };
        let note = |breaker, error| {
            down.note(&queue, health(breaker, error), Time::EPOCH);
            down.of(&queue).get("shop").copied()
        };
        assert_eq!(note(BreakerState::Closed, Some("one failure")), None);
        assert_eq!(note(BreakerState::Open, Some("many")), Some(Time::from_secs(10)));
        assert_eq!(note(BreakerState::Closed, Some("one more failure")), Some(Time::from_secs(10)));
        assert_eq!(note(BreakerState::Closed, None), None);
        assert!(down.lock().is_empty());
    }
}
