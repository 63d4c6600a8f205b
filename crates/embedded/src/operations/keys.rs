//! Operations on the key space.

use redrive_model::{GetKey, ScanKeys, WriteKeys};
use redrive_queue::{State, View};
use redrive_store::StoreError;

use super::Execute;
use crate::answer::Answer;
use crate::disk_space;
use crate::executor::Executor;

impl Execute for WriteKeys {
    fn bytes_max(&self, _: &State) -> usize {
        disk_space::keys(&self.writes)
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        executor.apply(self)
    }
}

impl Execute for GetKey {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Ok(Answer::to::<Self>(self.view(executor.state)))
    }
}

impl Execute for ScanKeys {
    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
        Ok(Answer::to::<Self>(self.view(executor.state)))
    }
}
