//! One breaker per destination, for a bounded number of destinations.
//!
//! Keys come from outside (host names, topics, tenants), so their number is bounded. A new key in a full table evicts
//! the least recently used one, preferring a breaker in its initial state among the oldest: evicting that one costs
//! nothing, and evicting one of a paused destination costs a few calls until it is paused again. A full table never
//! refuses a call.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::num::NonZeroUsize;

use super::{Breaker, BreakerConfig, Failed, FailedCall, Permit, Served};
use crate::MonotonicTime;

/// Breakers by destination, over work that is identified by a `W`.
#[derive(Debug)]
pub struct Breakers<K, W> {
    config: BreakerConfig,
    keys_max: NonZeroUsize,
    entries: HashMap<K, Entry<W>>,
    /// Keys by last use; each stamp is unique.
    by_use: BTreeMap<u64, K>,
    /// Keys of paused destinations.
    paused: BTreeSet<K>,
    /// Keys of destinations that have a row.
    with_row: BTreeSet<K>,
    clock: u64,
    forgotten: u64,
}

#[derive(Debug)]
struct Entry<W> {
    breaker: Breaker<W>,
    used: u64,
    /// Identifies this entry: permits of an evicted entry of the same key are stale.
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
    /// Whether the call is a probe of a paused destination.
    pub const fn is_probe(&self) -> bool {
        self.permit.is_probe()
    }
}

impl<K: Clone + Eq + Hash + Ord, W: Clone + Eq + Hash> Breakers<K, W> {
    pub fn new(config: BreakerConfig, keys_max: NonZeroUsize) -> Self {
        Self {
            config,
            keys_max,
            entries: HashMap::new(),
            by_use: BTreeMap::new(),
            paused: BTreeSet::new(),
            with_row: BTreeSet::new(),
            clock: 0,
            forgotten: 0,
        }
    }

    /// Pauses a destination that is known to be down: its next call is a probe.
    pub fn pause(&mut self, key: &K, now: MonotonicTime) {
        self.touch(key);
        if let Some(entry) = self.entries.get_mut(key) {
            entry.breaker.is_down(now);
            self.note(key);
        }
    }

    /// Requests permission for one call to `key`, of work that may have just arrived; see [`Breaker::admit`].
    pub fn admit(
        &mut self,
        key: &K,
        has_just_arrived: bool,
        now: MonotonicTime,
    ) -> Result<KeyedPermit, Option<MonotonicTime>> {
        self.touch(key);
        let Some(entry) = self.entries.get_mut(key) else {
            // Unreachable: `touch` inserts the entry.
            return Err(Some(now));
        };
        let permit = entry.breaker.admit(has_just_arrived, now)?;
        Ok(KeyedPermit { permit, life: entry.life })
    }

    /// The result is `None` if the breaker was evicted since the call was admitted.
    pub fn served(
        &mut self,
        key: &K,
        permit: KeyedPermit,
        work: &W,
        began_at: MonotonicTime,
        now: MonotonicTime,
    ) -> Option<Served<W>> {
        self.change(key, permit, |breaker, permit| breaker.served(permit, work, began_at, now))
    }

    /// The result is `None` if the breaker was evicted since the call was admitted.
    pub fn failed(
        &mut self,
        key: &K,
        permit: KeyedPermit,
        call: FailedCall<'_, W>,
        now: MonotonicTime,
        random: u64,
    ) -> Option<Failed> {
        self.change(key, permit, |breaker, permit| breaker.failed(permit, call, now, random))
    }

    pub fn abandoned(&mut self, key: &K, permit: KeyedPermit) {
        self.change(key, permit, Breaker::abandoned);
    }

    /// There is no other work that could probe this destination; see [`Breaker::has_no_other_work`].
    pub fn has_no_other_work(&mut self, key: &K, now: MonotonicTime) -> Served<W> {
        let served = self.entries.get_mut(key).map(|entry| entry.breaker.has_no_other_work(now));
        self.note(key);
        served.unwrap_or(Served { decided: None, has_resumed: false })
    }

    /// Pauses the destinations whose row is old enough, and returns them.
    pub fn poll(&mut self, now: MonotonicTime) -> Vec<K> {
        let due = self.with_row.difference(&self.paused);
        let due: Vec<K> = due.filter(|key| self.pauses_at(key).is_some_and(|at| at <= now)).cloned().collect();
        for key in &due {
            if let Some(entry) = self.entries.get_mut(key) {
                entry.breaker.poll(now);
            }
            self.note(key);
        }
        due
    }

    /// When the age of a row pauses the next destination.
    pub fn next_pause_at(&self) -> Option<MonotonicTime> {
        self.with_row.difference(&self.paused).filter_map(|key| self.pauses_at(key)).min()
    }

    fn pauses_at(&self, key: &K) -> Option<MonotonicTime> {
        self.entries.get(key)?.breaker.pauses_at()
    }

    /// The breaker of a destination; `None` if it is not in the table.
    pub fn get(&self, key: &K) -> Option<&Breaker<W>> {
        self.entries.get(key).map(|entry| &entry.breaker)
    }

    /// Paused destinations.
    pub fn paused(&self) -> impl Iterator<Item = &K> {
        self.paused.iter()
    }

    pub fn is_paused(&self, key: &K) -> bool {
        self.paused.contains(key)
    }

    /// All known destinations with their breakers.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Breaker<W>)> {
        self.entries.iter().map(|(key, entry)| (key, &entry.breaker))
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

    fn change<T>(
        &mut self,
        key: &K,
        permit: KeyedPermit,
        change: impl FnOnce(&mut Breaker<W>, Permit) -> T,
    ) -> Option<T> {
        let entry = self.entries.get_mut(key).filter(|entry| entry.life == permit.life)?;
        let had = (entry.breaker.has_row(), entry.breaker.is_paused());
        let changed = change(&mut entry.breaker, permit.permit);
        if had != (entry.breaker.has_row(), entry.breaker.is_paused()) {
            self.note(key);
        }
        Some(changed)
    }

    /// Keeps the sets true.
    fn note(&mut self, key: &K) {
        let Some(Entry { breaker, .. }) = self.entries.get(key) else { return };
        for (is_in, set) in [(breaker.is_paused(), &mut self.paused), (breaker.has_row(), &mut self.with_row)] {
            if !is_in {
                set.remove(key);
            } else if !set.contains(key) {
                set.insert(key.clone());
            }
        }
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
            self.paused.remove(&key);
            self.with_row.remove(&key);
            self.forgotten += 1;
        }
    }
}
