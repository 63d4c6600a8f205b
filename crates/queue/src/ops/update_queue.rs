//! Change the settings of a queue.

use redrive_model::{OpContext, QueueSettings, Rejection, UpdateQueue};

use super::create_queue::check_dead_queue;
use crate::fact::Fact;
use crate::{Apply, Facts, State};

impl Apply for UpdateQueue {
    type Reply = Result<QueueSettings, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let (number, queue) = state.named(&self.name)?;
        let was_paused = queue.settings.is_paused;
        let changes_letters = self.letters.is_some();
        let settings = self.merged(&queue.settings, op.now);
        check_dead_queue(state, &settings.name, settings.dead_queue.as_ref())?;
        settings.check()?;
        // A policy that the defaults of the store no longer support is rejected only if the caller changes letter
        // settings.
        if changes_letters {
            settings.letters.check(&state.letter_settings)?;
        }
        state.record(Fact::QueueSet { queue: number, settings: Box::new(settings.clone()) }, facts);
        if was_paused {
            state.wake(number);
        }
        Ok(settings)
    }
}
