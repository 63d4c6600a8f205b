//! Lookups in the existing items of a queue.

use redrive_core::LetterId;
use redrive_model::capture::{MessageIndex, Peer, QueueIndex};
use redrive_model::{CaptureBatch, Coordinates};

use super::State;

/// Lookups in the items of a queue through the indexes of the state.
pub(crate) struct QueueItems<'s> {
    pub(crate) state: &'s State,
    pub(crate) queue: u32,
}

impl MessageIndex for QueueItems<'_> {
    fn by_coordinates(&self, of: &Coordinates) -> Option<Peer<'_>> {
        let slot = self.state.slot_of_coordinates(self.queue, of)?;
        Some(Peer { slot, item: self.state.items.get(slot)? })
    }

    fn by_source<'n>(&'n self, id: &'n str) -> impl Iterator<Item = Peer<'n>> {
        self.state.items_of_source(self.queue, id).map(|(slot, item)| Peer { slot, item })
    }
}

impl QueueIndex for QueueItems<'_> {
    fn are_known(&self, letters: &CaptureBatch) -> Vec<bool> {
        let sources = letters.iter().map(|letter| Some(letter.source_id.as_bytes()));
        let messages = letters.pending().map(|pending| pending.coordinates().map(<[u8; 16]>::as_slice));
        let mut are_known = self.state.sources.may_contain(self.queue, sources);
        let are_captured = self.state.coordinates.may_contain(self.queue, messages);
        for (is_known, is_captured) in are_known.iter_mut().zip(are_captured) {
            *is_known |= is_captured;
        }
        are_known
    }

    fn letter(&self, id: LetterId) -> Option<Peer<'_>> {
        let (slot, _) = self.state.slot_of_letter(self.queue, id)?;
        Some(Peer { slot, item: self.state.items.get(slot)? })
    }

    fn dependents(&self, id: LetterId) -> usize {
        self.state.waiting_for(id)
    }

    fn live_letters(&self) -> u64 {
        self.state.queues.get(&self.queue).map_or(0, |queue| queue.letters.live())
    }
}
