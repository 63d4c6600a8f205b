//! One breaker per destination, for a bounded number of destinations.
//!
//! Keys come from outside (host names, topics, tenants), so their number is bounded. A new key in a full table evicts
//! the least recently used one, preferring a breaker in its initial state among the oldest: evicting that one costs
//! nothing, and evicting an open breaker costs a few calls until it opens again. A full table never refuses a call.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::num::NonZeroUsize;

use super::{Admission, Breaker, BreakerChange, BreakerConfig, BreakerState, Permit};
use crate::{Category, MonotonicTime};

/// Breakers by destination.
#[derive(Debug)]
pub struct Breakers<K> {
    config: BreakerConfig,
    keys_max: NonZeroUsize,
    entries: HashMap<K, Entry>,
    /// Keys by last use; each stamp is unique.
    by_use: BTreeMap<u64, K>,
    /// Keys whose breaker is not closed: the ones that [`Breakers::held`] visits.
    not_closed: BTreeSet<K>,
    clock: u64,
    forgotten: u64,
}

#[derive(Debug)]
struct Entry {
    breaker: Breaker,
    used: u64,
    /// Identifies this entry: permits of an evicted entry of the same key are stale, even if the epochs are equal.
    life: u64,
}

/// Permission for one call to a destination.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "report the call's result with it"]
pub struct KeyedPermit {
    permit: Permit,
    life: u64,
}

impl KeyedPermit {
    /// Whether the call is a probe of a half-open breaker.
    pub const fn is_probe(&self) -> bool {
        self.permit.is_probe()
    }

    /// The change of state when this permit was issued.
    pub fn transition(&self) -> Option<BreakerChange> {
        self.permit.transition()
    }
}

impl<K: Clone + Eq + Hash + Ord> Breakers<K> {
    pub fn new(config: BreakerConfig, keys_max: NonZeroUsize) -> Self {
        Self {
            config,
            keys_max,
            entries: HashMap::new(),
            by_use: BTreeMap::new(),
            not_closed: BTreeSet::new(),
            clock: 0,
            forgotten: 0,
        }
    }

    /// Makes the breaker of a destination that is known to be down half-open: its next call is a probe.
    pub fn reopen(&mut self, key: &K) {
        self.touch(key);
        if let Some(entry) = self.entries.get_mut(key) {
            entry.breaker = Breaker::half_open(self.config);
            self.not_closed.insert(key.clone());
        }
    }

    /// Requests permission for one call to `key`. The error is the time until which no call is admitted.
    pub fn admit(&mut self, key: &K, now: MonotonicTime) -> Result<KeyedPermit, MonotonicTime> {
        self.touch(key);
        let (life, admission) = match self.entries.get_mut(key) {
            Some(entry) => (entry.life, entry.breaker.admit(now)),
            // Unreachable: `touch` inserts the entry. Admit the call.
            None => (0, Breaker::new(self.config).admit(now)),
        };
        match admission {
            Admission::Admitted(permit) => Ok(KeyedPermit { permit, life }),
            Admission::Refused { until } => Err(until),
        }
    }

    pub fn succeeded(&mut self, key: &K, permit: KeyedPermit) -> Option<BreakerChange> {
        self.report(key, permit, Breaker::succeeded)
    }

    pub fn failed(
        &mut self,
        key: &K,
        permit: KeyedPermit,
        category: Category,
        now: MonotonicTime,
    ) -> Option<BreakerChange> {
        self.report(key, permit, |breaker, permit| breaker.failed(permit, category, now))
    }

    pub fn abandoned(&mut self, key: &K, permit: KeyedPermit) {
        self.report(key, permit, |breaker, permit| {
            breaker.abandoned(permit);
            None
        });
    }

    /// Destinations that admit no call now, each with the time until which it refuses calls.
    pub fn held(&self, now: MonotonicTime) -> impl Iterator<Item = (&K, MonotonicTime)> {
        self.not_closed.iter().filter_map(move |key| {
            let until = self.entries.get(key)?.breaker.held_until(now)?;
            Some((key, until))
        })
    }

