//! The storage of items: numbered slots in chunks.
//!
//! A vector that doubles would copy half a gigabyte at five million items on the writer thread. Chunks are added one by
//! one, and an item never moves. The lowest free slot is used first, so that the same history uses the same slots
//! before and after a restart.

use std::collections::BTreeSet;

use redrive_model::Item;

const CHUNK: usize = 1024;

/// Items by slot.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    chunks: Vec<Box<[Option<Item>]>>,
    /// Free slots below `len`.
    free: BTreeSet<u32>,
    /// The number of slots that were ever used.
    len: u32,
}

impl Slab {
    /// The slots of the next items, in order.
    pub(crate) fn next_frees(&self) -> impl Iterator<Item = u32> {
        self.free.iter().copied().chain(self.len..u32::MAX)
    }

    /// Whether a slot is free and not so far beyond `len` that the chunks in between would waste memory.
    pub(crate) fn is_usable(&self, slot: u32) -> bool {
        const GAP_MAX: u32 = 65_536;
        if slot < self.len { self.free.contains(&slot) } else { slot - self.len < GAP_MAX && slot < u32::MAX }
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&Item> {
        let slot = slot as usize;
        self.chunks.get(slot / CHUNK)?[slot % CHUNK].as_ref()
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut Item> {
        let slot = slot as usize;
        self.chunks.get_mut(slot / CHUNK)?[slot % CHUNK].as_mut()
    }

    /// Reserves a slot for an item.
    pub(crate) fn reserve(&mut self, slot: u32) {
        while self.chunks.len() <= slot as usize / CHUNK {
            self.chunks.push(std::iter::repeat_with(|| None).take(CHUNK).collect());
        }
        if slot >= self.len {
            self.free.extend(self.len..slot);
            self.len = slot + 1;
        } else {
            self.free.remove(&slot);
        }
    }

    /// Puts an item into a reserved slot.
    pub(crate) fn put(&mut self, slot: u32, item: Item) {
        let at = slot as usize;
        if let Some(chunk) = self.chunks.get_mut(at / CHUNK) {
            chunk[at % CHUNK] = Some(item);
        }
    }

    /// Takes an item out of its slot, which stays reserved.
    pub(crate) fn take(&mut self, slot: u32) -> Option<Item> {
        let at = slot as usize;
        self.chunks.get_mut(at / CHUNK)?[at % CHUNK].take()
    }

    /// Frees an empty slot.
    pub(crate) fn release(&mut self, slot: u32) {
        self.free.insert(slot);
    }

    /// The slots from `from` on, used or not.
    pub(crate) fn slots(&self, from: u32) -> std::ops::Range<u32> {
        from.min(self.len)..self.len
    }

    /// The number of slots that are not free.
    pub(crate) fn count(&self) -> u64 {
        u64::from(self.len) - self.free.len() as u64
    }
}
