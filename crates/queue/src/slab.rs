//! Where items lie: slots with numbers, in chunks.
//!
//! A vector that doubles would copy half a gigabyte at five million items, under the writer. Chunks are
//! added one by one, and an item never moves. The lowest free slot is taken first, so that the same history
//! takes the same slots, before a restart and after it.

use std::collections::BTreeSet;

use redrive_model::Item;

const CHUNK: usize = 1024;

/// Items by slot.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    chunks: Vec<Box<[Option<Item>]>>,
    /// Slots below `len` that hold nothing.
    free: BTreeSet<u32>,
    /// Slots that were ever used.
    len: u32,
}

impl Slab {
    /// The slots that the next items get, one after the other.
    pub(crate) fn next_frees(&self) -> impl Iterator<Item = u32> {
        self.free.iter().copied().chain(self.len..u32::MAX)
    }

    /// Whether nothing is in a slot, and it is not so far behind the others that a few items would take the room of many.
    pub(crate) fn is_near_and_free(&self, slot: u32) -> bool {
        const NEAR: u32 = 65_536;
        if slot < self.len { self.free.contains(&slot) } else { slot - self.len < NEAR && slot < u32::MAX }
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&Item> {
        let slot = slot as usize;
        self.chunks.get(slot / CHUNK)?[slot % CHUNK].as_ref()
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut Item> {
        let slot = slot as usize;
        self.chunks.get_mut(slot / CHUNK)?[slot % CHUNK].as_mut()
    }

    /// Takes a slot for an item that is about to be put in.
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

    /// Puts an item into a slot that is reserved.
    pub(crate) fn put(&mut self, slot: u32, item: Item) {
        let at = slot as usize;
        if let Some(chunk) = self.chunks.get_mut(at / CHUNK) {
            chunk[at % CHUNK] = Some(item);
        }
    }

    /// Takes an item out of its slot, which stays reserved.
    pub(crate) fn lift(&mut self, slot: u32) -> Option<Item> {
        let at = slot as usize;
        self.chunks.get_mut(at / CHUNK)?[at % CHUNK].take()
    }

    /// Gives back a slot that is empty.
    pub(crate) fn release(&mut self, slot: u32) {
        self.free.insert(slot);
    }

    /// Slots from `from` on, used or not.
    pub(crate) fn slots(&self, from: u32) -> std::ops::Range<u32> {
        from.min(self.len)..self.len
    }

    /// How many slots are not free.
    pub(crate) fn count(&self) -> u64 {
        u64::from(self.len) - self.free.len() as u64
    }
}
