//! Schedule letters that were over the size of their queue, now that there is room.
//!
//! A letter that ends does not look for them: there are many ways to end, and some of them end thousands at once. The
//! clock finds them: as long as there is room for one that waits, a timer is due.

use redrive_model::{OpContext, transition};

use crate::{Facts, State};

impl State {
    /// Admits the oldest of those that wait, up to `limit`; gives how many.
    pub(super) fn admit(&mut self, limit: usize, op: OpContext, facts: &mut Facts) -> usize {
        let mut slots = Vec::new();
        for queue in self.overflowing.iter().filter_map(|number| self.queues.get(number)) {
            let room = usize::try_from(queue.room()).unwrap_or(usize::MAX);
            slots.extend(queue.overflow.iter().map(|key| key.slot).take(room.min(limit - slots.len())));
        }
        for slot in &slots {
            self.transit(*slot, op, facts, |item, rules, stamps| transition::admit(item, rules, op, stamps));
        }
        slots.len()
    }
}
