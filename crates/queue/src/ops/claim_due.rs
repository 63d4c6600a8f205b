//! Claim due letters.

use redrive_core::{Priority, Time, Trigger};
use redrive_model::{ClaimDue, OpContext, Rejection, transition};

use crate::queue::Queue;
use crate::sorted::{DueKey, Sorted};
use crate::{Apply, Facts, LocatedItem, State};

impl Apply for &ClaimDue {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    /// Claims up to a batch of due letters. High priorities precede, and low priorities never starve.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let (number, queue) = state.named(&self.queue)?;
        self.check()?;
        if queue.settings.is_paused {
            return Ok(Vec::new());
        }
        let mut claimed = Vec::new();
        while (claimed.len() as u64) < self.batch {
            let Some(slot) = state.queues.get(&number).and_then(|queue| next(self, queue, op.now)) else { break };
            state.transit(slot, op, facts, |item, _, stamps| {
                transition::claim(item, Trigger::Automatic, self.lease, op, stamps)
            });
            claimed.extend(state.located(slot));
        }
        Ok(claimed)
    }
}

/// The next letter to claim.
fn next(claim: &ClaimDue, queue: &Queue, now: Time) -> Option<u32> {
    let earliest = |priority: Priority| {
        let in_scope = queue.due.iter().filter(|(destination, _)| claim.scope.covers(destination));
        let firsts = in_scope.filter_map(|(_, orders)| orders[priority as usize].first());
        firsts.filter(|key| key.at() <= now).min().map(|key| key.slot)
    };
    let priority = queue.due_rotation.clone().next(|priority| earliest(priority).is_some())?;
    earliest(priority)
}

impl State {
    /// The earliest due time of the letters in the scope of a claim; may be in the past.
    pub fn next_due(&self, claim: &ClaimDue) -> Option<Time> {
        let (_, queue) = self.named(&claim.queue).ok().filter(|(_, queue)| !queue.settings.is_paused)?;
        let in_scope = queue.due.iter().filter(|(destination, _)| claim.scope.covers(destination));
        in_scope.flat_map(|(_, orders)| orders).filter_map(Sorted::first).map(DueKey::at).min()
    }
}
