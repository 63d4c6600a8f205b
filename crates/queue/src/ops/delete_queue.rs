//! Remove a queue with everything in it.

use redrive_core::QueueName;

use super::create_queue::user_of;
use crate::fact::{Fact, Facts};
use crate::{Moment, Refusal, State};

/// Removes a queue at once; the room of its items is given back by and by. A queue of the same name starts empty.
#[derive(Debug, Clone)]
pub struct DeleteQueue {
    pub name: QueueName,
    /// Also when others name it as their dead queue: what dies there waits until it is made again.
    pub force: bool,
}

impl DeleteQueue {
    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> Result<(), Refusal> {
        let queue = state.queue_number(&self.name)?;
        if !self.force
            && let Some(of) = user_of(state, &self.name)
        {
            return Err(Refusal::QueueInUse { queue: self.name, of: of.clone() });
        }
        let change = state.feed.numbers(1);
        state.record(Fact::QueueGone { queue, change }, facts);
        Ok(())
    }
}
