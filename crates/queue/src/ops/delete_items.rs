//! Remove items by their ids, whatever state they are in.

use redrive_core::{ItemId, QueueName};

use super::check_count;
use crate::fact::{Fact, Facts};
use crate::queue::Ending;
use crate::{Moment, Refusal, State};

/// Removes items of a partition. Unknown ids are passed over.
#[derive(Debug, Clone)]
pub struct DeleteItems {
    pub queue: QueueName,
    pub partition: u32,
    pub ids: Vec<ItemId>,
}

impl DeleteItems {
    /// How many were removed.
    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> Result<u64, Refusal> {
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
    /// Removes what lies in these slots, each named once.
    pub(super) fn purge_slots(&mut self, slots: Vec<u32>, facts: &mut Facts) -> u64 {
        let count = slots.len() as u64;
        let is_letter = |slot: &&u32| self.items.get(**slot).is_some_and(|item| item.letter().is_some());
        let change = self.feed.numbers(slots.iter().filter(is_letter).count() as u64);
        if count > 0 {
            self.record(Fact::Gone { ending: Ending::Purged, slots, change }, facts);
        }
        count
    }
}
