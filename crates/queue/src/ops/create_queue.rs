//! Create a queue.

use redrive_core::QueueName;
use redrive_model::{CreateQueue, OpContext, QueueSettings, Rejection};

use crate::fact::Fact;
use crate::{Apply, Facts, State};

impl Apply for CreateQueue {
    type Reply = Result<QueueSettings, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let settings = QueueSettings {
            created_at: op.now,
            updated_at: op.now,
            requested_partitions: self.settings.partitions,
            ..self.settings
        };
        if state.names.contains_key(&settings.name) {
            return Err(Rejection::QueueExists(settings.name));
        }
        check_dead_queue(state, &settings.name, settings.dead_queue.as_ref())?;
        settings.check()?;
        settings.letters.check(&state.letter_settings)?;
        let queue = state.next_queue;
        state.record(Fact::QueueSet { queue, settings: Box::new(settings.clone()) }, facts);
        Ok(settings)
    }
}

/// Checks that dead queues form no chains and no cycles: a dead queue has no dead queue.
pub(super) fn check_dead_queue(state: &State, name: &QueueName, dead: Option<&QueueName>) -> Result<(), Rejection> {
    let Some(dead) = dead else { return Ok(()) };
    if dead.as_str().len() > QueueSettings::DEAD_QUEUE_BYTES_MAX {
        return Err(Rejection::DeadQueueNameTooLong);
    }
    if dead == name {
        return Err(Rejection::OwnDeadQueue);
    }
    let (_, target) = state.named(dead).map_err(|_| Rejection::NoDeadQueue(dead.clone()))?;
    if target.settings.dead_queue.is_some() {
        return Err(Rejection::DeadQueueHasDeadQueue(dead.clone()));
    }
    match user_of(state, name) {
        Some(_) => Err(Rejection::IsDeadQueue(name.clone())),
        None => Ok(()),
    }
}

/// A queue that uses this queue as its dead queue.
pub(super) fn user_of<'s>(state: &'s State, name: &QueueName) -> Option<&'s QueueName> {
    let user = state.queues.values().find(|queue| queue.settings.dead_queue.as_ref() == Some(name));
    user.map(|queue| &queue.settings.name)
}
