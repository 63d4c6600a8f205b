//! Look at the items of a queue.

use redrive_core::{ItemId, Ksuid, QueueName};

use crate::{ItemInfo, Refusal, State};

/// Which items a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that are ready or held.
    Items,
    Scheduled,
}

/// Items of a partition in the order of their ids, from `pivot` on.
#[derive(Debug, Clone)]
pub struct ListItems {
    pub queue: QueueName,
    pub partition: u32,
    pub which: Which,
    /// The first id; where there is none of that name, the next greater one.
    pub pivot: Option<Ksuid>,
    pub limit: usize,
}

impl ListItems {
    pub fn view(&self, state: &State) -> Result<Vec<ItemInfo>, Refusal> {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        let partition = state.queues.get(&number).and_then(|queue| queue.partition(self.partition));
        let partition = partition.ok_or_else(|| Refusal::NoSuchPartition(i64::from(self.partition)))?;
        let from = State::serial_of(self.pivot);
        let shown = |slot| state.items.get(slot).map(|item| ItemInfo::of(slot, item));
        // A foreign id may have any serial number: what counts is the order of the ids themselves.
        let is_behind = |info: &ItemInfo| self.pivot.is_none_or(|pivot| info.id.ksuid() >= pivot);
        Ok(match self.which {
            Which::Items => partition.items_from(from).filter_map(shown).filter(is_behind).take(self.limit).collect(),
            Which::Scheduled => {
                let slots = partition.scheduled.range_from(from).map(|key| key.slot);
                slots.filter_map(shown).filter(is_behind).take(self.limit).collect()
            }
        })
    }
}

/// One item by its id of today.
#[derive(Debug, Clone)]
pub struct GetItem {
    pub queue: QueueName,
    pub id: ItemId,
}

impl GetItem {
    pub fn view(&self, state: &State) -> Result<ItemInfo, Refusal> {
        let number = state.queue_number(&self.queue)?;
        let slot = state.slot_of(number, self.id).ok_or(Refusal::NoSuchItem(self.id))?;
        state.items.get(slot).map(|item| ItemInfo::of(slot, item)).ok_or(Refusal::NoSuchItem(self.id))
    }
}
