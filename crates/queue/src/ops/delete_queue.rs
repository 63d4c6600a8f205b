//! Delete a queue with all of its items.

use redrive_model::{DeleteQueue, OpContext, Rejection};

use super::create_queue::user_of;
use crate::fact::Fact;
use crate::{Apply, Facts, State};

impl Apply for DeleteQueue {
    type Reply = Result<(), Rejection>;

    fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> Self::Reply {
        let queue = state.queue_number(&self.name)?;
        if !self.force
            && let Some(of) = user_of(state, &self.name)
        {
            return Err(Rejection::QueueInUse { queue: self.name, of: of.clone() });
        }
        let change = state.feed.numbers(1);
        state.record(Fact::QueueGone { queue, change }, facts);
        Ok(())
    }
}
