//! Remove items in any state by their ids.

use redrive_model::{DeleteItems, EndReason, OpContext, Rejection, check_count};

use crate::fact::Fact;
use crate::{Apply, Facts, State};

impl Apply for DeleteItems {
    type Reply = Result<u64, Rejection>;

    /// Returns the number of removed items.
    fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        check_count("ids", self.ids.len())?;
        let is_here = |slot: &u32| state.items.get(*slot).is_some_and(|item| item.partition == self.partition);
        let mut slots: Vec<u32> = self.ids.iter().filter_map(|id| state.slot_of(number, *id)).filter(is_here).collect();
        slots.sort_unstable();
        slots.dedup();
        Ok(state.purge_slots(slots, facts))
    }
}

impl State {
    /// Removes the items in these slots, which must not repeat. Returns their number.
    pub(super) fn purge_slots(&mut self, slots: Vec<u32>, facts: &mut Facts) -> u64 {
        let count = slots.len() as u64;
        let is_letter = |slot: &&u32| self.items.get(**slot).is_some_and(|item| item.letter().is_some());
        let change = self.feed.numbers(slots.iter().filter(is_letter).count() as u64);
        if count > 0 {
            self.record(Fact::Gone { ending: EndReason::Purged, slots, change }, facts);
        }
        count
    }
}
