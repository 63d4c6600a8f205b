//! Giving back the slots of items that are gone.

use super::State;

impl State {
    /// Items that are there: in a slot, and not gone for everybody.
    pub(crate) fn present(&self) -> u64 {
        self.items.count() - self.pending_reclaim.count()
    }

    /// Slots that can be given back.
    pub(crate) fn reclaimable_slots(&self, limit: usize) -> Vec<u32> {
        self.pending_reclaim.next(limit)
    }

    /// Gives a doomed item's slot and documents back.
    pub(super) fn reclaim(&mut self, slot: u32) {
        // One that recovery never heard of has no slot to give back.
        let Some(item) = self.items.lift(slot) else { return };
        self.items.release(slot);
        self.damaged.remove(&slot);
        self.pending_reclaim.reclaimed(slot, &item);
        if let Some(letter) = item.letter() {
            self.feed.forget(letter.change);
        }
        self.forget_names(slot, &item);
        self.timers.cancel(item.timer(), slot);
        for place in item.places() {
            self.free(place);
        }
    }
}
