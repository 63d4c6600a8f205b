//! Executes operations on the state, recording their facts for the current batch.

use redrive_model::{OpContext, Rejection, WriteKeys};
use redrive_queue::{Apply, Facts, LocatedItem, State, View};
use redrive_store::{Op, Request, StoreError};

use crate::answer::{Answer, ReplyShape};
use crate::operations;
use crate::persistence::{DocumentSelection, Persistence};

#[derive(Debug)]
pub(crate) struct Executor<'w> {
    pub(crate) state: &'w mut State,
    pub(crate) facts: &'w mut Facts,
    pub(crate) persistence: &'w Persistence,
    pub(crate) op: OpContext,
}

impl Executor<'_> {
    /// Executes a request that does not wait, together with the key writes that accompany it: both succeed, or neither.
    pub(crate) fn execute(&mut self, request: Request, mut along: WriteKeys) -> Result<Answer, StoreError> {
        if let Request::WriteKeys(mut write) = request {
            // Merged into one list, so that all conditions are evaluated against the state before.
            write.writes.append(&mut along.writes);
            return self.apply(write);
        }
        self.state.check_keys(&along)?;
        let answer = operations::execute(request, self)?;
        // Checked above, and no other operation writes keys.
        along.apply(self.state, self.op, self.facts)?;
        Ok(answer)
    }

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
}
