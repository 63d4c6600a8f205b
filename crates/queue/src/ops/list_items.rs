//! List the items of a queue.

use redrive_model::{GetItem, ItemListKind, ListItems, Rejection};

use crate::{LocatedItem, State, View};

impl View for ListItems {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        let partition = state.queues.get(&number).and_then(|queue| queue.partition(self.partition));
        let partition = partition.ok_or_else(|| Rejection::NoSuchPartition(i64::from(self.partition)))?;
        let from = State::serial_of(self.pivot);
        let shown = |slot| state.located(slot);
        // An id from outside may have any serial number: the order of the ids decides.
        let is_after = |located: &LocatedItem| self.pivot.is_none_or(|pivot| located.info.id.ksuid() >= pivot);
        let mut bytes = 0;
        let fits = |located: &LocatedItem| {
            let has_space = bytes < Self::BYTES_MAX;
            // The item at the pivot is not counted: otherwise a large one would be the only item of its page, and
            // paging would never get past it.
            if self.pivot != Some(located.info.id.ksuid()) {
                bytes += located.content.len as usize;
            }
            has_space
        };
        let slots: Box<dyn Iterator<Item = u32>> = match self.which {
            ItemListKind::Items => Box::new(partition.items_from(from)),
            ItemListKind::All => Box::new(partition.all_from(from)),
            ItemListKind::Scheduled => Box::new(partition.scheduled.range_from(from).map(|key| key.slot)),
            ItemListKind::Damaged => Box::new(partition.damaged.range_from(from).map(|key| key.slot)),
        };
        Ok(slots.filter_map(shown).filter(is_after).take_while(fits).take(self.limit).collect())
    }
}

impl View for GetItem {
    type Reply = Result<LocatedItem, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let slot = state.slot_of(number, self.id).ok_or(Rejection::NoSuchItem(self.id))?;
        state.located(slot).ok_or(Rejection::NoSuchItem(self.id))
    }
}
