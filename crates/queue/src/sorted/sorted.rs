//! Keys in order, close together.
//!
//! A tree with a key in each place takes two to three times what its keys take: most of them come in their order, and
//! leave half-empty nodes behind. Here a tree holds pieces of some hundred keys, and what comes in order fills them. It
//! grows and shrinks a piece at a time, so that no change is long.

use std::collections::{BTreeMap, btree_map};
use std::fmt::{self, Debug};

/// So many keys make a piece: few enough to be moved by one place at every change.
const PIECE: usize = 256;

/// A set of keys in order.
pub(crate) struct Sorted<K> {
    /// By a key that is not above any of the piece, and above all that come before it.
    pieces: BTreeMap<K, Vec<K>>,
    len: usize,
}

impl<K> Default for Sorted<K> {
    fn default() -> Self {
        Self { pieces: BTreeMap::new(), len: 0 }
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
        self.pieces.first_key_value().and_then(|(_, piece)| piece.first().copied())
    }

    /// Puts a key in, unless it is there.
    pub(crate) fn insert(&mut self, key: K) {
        // Most come behind all others.
        let is_behind = self.pieces.last_key_value().is_some_and(|(start, _)| *start <= key);
        let piece = if is_behind {
            self.pieces.values_mut().next_back()
        } else {
            self.pieces.range_mut(..=key).next_back().map(|(_, piece)| piece)
        };
        let Some(piece) = piece else { return self.put_before_next(key) };
        let Err(at) = piece.binary_search(&key) else { return };
        if piece.len() < PIECE {
            piece.insert(at, key);
            self.len += 1;
        } else if at == PIECE {
            self.put_before_next(key);
        } else {
            // What follows in order finds room behind the key; and what comes between others finds some in either half.
            let behind = piece.split_off(at.max(PIECE / 2));
            piece.insert(at, key);
            self.len += 1;
            self.pieces.insert(behind[0], behind);
        }
    }

    /// Puts a key where a piece ends, or before all: into the next piece where there is little in it, else into a new one,
    /// which is filled by those that come in order.
    fn put_before_next(&mut self, key: K) {
        self.len += 1;
        let next = self.pieces.range(key..).next().filter(|(_, piece)| piece.len() < PIECE / 8);
        let next = next.map(|(start, _)| *start).and_then(|start| self.pieces.remove(&start));
        let mut piece = next.unwrap_or_default();
        piece.insert(0, key);
        self.pieces.insert(key, piece);
    }

    /// Takes a key out; whether it was in.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        let Some((start, piece)) = self.pieces.range_mut(..=key).next_back() else { return false };
        let Ok(at) = piece.binary_search(key) else { return false };
        piece.remove(at);
        self.len -= 1;
        let (start, left) = (*start, piece.len());
        if left == 0 {
            self.pieces.remove(&start);
        } else if left == PIECE / 4 {
            self.join(start);
        }
        true
    }

    /// Has a small piece and a neighbour that is small, too, be one.
    fn join(&mut self, start: K) {
        let small = |(start, piece): (&K, &Vec<K>)| (piece.len() <= PIECE / 4).then_some(*start);
        let mut next = self.pieces.range(start..).skip(1);
        let mut before = self.pieces.range(..start);
        let pair = match (next.next().and_then(small), before.next_back().and_then(small)) {
            (Some(next), _) => Some((start, next)),
            (None, Some(before)) => Some((before, start)),
            (None, None) => None,
        };
        if let Some((first, second)) = pair
            && let Some(behind) = self.pieces.remove(&second)
            && let Some(piece) = self.pieces.get_mut(&first)
        {
            piece.extend(behind);
        }
        if let Some(piece) = self.pieces.get_mut(&start) {
            piece.shrink_to(PIECE / 2);
        }
    }

    pub(crate) fn iter(&self) -> Run<'_, K> {
        Run { piece: [].iter(), rest: self.pieces.range(..) }
    }

    /// The keys from this one on.
    pub(crate) fn from(&self, key: K) -> Run<'_, K> {
        let (piece, start) = match self.pieces.range(..=key).next_back() {
            Some((start, piece)) => (&piece[piece.partition_point(|one| *one < key)..], *start),
            None => return self.iter(),
        };
        let mut rest = self.pieces.range(start..);
        rest.next();
        Run { piece: piece.iter(), rest }
    }

    /// How many keys are above one and not above another. Looks at pieces, not at keys.
    pub(crate) fn count_between(&self, above: K, up_to: K) -> usize {
        self.count_to(up_to, above).saturating_sub(self.count_to(above, above))
    }

    /// How many keys are not above one, from the piece on that may hold the other.
    fn count_to(&self, up_to: K, begin: K) -> usize {
        let begin = self.pieces.range(..=begin).next_back().map_or(begin, |(start, _)| *start);
        let mut pieces = if begin <= up_to { self.pieces.range(begin..=up_to) } else { return 0 };
        let last = pieces.next_back().map_or(0, |(_, piece)| piece.partition_point(|key| *key <= up_to));
        pieces.map(|(_, piece)| piece.len()).sum::<usize>() + last
    }
}

impl<K: Copy + Ord> PartialEq for Sorted<K> {
    /// How they are cut into pieces does not matter.
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

/// Keys in their order.
#[derive(Debug, Clone)]
pub(crate) struct Run<'s, K> {
    piece: std::slice::Iter<'s, K>,
    rest: btree_map::Range<'s, K, Vec<K>>,
}

impl<K: Copy> Iterator for Run<'_, K> {
    type Item = K;

    fn next(&mut self) -> Option<K> {
        loop {
            match self.piece.next() {
                Some(key) => return Some(*key),
                None => self.piece = self.rest.next()?.1.iter(),
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
        for (start, piece) in &sorted.pieces {
            prop_assert!(!piece.is_empty() && piece.len() <= PIECE);
            prop_assert!(piece[0] >= *start && below.is_none_or(|below| below < *start));
            below = piece.last().copied();
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn a_set_by_another_name(steps in proptest::collection::vec(step(), 1..40), asked in 0..6_000_u32, to in 0..6_000_u32) {
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
            prop_assert!(sorted.from(asked).eq(model.range(asked..).copied()));
            let between = model.iter().filter(|key| **key > asked && **key <= to).count();
            prop_assert_eq!(sorted.count_between(asked, to), between);
        }
    }

    #[test]
    fn what_comes_in_order_leaves_no_room_behind() {
        let mut sorted = Sorted::default();
        (0..100_000_u32).for_each(|key| sorted.insert(key));
        assert_eq!(sorted.pieces.len(), 100_000_usize.div_ceil(PIECE));
    }

    #[test]
    fn nor_does_what_comes_in_many_orders_at_once() {
        let mut sorted = Sorted::default();
        let (orders, each) = (100, 5_000);
        (0..each).for_each(|key| (0..orders).for_each(|order: u32| sorted.insert((order.reverse_bits(), key))));
        let room: usize = sorted.pieces.values().map(Vec::capacity).sum();
        assert!(room < sorted.len() * 6 / 5, "room for {room} keys is kept for {}", sorted.len());
    }

    #[test]
    fn few_keys_of_many_do_not_keep_the_room_of_all() {
        let mut sorted = Sorted::default();
        (0..100_000_u32).for_each(|key| sorted.insert(key));
        (0..100_000_u32).filter(|key| key % 100 != 0).for_each(|key| assert!(sorted.remove(&key)));
        let room: usize = sorted.pieces.values().map(Vec::capacity).sum();
        assert!(room < 16 * sorted.len(), "room for {room} keys is kept for {}", sorted.len());
    }
}
