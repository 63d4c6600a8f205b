//! How each operation is executed on the state machine.

use redrive_model::{
    ClaimById, GetConservation, GetKey, GetStats, ListItems, ListLetters, ListQueues, OpContext, Rejection, ScanKeys,
    WriteKeys,
};
use redrive_queue::{Apply, Facts, LetterChange, LocatedItem, State, View};
use redrive_store::{Op, Request, StoreError};

use crate::answer::{Answer, ReplyShape};
use crate::persistence::{DocumentSelection, Persistence};

/// Executes operations on the state, recording their facts for the current batch.
#[derive(Debug)]
pub(crate) struct Executor<'w> {
    pub(crate) state: &'w mut State,
    pub(crate) facts: &'w mut Facts,
    pub(crate) persistence: &'w Persistence,
    pub(crate) op: OpContext,
}

impl Executor<'_> {
    /// Applies an operation whose reply needs no documents.
    pub(crate) fn apply<O: Op + Apply<Reply = Result<<O as Op>::Reply, Rejection>>>(
        &mut self,
        op: O,
    ) -> Result<Answer, StoreError> {
        Ok(Answer::to::<O>(op.apply(self.state, self.op, self.facts)?))
    }

    /// Executes a read that needs only the state in memory.
    pub(crate) fn view<O: Op + View<Reply = Result<<O as Op>::Reply, Rejection>>>(
        &self,
        op: &O,
    ) -> Result<Answer, StoreError> {
        Ok(Answer::to::<O>(op.view(self.state)?))
    }

    /// Builds an answer of items, with those of their selected documents that are in memory.
    pub(crate) fn items(&self, items: Vec<LocatedItem>, shape: ReplyShape, selection: DocumentSelection) -> Answer {
        let entries = items.into_iter().map(|item| self.persistence.entry(item, self.facts, selection));
        Answer::Items { entries: entries.collect(), shape }
    }

    /// Executes a request that does not wait, together with the key writes that accompany it: both succeed, or neither.
    pub(crate) fn execute(&mut self, request: Request, mut along: WriteKeys) -> Result<Answer, StoreError> {
        if let Request::WriteKeys(mut write) = request {
            // Merged into one list, so that all conditions are evaluated against the state before.
            write.writes.append(&mut along.writes);
            return self.apply(write);
        }
        self.state.check_keys(&along)?;
        let answer = self.execute_alone(request)?;
        // Checked above, and no other operation writes keys.
        along.apply(self.state, self.op, self.facts)?;
        Ok(answer)
    }

    fn execute_alone(&mut self, request: Request) -> Result<Answer, StoreError> {
        match request {
            Request::CreateQueue(op) => self.apply(*op),
            Request::UpdateQueue(op) => self.apply(*op),
            Request::DeleteQueue(op) => self.apply(op),
            Request::GetQueue(op) => self.view(&*op),
            Request::ListQueues(op) => Ok(Answer::to::<ListQueues>(op.view(self.state))),
            Request::GetStats(op) => {
                self.state.catch_up(&op, self.op.now);
                Ok(Answer::to::<GetStats>(self.state.stats(&op, self.op.now)?))
            }
            Request::GetConservation(_) => Ok(Answer::to::<GetConservation>(self.state.conservation())),

            Request::Produce(op) => self.apply(op),
            Request::Import(op) => self.apply(op),
            // Never called: the writer makes leases and claims wait and serves all waiting ones together.
            Request::Lease(_) | Request::ClaimDue(_) => Err(StoreError::WrongAnswer),
            Request::LeaseByMessageId(op) => {
                let leased = op.apply(self.state, self.op, self.facts)?;
                Ok(self.items(leased.into_iter().collect(), ReplyShape::LeasedItem, DocumentSelection::ForDelivery))
            }
            Request::Extend(op) => self.apply(op),
            Request::Settle(op) => self.apply(op),
            Request::Clear(op) => self.apply(op),
            Request::DeleteItems(op) => self.apply(op),
            Request::ListItems(op) => {
                let items = op.view(self.state)?;
                Ok(self.items(items, ReplyShape::Items(ListItems::wrap), DocumentSelection::Content))
            }
            Request::GetItem(op) => {
                let item = op.view(self.state)?;
                Ok(self.items(vec![item], ReplyShape::Item, DocumentSelection::Content))
            }

            Request::Capture(op) => self.apply(op),
            Request::GetCaptureSettings(op) => self.view(&op),
            Request::ClaimById(op) => {
                let settings = self.state.letter_settings_of(&op.queue);
                let settings = settings.ok_or_else(|| Rejection::NoSuchQueue(op.queue.clone()))?;
                let claimed = op.apply(self.state, self.op, self.facts)?;
                let shape = ReplyShape::Claimed { wrap: ClaimById::wrap, settings };
                Ok(self.items(claimed, shape, DocumentSelection::ForDelivery))
            }
            Request::Archive(op) => self.apply(op),
            Request::Restore(op) => self.apply(op),
            Request::RestoreIfUnchanged(op) => self.apply(op),
            Request::Reinstate(op) => self.apply(op),
            Request::Resume(op) => self.apply(op),
            Request::HandBackLetters(op) => self.apply(op),
            Request::Edit(op) => self.apply(*op),
            Request::Purge(op) => self.apply(op),
            Request::ChangeIfUnchanged(op) => self.apply(op),
            Request::Annotate(op) => self.apply(op),
            Request::GetLetter(op) => {
                let letter = op.view(self.state)?;
                Ok(self.items(vec![letter], ReplyShape::Letter, DocumentSelection::All))
            }
            Request::ListLetters(op) => {
                let letters = op.view(self.state)?;
                Ok(self.items(letters, ReplyShape::Items(ListLetters::wrap), DocumentSelection::Content))
            }
            Request::FindLetters(op) => self.view(&*op),
            Request::Groups(op) => self.view(&op),

            Request::WriteKeys(op) => self.apply(op),
            Request::GetKey(op) => Ok(Answer::to::<GetKey>(op.view(self.state))),
            Request::ScanKeys(op) => Ok(Answer::to::<ScanKeys>(op.view(self.state))),

            Request::Cursor(op) => self.apply(op),
            // If there are no changes, the writer makes the request wait.
            Request::ReadChanges(op) => {
                let page = op.view(self.state)?;
                let letters = page.changes.iter().filter_map(|change| match change {
                    LetterChange::Now { item, .. } => Some((**item).clone()),
                    LetterChange::Gone { .. } | LetterChange::QueueGone { .. } => None,
                });
                let letters = letters.collect();
                let shape = ReplyShape::Changes { changes: page.changes, position: page.position, depth: page.depth };
                Ok(self.items(letters, shape, DocumentSelection::All))
            }
        }
    }
}
