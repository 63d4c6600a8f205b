//! Import items from another store.

use redrive_model::transition::{NewDocument, imported};
use redrive_model::{Event, Import, ImportItem, ItemInfo, OpContext, Rejection, check_count};

use crate::{Apply, Facts, State};

impl Apply for Import {
    type Reply = Result<Vec<Option<ItemInfo>>, Rejection>;

    /// Returns one result per item, in order; `None` for skipped items.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.named_with_partition(&self.queue, Some(self.partition))?;
        check_count("items", self.items.len())?;
        self.items.iter().try_for_each(ImportItem::check)?;
        if state.items.next_frees().nth(self.items.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let imported = self.items.into_iter().map(|mut import| {
            if import.source_id.as_deref().is_some_and(|id| state.slot_of_source(number, id).is_some()) {
                return None;
            }
            let slot = state.items.next_frees().next()?;
            let rules = state.queues.get(&number)?.rules(&state.policy);
            let item = imported(&mut import, &rules, (number, self.partition), op, &mut state.stamps);
            state.arrive(slot, item, Event::Imported, [NewDocument::Content(import.content)], facts);
            state.items.get(slot).map(|item| ItemInfo::of(slot, item))
        });
        Ok(imported.collect())
    }
}
