//! Entries by destination, in the order in which they were added.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The keys of entries.
#[derive(Debug, Default)]
pub(super) struct EntriesByDestination {
    keys: HashMap<Arc<str>, VecDeque<usize>>,
    len: usize,
}

impl EntriesByDestination {
    pub(super) fn add(&mut self, destination: &Arc<str>, key: usize) {
        match self.keys.get_mut(destination) {
            Some(keys) => keys.push_back(key),
            None => drop(self.keys.insert(Arc::clone(destination), VecDeque::from([key]))),
        }
        self.len += 1;
    }

    pub(super) fn remove(&mut self, destination: &Arc<str>, key: usize) {
        let at = self.of(destination).position(|other| other == key);
        if let Some(at) = at {
            self.remove_at(destination, at);
        }
    }

    /// Removes the entry at this place in the order.
    pub(super) fn remove_at(&mut self, destination: &Arc<str>, at: usize) -> Option<usize> {
        let keys = self.keys.get_mut(destination)?;
        let removed = keys.remove(at);
        self.len -= usize::from(removed.is_some());
        if keys.is_empty() {
            self.keys.remove(destination);
        }
        removed
    }

    /// Removes all entries of a destination.
    pub(super) fn take(&mut self, destination: &Arc<str>) -> VecDeque<usize> {
        let keys = self.keys.remove(destination).unwrap_or_default();
        self.len -= keys.len();
        keys
    }

    pub(super) fn of(&self, destination: &Arc<str>) -> impl Iterator<Item = usize> {
        self.keys.get(destination).into_iter().flatten().copied()
    }

    pub(super) fn len_of(&self, destination: &Arc<str>) -> usize {
        self.keys.get(destination).map_or(0, VecDeque::len)
    }

    pub(super) fn destinations(&self) -> Vec<Arc<str>> {
        self.keys.keys().cloned().collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, usize)> {
        self.keys.iter().flat_map(|(destination, keys)| keys.iter().map(move |key| (destination, *key)))
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }
}
