//! Slots by a name that is not an id: source ids, and coordinates of origins.
//!
//! A hash table that doubles at millions of entries stops everybody while it is copied. So there are many
//! small ones, and each doubles for itself.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashTable;

const TABLES: usize = 4096;

/// Which slots go by a name. Whether a slot really does, its item says.
#[derive(Debug)]
pub(crate) struct Index {
    tables: Vec<HashTable<Entry>>,
    /// What all names take.
    bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u32,
    slot: u32,
}

impl Default for Index {
    fn default() -> Self {
        Self { tables: std::iter::repeat_with(HashTable::new).take(TABLES).collect(), bytes: 0 }
    }
}

impl Index {
    pub(crate) fn insert(&mut self, queue: u32, name: &[u8], slot: u32) {
        let hash = hash(queue, name);
        let entry = Entry { hash: short(hash), slot };
        self.bytes += name.len();
        self.tables[table(hash)].insert_unique(u64::from(entry.hash), entry, |entry| u64::from(entry.hash));
    }

    pub(crate) fn remove(&mut self, queue: u32, name: &[u8], slot: u32) {
        let hash = hash(queue, name);
        if let Ok(found) = self.tables[table(hash)].find_entry(u64::from(short(hash)), |entry| entry.slot == slot) {
            found.remove();
            self.bytes = self.bytes.saturating_sub(name.len());
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The slots that may go by this name.
    pub(crate) fn candidates(&self, queue: u32, name: &[u8]) -> impl Iterator<Item = u32> {
        let hash = hash(queue, name);
        let short = short(hash);
        let of_hash = self.tables[table(hash)].iter_hash(u64::from(short));
        of_hash.filter(move |entry| entry.hash == short).map(|entry| entry.slot)
    }
}

/// The same in every process: which table is used does not depend on chance.
fn hash(queue: u32, name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    queue.hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

fn table(hash: u64) -> usize {
    (hash >> 52) as usize % TABLES
}

fn short(hash: u64) -> u32 {
    (hash & 0xFFFF_FFFF) as u32
}
