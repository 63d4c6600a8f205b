//! Reclaims the slots of removed items.

use super::State;

impl State {
    /// The number of existing items: those in a slot that are not pending reclaim.
    pub(crate) fn present(&self) -> u64 {
        self.items.count() - self.pending_reclaim.count()
    }

    /// The next slots that can be reclaimed.
    pub(crate) fn reclaimable_slots(&self, limit: usize) -> Vec<u32> {
        self.pending_reclaim.next(limit)
    }

    /// Reclaims the slot and the documents of a removed item.
    pub(super) fn reclaim(&mut self, slot: u32) {
        // An item that is not in the checkpoint has no slot after a recovery.
        let Some(item) = self.items.take(slot) else { return };
        self.items.release(slot);
        self.damaged.remove(&slot);
        self.pending_reclaim.reclaimed(slot, &item);
        if let Some(letter) = item.letter() {
            self.feed.forget(letter.change);
        }
        self.unindex_names(slot, &item);
        self.timers.cancel(item.timer(), slot);
        for place in item.places() {
            self.free(place);
        }
    }
}
