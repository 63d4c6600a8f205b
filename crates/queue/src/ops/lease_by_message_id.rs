//! Lease one item by its message id.

use redrive_model::{Item, LeaseByMessageId, OpContext, Phase, Rejection, transition};

use crate::{Apply, Facts, LocatedItem, State};

impl Apply for LeaseByMessageId {
    type Reply = Result<Option<LocatedItem>, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let (number, queue) = state.named(&self.queue)?;
        self.check()?;
        if queue.settings.is_paused {
            return Ok(None);
        }
        let lease = self.lease.unwrap_or(queue.settings.lease_timeout);
        // An item may have expired although no tick has processed it yet.
        let is_free = |item: &Item| {
            item.letter().is_none()
                && matches!(item.phase, Phase::Ready | Phase::Scheduled)
                && item.expires_at >= op.now
        };
        let slot = state.slot_of_source(number, &self.message_id);
        let Some(slot) = slot.filter(|slot| state.items.get(*slot).is_some_and(is_free)) else { return Ok(None) };
        state.transit(slot, op, facts, |item, _, stamps| {
            transition::lease_by_message_id(item, lease, self.notes_receipt, op, stamps)
        });
        Ok(state.located(slot))
    }
}
