//! A compact ordered set.
//!
//! A plain B-tree takes two to three times the size of its keys: most keys are inserted in ascending order, which
//! leaves half-empty nodes. Here a tree holds chunks of some hundred keys, and ascending inserts fill the chunks. It
//! grows and shrinks by one chunk at a time, so that no operation takes long.

use std::collections::{BTreeMap, btree_map};
use std::fmt::{self, Debug};

/// The maximum number of keys in a chunk: small enough to shift all keys on every change.
const CHUNK_LEN: usize = 256;

/// An ordered set of keys.
pub(crate) struct Sorted<K> {
    /// By a key that is at most the first key of the chunk, and above all keys of earlier chunks.
    chunks: BTreeMap<K, Vec<K>>,
    len: usize,
}

impl<K> Default for Sorted<K> {
    fn default() -> Self {
        Self { chunks: BTreeMap::new(), len: 0 }
    }
}

impl<K: Copy + Ord> Sorted<K> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn first(&self) -> Option<K> {
        self.chunks.first_key_value().and_then(|(_, chunk)| chunk.first().copied())
    }

    /// Inserts a key, unless it is present.
    pub(crate) fn insert(&mut self, key: K) {
        // Fast path: most keys are greater than all others.
        let is_in_last = self.chunks.last_key_value().is_some_and(|(start, _)| *start <= key);
        let chunk = if is_in_last {
            self.chunks.values_mut().next_back()
        } else {
            self.chunks.range_mut(..=key).next_back().map(|(_, chunk)| chunk)
        };
        let Some(chunk) = chunk else { return self.put_before_next(key) };
        let Err(at) = chunk.binary_search(&key) else { return };
        if chunk.len() < CHUNK_LEN {
            chunk.insert(at, key);
            self.len += 1;
        } else if at == CHUNK_LEN {
            self.put_before_next(key);
        } else {
            // Split so that ascending inserts find space after the key, and random inserts find space in either half.
            let upper = chunk.split_off(at.max(CHUNK_LEN / 2));
            chunk.insert(at, key);
            self.len += 1;
            self.chunks.insert(upper[0], upper);
        }
    }

    /// Inserts a key at the end of a chunk or before all chunks: into the next chunk if that has few keys, else into a
    /// new one, which ascending inserts fill.
    fn put_before_next(&mut self, key: K) {
        self.len += 1;
        let next = self.chunks.range(key..).next().filter(|(_, chunk)| chunk.len() < CHUNK_LEN / 8);
        let next = next.map(|(start, _)| *start).and_then(|start| self.chunks.remove(&start));
        let mut chunk = next.unwrap_or_default();
        chunk.insert(0, key);
        self.chunks.insert(key, chunk);
    }

    /// Removes a key. Returns whether it was present.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        let Some((start, chunk)) = self.chunks.range_mut(..=key).next_back() else { return false };
        let Ok(at) = chunk.binary_search(key) else { return false };
        chunk.remove(at);
        self.len -= 1;
        let (start, left) = (*start, chunk.len());
        if left == 0 {
            self.chunks.remove(&start);
        } else if left == CHUNK_LEN / 4 {
            self.merge_small(start);
        }
        true
    }

    /// Merges a small chunk with a neighbour that is small, too.
    fn merge_small(&mut self, start: K) {
        let small = |(start, chunk): (&K, &Vec<K>)| (chunk.len() <= CHUNK_LEN / 4).then_some(*start);
        let mut next = self.chunks.range(start..).skip(1);
        let mut before = self.chunks.range(..start);
        let pair = match (next.next().and_then(small), before.next_back().and_then(small)) {
            (Some(next), _) => Some((start, next)),
            (None, Some(before)) => Some((before, start)),
            (None, None) => None,
        };
        if let Some((first, second)) = pair
            && let Some(upper) = self.chunks.remove(&second)
            && let Some(chunk) = self.chunks.get_mut(&first)
        {
            chunk.extend(upper);
        }
        if let Some(chunk) = self.chunks.get_mut(&start) {
            chunk.shrink_to(CHUNK_LEN / 2);
        }
    }

    pub(crate) fn iter(&self) -> SortedIter<'_, K> {
        SortedIter { chunk: [].iter(), rest: self.chunks.range(..) }
    }

    /// The keys from this one on.
    pub(crate) fn from(&self, key: K) -> SortedIter<'_, K> {
        let (chunk, start) = match self.chunks.range(..=key).next_back() {
            Some((start, chunk)) => (&chunk[chunk.partition_point(|one| *one < key)..], *start),
            None => return self.iter(),
        };
        let mut rest = self.chunks.range(start..);
        rest.next();
        SortedIter { chunk: chunk.iter(), rest }
    }

    /// The keys below this one, or all of them, in descending order.
    pub(crate) fn descending(&self, below: Option<K>) -> impl Iterator<Item = K> {
        let mut rest = below.map_or_else(|| self.chunks.range(..), |key| self.chunks.range(..=key));
        let last = below.and_then(|key| Some((key, rest.next_back()?.1)));
        let last = last.map_or(&[][..], |(key, chunk)| &chunk[..chunk.partition_point(|one| *one < key)]);
        last.iter().rev().chain(rest.rev().flat_map(|(_, chunk)| chunk.iter().rev())).copied()
    }

    /// The number of keys `k` with `above < k <= up_to`. Visits chunks, not keys.
    pub(crate) fn count_between(&self, above: K, up_to: K) -> usize {
        self.count_to(up_to, above).saturating_sub(self.count_to(above, above))
    }

    /// The number of keys up to `up_to`, counted from the chunk that may hold `begin`.
    fn count_to(&self, up_to: K, begin: K) -> usize {
        let begin = self.chunks.range(..=begin).next_back().map_or(begin, |(start, _)| *start);
        let mut chunks = if begin <= up_to { self.chunks.range(begin..=up_to) } else { return 0 };
        let last = chunks.next_back().map_or(0, |(_, chunk)| chunk.partition_point(|key| *key <= up_to));
        chunks.map(|(_, chunk)| chunk.len()).sum::<usize>() + last
    }
}

