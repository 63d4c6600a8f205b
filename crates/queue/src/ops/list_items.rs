//! Look at the items of a queue.

use redrive_model::{GetItem, ListItems, Rejection, Which};

use crate::{LocatedItem, State, View};

impl View for ListItems {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        let partition = state.queues.get(&number).and_then(|queue| queue.partition(self.partition));
        let partition = partition.ok_or_else(|| Rejection::NoSuchPartition(i64::from(self.partition)))?;
        let from = State::serial_of(self.pivot);
        let shown = |slot| state.items.get(slot).map(|item| LocatedItem::of(slot, item));
        // A foreign id may have any serial number: what counts is the order of the ids themselves.
        let is_behind = |located: &LocatedItem| self.pivot.is_none_or(|pivot| located.info.id.ksuid() >= pivot);
        let mut bytes = 0;
        let fits = |located: &LocatedItem| {
            let has_room = bytes < Self::BYTES_MAX;
            // Were the item at the pivot counted, a large one would be all that is ever listed from there on.
            if self.pivot != Some(located.info.id.ksuid()) {
                bytes += located.content.len as usize;
            }
            has_room
        };
        Ok(match self.which {
            Which::Items => {
                let items = partition.items_from(from).filter_map(shown).filter(is_behind);
                items.take_while(fits).take(self.limit).collect()
            }
            Which::Scheduled | Which::Damaged => {
                let is_scheduled = self.which == Which::Scheduled;
                let order = if is_scheduled { &partition.scheduled } else { &partition.damaged };
                let slots = order.range_from(from).map(|key| key.slot);
                slots.filter_map(shown).filter(is_behind).take_while(fits).take(self.limit).collect()
            }
        })
    }
}

impl View for GetItem {
    type Reply = Result<LocatedItem, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let slot = state.slot_of(number, self.id).ok_or(Rejection::NoSuchItem(self.id))?;
        state.items.get(slot).map(|item| LocatedItem::of(slot, item)).ok_or(Rejection::NoSuchItem(self.id))
    }
}
