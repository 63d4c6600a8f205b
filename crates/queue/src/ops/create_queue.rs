//! Make a queue.

use redrive_core::QueueName;

use crate::fact::{Fact, Facts};
use crate::{Moment, QueueSettings, Refusal, State};

/// Makes a queue with these settings; the times in them are set here.
#[derive(Debug, Clone)]
pub struct CreateQueue {
    pub settings: QueueSettings,
}

impl CreateQueue {
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<QueueSettings, Refusal> {
        let settings = QueueSettings {
            created_at: moment.now,
            updated_at: moment.now,
            requested_partitions: self.settings.partitions,
            ..self.settings
        };
        if state.names.contains_key(&settings.name) {
            return Err(Refusal::QueueExists(settings.name));
        }
        check_dead_queue(state, &settings.name, settings.dead_queue.as_ref())?;
        settings.check()?;
        settings.letters.check(&state.treatment)?;
        let queue = state.next_queue;
        state.record(Fact::QueueSet { queue, settings: Box::new(settings.clone()) }, facts);
        Ok(settings)
    }
}

/// Dead queues make no chains and no cycles: what dies in one has nowhere else to go.
pub(super) fn check_dead_queue(state: &State, name: &QueueName, dead: Option<&QueueName>) -> Result<(), Refusal> {
    let Some(dead) = dead else { return Ok(()) };
    if dead.as_str().len() > QueueSettings::DEAD_QUEUE_BYTES_MAX {
        return Err(Refusal::DeadQueueNameTooLong);
    }
    if dead == name {
        return Err(Refusal::OwnDeadQueue);
    }
    let (_, target) = state.named(dead).map_err(|_| Refusal::NoDeadQueue(dead.clone()))?;
    if target.settings.dead_queue.is_some() {
        return Err(Refusal::DeadQueueHasDeadQueue(dead.clone()));
    }
    match user_of(state, name) {
        Some(_) => Err(Refusal::IsDeadQueue(name.clone())),
        None => Ok(()),
    }
}

/// A queue whose dead queue this is.
pub(super) fn user_of<'s>(state: &'s State, name: &QueueName) -> Option<&'s QueueName> {
    let user = state.queues.values().find(|queue| queue.settings.dead_queue.as_ref() == Some(name));
    user.map(|queue| &queue.settings.name)
}
