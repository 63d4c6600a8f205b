//! Operations on queues.

use redrive_model::{
    CreateQueue, DeleteQueue, GetConservation, GetQueue, GetStats, LetterOverrides, ListQueues, QueueSettings,
    UpdateQueue,
};
use redrive_queue::State;
use redrive_store::StoreError;

use super::Execute;
use crate::answer::Answer;
use crate::disk_space::JSON;
use crate::executor::Executor;

/// The size of a queue's settings without its texts.
const SETTINGS: usize = 16 * 1024;

impl Execute for CreateQueue {
    fn bytes_max(&self, _: &State) -> usize {
        SETTINGS + self.settings.reference.len() * JSON + self.settings.letters.bytes_max()
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for UpdateQueue {
    fn bytes_max(&self, state: &State) -> usize {
        let letters = self.letters.as_ref().map(LetterOverrides::bytes_max);
        let letters = letters.unwrap_or_else(|| state.letter_settings_bytes_max(&self.name));
        let reference = self.reference.as_ref().map_or(QueueSettings::REFERENCE_BYTES_MAX, String::len);
        SETTINGS + reference * JSON + letters
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for DeleteQueue {
    fn bytes_max(&self, _: &State) -> usize {
        1024
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for GetQueue {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.view(&self)
    }
}

impl Execute for ListQueues {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Ok(Answer::to::<Self>(redrive_queue::View::view(&self, executor.state)))
    }
}

impl Execute for GetStats {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.state.catch_up(&self, executor.op.now);
        Ok(Answer::to::<Self>(executor.state.stats(&self, executor.op.now)?))
    }
}

impl Execute for GetConservation {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Ok(Answer::to::<Self>(executor.state.conservation()))
    }
}