impl<K: Copy + Ord> PartialEq for Sorted<K> {
    /// Ignores the division into chunks.
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Copy + Ord> Eq for Sorted<K> {}

impl<K: Copy + Ord + Debug> Debug for Sorted<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over keys in ascending order.
#[derive(Debug, Clone)]
pub(crate) struct SortedIter<'s, K> {
    chunk: std::slice::Iter<'s, K>,
    rest: btree_map::Range<'s, K, Vec<K>>,
}

impl<K: Copy> Iterator for SortedIter<'_, K> {
    type Item = K;

    fn next(&mut self) -> Option<K> {
        loop {
            match self.chunk.next() {
                Some(key) => return Some(*key),
                None => self.chunk = self.rest.next()?.1.iter(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Up { from: u32, count: u32 },
        Down { from: u32, count: u32 },
        Insert(u32),
        Remove(u32),
        RemoveUp { from: u32, count: u32, by: usize },
    }

    fn step() -> impl Strategy<Value = Step> {
        let key = 0..5_000_u32;
        prop_oneof![
            (key.clone(), 1..700_u32).prop_map(|(from, count)| Step::Up { from, count }),
            (key.clone(), 1..700_u32).prop_map(|(from, count)| Step::Down { from, count }),
            key.clone().prop_map(Step::Insert),
            key.clone().prop_map(Step::Remove),
            (key, 1..2_000_u32, 1..5_usize).prop_map(|(from, count, by)| Step::RemoveUp { from, count, by }),
        ]
    }

    fn check(sorted: &Sorted<u32>, model: &BTreeSet<u32>) -> Result<(), TestCaseError> {
        prop_assert!(sorted.iter().eq(model.iter().copied()));
        prop_assert_eq!(sorted.len(), model.len());
        prop_assert_eq!(sorted.first(), model.first().copied());
        let mut below = None;
        for (start, chunk) in &sorted.chunks {
            prop_assert!(!chunk.is_empty() && chunk.len() <= CHUNK_LEN);
            prop_assert!(chunk[0] >= *start && below.is_none_or(|below| below < *start));
            below = chunk.last().copied();
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn a_sorted_set_behaves_like_a_b_tree_set(steps in proptest::collection::vec(step(), 1..40), above in 0..6_000_u32, to in 0..6_000_u32) {
            let (mut sorted, mut model) = (Sorted::default(), BTreeSet::new());
            for step in steps {
                let (inserted, removed): (Vec<u32>, Vec<u32>) = match step {
                    Step::Up { from, count } => ((from..from + count).collect(), Vec::new()),
                    Step::Down { from, count } => ((from..from + count).rev().collect(), Vec::new()),
                    Step::Insert(key) => (vec![key], Vec::new()),
                    Step::Remove(key) => (Vec::new(), vec![key]),
                    Step::RemoveUp { from, count, by } => (Vec::new(), (from..from + count).step_by(by).collect()),
                };
                for key in inserted {
                    sorted.insert(key);
                    model.insert(key);
                }
                for key in removed {
                    prop_assert_eq!(sorted.remove(&key), model.remove(&key));
                }
                check(&sorted, &model)?;
            }
            prop_assert!(sorted.from(above).eq(model.range(above..).copied()));
            prop_assert!(sorted.descending(Some(above)).eq(model.range(..above).rev().copied()));
            prop_assert!(sorted.descending(None).eq(model.iter().rev().copied()));
            let between = model.iter().filter(|key| **key > above && **key <= to).count();
            prop_assert_eq!(sorted.count_between(above, to), between);
        }
    }

    #[test]
    fn ascending_inserts_fill_all_chunks() {
        let mut sorted = Sorted::default();
        (0..100_000_u32).for_each(|key| sorted.insert(key));
        assert_eq!(sorted.chunks.len(), 100_000_usize.div_ceil(CHUNK_LEN));
    }

    #[test]
    fn interleaved_ascending_inserts_fill_most_of_the_capacity() {
        let mut sorted = Sorted::default();
        let (orders, each) = (100, 5_000);
        (0..each).for_each(|key| (0..orders).for_each(|order: u32| sorted.insert((order.reverse_bits(), key))));
        let capacity: usize = sorted.chunks.values().map(Vec::capacity).sum();
        assert!(capacity < sorted.len() * 6 / 5, "a capacity of {capacity} for {} keys", sorted.len());
    }

    #[test]
    fn removals_free_memory() {
        let mut sorted = Sorted::default();
        (0..100_000_u32).for_each(|key| sorted.insert(key));
        (0..100_000_u32).filter(|key| key % 100 != 0).for_each(|key| assert!(sorted.remove(&key)));
        let capacity: usize = sorted.chunks.values().map(Vec::capacity).sum();
        assert!(capacity < 16 * sorted.len(), "a capacity of {capacity} for {} keys", sorted.len());
    }
}
