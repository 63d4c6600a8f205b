//! An index of slots by a name other than the id: source ids, and coordinates of messages.
//!
//! A hash table with millions of entries that doubles would block all requests while it is copied. So there are many
//! small tables that double independently. Names are distributed unevenly over the tables, so that the tables do not
//! all double, and are half empty, at the same time.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashTable;

const TABLES: usize = 4096;

/// Maps names to candidate slots. The caller must compare the name of the item in the slot.
#[derive(Debug)]
pub(crate) struct Index {
    tables: Vec<HashTable<Entry>>,
    /// The total size of all names.
    bytes: usize,
}

/// Six bytes: only a part of the hash is stored, because the caller compares the name anyway.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u16,
    slot: [u16; 2],
}

impl Entry {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the slot and a part of the hash are extracted")]
    const fn new(hash: u64, slot: u32) -> Self {
        Self { hash: hash as u16, slot: [(slot >> 16) as u16, slot as u16] }
    }

    fn slot(self) -> u32 {
        u32::from(self.slot[0]) << 16 | u32::from(self.slot[1])
    }

    /// The hash for the table: the stored 16 bits, at both ends of the number.
    fn spread(self) -> u64 {
        let hash = u64::from(self.hash);
        hash << 48 | hash
    }
}

impl Default for Index {
    fn default() -> Self {
        Self { tables: std::iter::repeat_with(HashTable::new).take(TABLES).collect(), bytes: 0 }
    }
}

impl Index {
    pub(crate) fn insert(&mut self, queue: u32, name: &[u8], slot: u32) {
        let hash = hash(queue, name);
        let entry = Entry::new(hash, slot);
        self.bytes += name.len();
        self.tables[table(hash)].insert_unique(entry.spread(), entry, |entry| entry.spread());
    }

    pub(crate) fn remove(&mut self, queue: u32, name: &[u8], slot: u32) {
        let hash = hash(queue, name);
        let spread = Entry::new(hash, slot).spread();
        if let Ok(found) = self.tables[table(hash)].find_entry(spread, |entry| entry.slot() == slot) {
            found.remove();
            self.bytes = self.bytes.saturating_sub(name.len());
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The slots that may have this name.
    pub(crate) fn candidates(&self, queue: u32, name: &[u8]) -> impl Iterator<Item = u32> {
        self.with_hash(hash(queue, name))
    }

    /// For each name, whether a slot may have it. A batch of lookups overlaps the cache misses.
    pub(crate) fn may_contain<'n>(&self, queue: u32, names: impl Iterator<Item = Option<&'n [u8]>>) -> Vec<bool> {
        let hashes: Vec<Option<u64>> = names.map(|name| name.map(|name| hash(queue, name))).collect();
        hashes.into_iter().map(|hash| hash.is_some_and(|hash| self.with_hash(hash).next().is_some())).collect()
    }

    fn with_hash(&self, hash: u64) -> impl Iterator<Item = u32> {
        let key = Entry::new(hash, 0);
        let entries = self.tables[table(hash)].iter_hash(key.spread());
        entries.filter(move |entry| entry.hash == key.hash).map(|entry| entry.slot())
    }
}

/// A hash without random keys: the choice of the table is deterministic.
fn hash(queue: u32, name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    queue.hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

/// The table of a hash, by its upper half. The load grows linearly over the tables: the last gets twice as many names
/// as the first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from zero up to the number of tables")]
fn table(hash: u64) -> usize {
    let part = (hash >> 32) as f64 / f64::from(u32::MAX);
    let table = ((1.0 + 3.0 * part).sqrt() - 1.0) * TABLES as f64;
    (table as usize).min(TABLES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_few_false_candidates() {
        let mut index = Index::default();
        let name = |slot: u32| format!("order-{slot}");
        (0..50_000).for_each(|slot| index.insert(1, name(slot).as_bytes(), slot));
        for slot in 0..50_000 {
            let candidates: Vec<u32> = index.candidates(1, name(slot).as_bytes()).collect();
            assert!(candidates.contains(&slot) && candidates.len() < 4, "{slot}: {candidates:?}");
        }
        (0..50_000).filter(|slot| slot % 2 == 0).for_each(|slot| index.remove(1, name(slot).as_bytes(), slot));
        let left = |slot: &u32| index.candidates(1, name(*slot).as_bytes()).any(|found| found == *slot);
        assert!((0..50_000).all(|slot| left(&slot) == (slot % 2 == 1)));
        assert_eq!(index.bytes(), (0..50_000).filter(|slot| slot % 2 == 1).map(|slot| name(slot).len()).sum::<usize>());
    }

    #[test]
    fn tables_do_not_double_at_the_same_time() {
        let mut index = Index::default();
        // The number at which equally filled tables would just have doubled.
        let names = u32::try_from(470 * TABLES).unwrap();
        (0..names).for_each(|slot| index.insert(1, &slot.to_le_bytes(), slot));
        let capacity: usize = index.tables.iter().map(HashTable::capacity).sum();
        let names: usize = index.tables.iter().map(HashTable::len).sum();
        assert!(capacity < names * 8 / 5, "a capacity of {capacity} for {names} names");
    }
}
