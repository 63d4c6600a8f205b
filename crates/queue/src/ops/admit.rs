//! Schedule letters that were over the size of their queue, now that there is room.
//!
//! They are not told when a letter ends, for there are many ways to end and some of them take thousands along. Time
//! finds them: as long as there is room for somebody who waits, something is due.

use crate::fact::Facts;
use crate::queue::Why;
use crate::state::NO_DOCUMENT;
use crate::{Moment, State};

impl State {
    /// Admits the oldest of those who wait, no more than so many; gives how many.
    pub(super) fn admit(&mut self, limit: usize, moment: Moment, facts: &mut Facts) -> usize {
        let mut slots = Vec::new();
        for queue in self.overflowing.iter().filter_map(|number| self.queues.get(number)) {
            let room = usize::try_from(queue.room(&self.treatment)).unwrap_or(usize::MAX);
            slots.extend(queue.overflow.iter().map(|key| key.slot).take(room.min(limit - slots.len())));
        }
        for slot in &slots {
            let Some(mut item) = self.items.get(*slot).cloned() else { continue };
            if let Some(letter) = item.letter_mut() {
                letter.is_overflow = false;
            }
            let settled = self.settle(&item, moment);
            let item = self.parked(item, settled, moment);
            self.revise(*slot, Why::Admitted, NO_DOCUMENT, facts, |old| *old = item);
        }
        slots.len()
    }
}
