//! Schedule overflow letters once their queue has space.
//!
//! The end of another letter does not trigger this: there are many ways to end, and some of them end thousands of
//! letters at once. Instead, a timer is due as long as an overflow letter can be admitted, and the tick admits it.

use redrive_model::{OpContext, transition};

use crate::{Facts, State};

impl State {
    /// Admits the oldest overflow letters, up to `limit`. Returns their number.
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
