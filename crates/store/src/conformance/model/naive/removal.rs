//! Clearing, deleting and purging.

use redrive_model::{Clear, DeleteItems, EndReason, ItemState, Purge, Rejection};

use super::item::{Item, Number};
use super::{Expected, Model};

impl Model {
    pub fn clear(&mut self, clear: &Clear) -> Result<Expected, Rejection> {
        let queue = self.named(&clear.queue)?.number;
        if !clear.ready && !clear.scheduled {
            return Err(Rejection::NothingToClear);
        }
        let is_cleared = |item: &Item| match item.info.state {
            ItemState::Ready | ItemState::Stranded => clear.ready,
            ItemState::Leased { .. } => clear.ready && clear.destructive,
            ItemState::Scheduled { .. } | ItemState::Due { .. } => clear.scheduled,
            ItemState::Finished | ItemState::Damaged => false,
        };
        // Letters first, by status and age, since each has an entry in the feed. Then the others, partition by
        // partition.
        let mut cleared: Vec<&Item> =
            self.items.iter().filter(|item| item.queue == queue && is_cleared(item)).collect();
        cleared.sort_by_key(|item| {
            let letter = item.letter().map(|letter| (letter.status, letter.id));
            (letter.is_none(), letter, item.info.partition)
        });
        let cleared: Vec<Number> = cleared.into_iter().map(|item| item.number).collect();
        let count = self.purge(&cleared);
        if clear.ready && count > 0 {
            self.queue_mut(queue).ready_cleared = self.newest_order();
        }
        self.queue_mut(queue).was_cleared |= clear.scheduled;
        Ok(Expected::Count(count))
    }

    pub fn delete_items(&mut self, delete: &DeleteItems) -> Result<Expected, Rejection> {
        let queue = self.with_partition(&delete.queue, Some(delete.partition))?.number;
        if delete.ids.is_empty() {
            return Err(Rejection::Empty { what: "ids" });
        }
        let found = delete.ids.iter().filter_map(|id| self.by_id(queue, *id));
        let here = found.filter(|item| item.info.partition == delete.partition);
        let numbers = self.in_order(here);
        Ok(Expected::Count(self.purge(&numbers)))
    }

    pub fn purge_letters(&mut self, purge: &Purge) -> Result<Expected, Rejection> {
        let queue = self.named(&purge.queue)?.number;
        if purge.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let found = purge.letters.iter().filter_map(|id| self.by_letter(queue, *id).ok());
        let numbers = self.in_order(found);
        Ok(Expected::Count(self.purge(&numbers)))
    }

    /// Removes items one after the other.
    fn purge(&mut self, numbers: &[Number]) -> u64 {
        for number in numbers {
            self.end(*number, EndReason::Purged);
        }
        numbers.len() as u64
    }
}