    /// Destinations whose breaker is open or half-open, including those that admit a probe now.
    pub fn not_closed(&self) -> impl Iterator<Item = &K> {
        self.not_closed.iter()
    }

    pub fn state<Q>(&self, key: &Q, now: MonotonicTime) -> BreakerState
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.entries.get(key).map_or(BreakerState::Closed, |entry| entry.breaker.state(now))
    }

    /// When the open time of a destination's breaker ends; `None` if the breaker is not open.
    pub fn open_until(&self, key: &K, now: MonotonicTime) -> Option<MonotonicTime> {
        self.entries.get(key)?.breaker.open_until(now)
    }

    /// Whether the next counted failure opens the breaker, which is closed.
    pub fn is_about_to_open(&self, key: &K) -> bool {
        self.entries.get(key).is_some_and(|entry| entry.breaker.is_about_to_open())
    }

    /// Whether the breaker has changed its state since the call was admitted; `None` if it was evicted since then.
    pub fn has_changed_since(&self, key: &K, permit: &KeyedPermit) -> Option<bool> {
        let entry = self.entries.get(key).filter(|entry| entry.life == permit.life)?;
        Some(entry.breaker.has_changed_since(&permit.permit))
    }

    /// All known destinations with the state of their breakers; for one that admits no call now, the time until which it
    /// refuses calls.
    pub fn states(&self, now: MonotonicTime) -> impl Iterator<Item = (&K, BreakerState, Option<MonotonicTime>)> {
        self.entries.iter().map(move |(key, Entry { breaker, .. })| (key, breaker.state(now), breaker.held_until(now)))
    }

    pub fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(key)
    }

    /// The number of keys in the table.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of keys evicted from a full table.
    pub const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn report(
        &mut self,
        key: &K,
        permit: KeyedPermit,
        report: impl FnOnce(&mut Breaker, Permit) -> Option<BreakerChange>,
    ) -> Option<BreakerChange> {
        let entry = self.entries.get_mut(key).filter(|entry| entry.life == permit.life)?;
        let transition = report(&mut entry.breaker, permit.permit);
        if entry.breaker.is_closed() {
            self.not_closed.remove(key);
        } else if !self.not_closed.contains(key) {
            self.not_closed.insert(key.clone());
        }
        transition
    }

    /// Marks the key as the most recently used, inserting it if it is new.
    fn touch(&mut self, key: &K) {
        let newest = self.clock;
        self.clock += 1;
        let used = self.clock;
        if let Some(entry) = self.entries.get_mut(key) {
            // Fast path: most callers have one destination.
            if entry.used == newest {
                self.clock = newest;
                return;
            }
            if let Some(key) = self.by_use.remove(&entry.used) {
                self.by_use.insert(used, key);
            }
            entry.used = used;
            return;
        }
        if self.entries.len() >= self.keys_max.get() {
            self.evict_one();
        }
        self.entries.insert(key.clone(), Entry { breaker: Breaker::new(self.config), used, life: used });
        self.by_use.insert(used, key.clone());
    }

    fn evict_one(&mut self) {
        // A longer search for a quiet breaker would slow down every new key of a full table.
        const SEARCH_MAX: usize = 16;
        let is_quiet = |key: &K| self.entries.get(key).is_some_and(|entry| entry.breaker.is_quiet());
        let oldest = self.by_use.iter().take(SEARCH_MAX);
        let victim = oldest.clone().find(|(_, key)| is_quiet(key)).or_else(|| oldest.clone().next());
        if let Some((used, key)) = victim.map(|(used, key)| (*used, key.clone())) {
            self.by_use.remove(&used);
            self.entries.remove(&key);
            self.not_closed.remove(&key);
            self.forgotten += 1;
        }
    }
}
