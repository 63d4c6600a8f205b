//! Operations on letters.

use redrive_model::{
    Annotate, Archive, BulkAction, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Edit, FindLetters,
    GetCaptureSettings, GetLetter, Groups, ListLetters, Purge, Reinstate, Rejection, Restore, RestoreIfUnchanged,
    Resume,
};
use redrive_queue::{Apply, State, View};
use redrive_store::{Op, StoreError};

use super::Execute;
use crate::answer::{Answer, ReplyShape};
use crate::disk_space::{self, JSON, LEASE, LETTER, PLAIN_ATTEMPT};
use crate::executor::Executor;
use crate::persistence::DocumentSelection;

impl Execute for Capture {
    /// Each may supersede another letter, or merge with an existing one. Counting a rejection takes less than a letter.
    fn bytes_max(&self, _: &State) -> usize {
        self.letters.iter().map(|letter| LETTER + disk_space::new_letter(letter)).sum()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for GetCaptureSettings {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.view(&self)
    }
}

impl Execute for ClaimDue {
    /// Waiting claims are served together, within a separate allowance.
    fn bytes_max(&self, _: &State) -> usize {
        LEASE
    }

    /// Never called: the writer makes claims wait and serves all waiting ones together.
    fn execute(self, _: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Err(StoreError::WrongAnswer)
    }
}

impl Execute for ClaimById {
    fn bytes_max(&self, _: &State) -> usize {
        disk_space::letters(self.letters.len())
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let settings = executor.state.letter_settings_of(&self.queue);
        let settings = settings.ok_or_else(|| Rejection::NoSuchQueue(self.queue.clone()))?;
        let claimed = self.apply(executor.state, executor.op, executor.facts)?;
        Ok(executor.items(claimed, ReplyShape::Claimed { wrap: Self::wrap, settings }, DocumentSelection::ForDelivery))
    }
}

impl Execute for Archive {
    fn bytes_max(&self, _: &State) -> usize {
        disk_space::letters(self.letters.len())
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Restore {
    fn bytes_max(&self, state: &State) -> usize {
        let waiting: usize = self.letters.iter().map(|id| state.waiting_for(*id)).sum();
        disk_space::letters(self.letters.len() + waiting) + self.letters.len() * PLAIN_ATTEMPT
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Reinstate {
    fn bytes_max(&self, state: &State) -> usize {
        let ids = self.letters.iter().filter_map(|full| full.info.letter.as_ref()).map(|letter| letter.id);
        let waiting: usize = ids.map(|id| state.waiting_for(id)).sum();
        disk_space::letters(waiting) + self.letters.iter().map(disk_space::full_letter).sum::<usize>()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for RestoreIfUnchanged {
    fn bytes_max(&self, state: &State) -> usize {
        let waiting: usize = self.letters.iter().map(|seen| state.waiting_for(seen.id)).sum();
        disk_space::letters(self.letters.len() + waiting) + self.letters.len() * PLAIN_ATTEMPT
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Resume {
    fn bytes_max(&self, _: &State) -> usize {
        let actor = self.actor.as_ref().map_or(0, |actor| JSON * actor.len());
        disk_space::letters(self.letters.len()) + self.letters.len() * (PLAIN_ATTEMPT + actor)
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Edit {
    fn bytes_max(&self, _: &State) -> usize {
        LETTER + self.content.as_ref().map_or(0, |content| content.bytes_max())
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Purge {
    fn bytes_max(&self, _: &State) -> usize {
        self.letters.len() * 8
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for ChangeIfUnchanged {
    fn bytes_max(&self, _: &State) -> usize {
        match self.act {
            BulkAction::Archive => disk_space::letters(self.letters.len()),
            BulkAction::Purge => self.letters.len() * 8,
        }
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for Annotate {
    fn bytes_max(&self, _: &State) -> usize {
        LETTER + self.note.len()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for GetLetter {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let letter = self.view(executor.state)?;
        Ok(executor.items(vec![letter], ReplyShape::Letter, DocumentSelection::All))
    }
}

impl Execute for ListLetters {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        let letters = self.view(executor.state)?;
        Ok(executor.items(letters, ReplyShape::Items(Self::wrap), DocumentSelection::Content))
    }
}

impl Execute for FindLetters {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.view(&self)
    }
}

impl Execute for Groups {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.view(&self)
    }
}
