//! Operations on items.

use redrive_model::{
    Clear, DeleteItems, Extend, GetItem, Import, Lease, LeaseByMessageId, ListItems, Produce, Settle, SettleAction,
    Settlement,
};
use redrive_queue::{Apply, State, View};
use redrive_store::{Op, StoreError};

use super::Execute;
use crate::answer::{Answer, ReplyShape};
use crate::disk_space::{self, COMPLETED, ITEM, LEASE, LETTER, REMEMBERED_ID};
use crate::executor::Executor;
use crate::persistence::DocumentSelection;

impl Execute for Produce {
    fn bytes_max(&self, state: &State) -> usize {
        let items = self.items.iter().map(|item| {
            let remembered = item.remember_for.map_or(0, |_| REMEMBERED_ID);
            ITEM + item.content.bytes_max() + item.message_id.as_ref().map_or(0, |id| id.len()) + remembered
        });
        let answer = self.request_id.as_ref().map_or(0, |_| disk_space::answer(self.items.len()));
        let completed = self.completes.as_ref().map_or(0, |held| {
            LETTER + disk_space::PLAIN_ATTEMPT + disk_space::letters(state.waiting_for_item(held.id))
        });
        items.sum::<usize>() + answer + completed
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Import {
    fn bytes_max(&self, _: &State) -> usize {
        let items = self.items.iter();
        items.map(|item| ITEM + item.content.bytes_max() + item.source_id.as_ref().map_or(0, |id| id.len())).sum()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Lease {
    /// Waiting leases are served together, within a separate allowance.
    fn bytes_max(&self, _: &State) -> usize {
        LEASE
    }

    /// Never called: the writer makes leases wait and serves all waiting ones together.
    fn execute(self, _: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Err(StoreError::WrongAnswer)
    }
}

impl Execute for LeaseByMessageId {
    fn bytes_max(&self, _: &State) -> usize {
        ITEM + self.message_id.len()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let leased = self.apply(executor.state, executor.op, executor.facts)?;
        Ok(executor.items(leased.into_iter().collect(), ReplyShape::LeasedItem, DocumentSelection::ForDelivery))
    }
}

impl Execute for Extend {
    /// A deadline that becomes earlier is a new record of the item.
    fn bytes_max(&self, _: &State) -> usize {
        self.ids.len() * if self.may_shorten { LETTER } else { 16 }
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Settle {
    /// Completing a plain item takes very little space, and is the main way to free a full disk: if the space of a
    /// letter were reserved for each, a few completes would find no space in half-empty segments.
    fn bytes_max(&self, state: &State) -> usize {
        let is_plain =
            |item: &&Settlement| matches!(item.action, SettleAction::Complete { .. }) && state.is_plain(item.id);
        let (plain, others): (Vec<_>, Vec<_>) = self.items.iter().partition(is_plain);
        let released: usize = others.iter().map(|item| disk_space::letters(state.waiting_for_item(item.id))).sum();
        // The slot of a plain item may contain a letter when this is executed: a late result is then recorded with it.
        let late = plain.iter().map(|item| disk_space::settlement(&item.action)).max().unwrap_or(0);
        let settled: usize = others.iter().map(|item| disk_space::settlement(&item.action)).sum();
        released + late + plain.len().saturating_sub(1) * COMPLETED + settled
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Clear {
    fn bytes_max(&self, state: &State) -> usize {
        state.letters_in(&self.queue).saturating_mul(8)
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for DeleteItems {
    fn bytes_max(&self, _: &State) -> usize {
        self.ids.len() * 8
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for ListItems {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let items = self.view(executor.state)?;
        Ok(executor.items(items, ReplyShape::Items(Self::wrap), DocumentSelection::Content))
    }
}

impl Execute for GetItem {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let item = self.view(executor.state)?;
        Ok(executor.items(vec![item], ReplyShape::Item, DocumentSelection::Content))
    }
}
