//! Operations on the feed of changed letters.

use redrive_model::{Cursor, ReadChanges};
use redrive_queue::{LetterChange, State, View};
use redrive_store::StoreError;

use super::Execute;
use crate::answer::{Answer, ReplyShape};
use crate::executor::Executor;
use crate::persistence::DocumentSelection;

impl Execute for Cursor {
    fn bytes_max(&self, _: &State) -> usize {
        1024
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for ReadChanges {
    /// Returns the current changes. If there are none, the writer makes the request wait.
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let page = self.view(executor.state)?;
        let letters = page.changes.iter().filter_map(|change| match change {
            LetterChange::Now { item, .. } => Some((**item).clone()),
            LetterChange::Gone { .. } | LetterChange::QueueGone { .. } => None,
        });
        let letters = letters.collect();
        let shape = ReplyShape::Changes { changes: page.changes, position: page.position, depth: page.depth };
        Ok(executor.items(letters, shape, DocumentSelection::All))
    }
}
