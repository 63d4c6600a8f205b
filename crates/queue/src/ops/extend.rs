//! Extend the leases of items that their holder is still working on.
//!
//! A lease is not shortened unless the request says so: a late or repeated extend (the network may deliver it twice) must
//! not take time away from a holder that already has more.

use redrive_core::Time;
use redrive_model::{Extend, OpContext, Rejection, check_count, transition};

use crate::fact::Fact;
use crate::{Apply, Facts, State};

impl Apply for Extend {
    type Reply = Result<Vec<Result<Time, Rejection>>, Rejection>;

    /// Returns the deadline of each item, in the order of the ids. A stale id does not affect the others.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.named_with_partition(&self.queue, self.partition)?;
        check_count("ids", self.ids.len())?;
        self.check()?;
        let timeout = state.queues.get(&number).map(|queue| queue.settings.lease_timeout).unwrap_or_default();
        let deadline = op.now.saturating_add(self.lease.unwrap_or(timeout));
        let (mut later, mut earlier) = (Vec::new(), Vec::new());
        let extended = self.ids.into_iter().map(|id| {
            let slot = state.leased(number, self.partition, id, "extended")?;
            let current = state.items.get(slot).map_or(deadline, |item| item.at);
            if deadline > current {
                later.push((slot, deadline));
            } else if deadline < current && self.may_shorten {
                earlier.push(slot);
                return Ok(deadline);
            }
            Ok(deadline.max(current))
        });
        let extended = extended.collect();
        later.sort_unstable();
        later.dedup();
        if !later.is_empty() {
            state.record(Fact::Extended { deadlines: later }, facts);
        }
        earlier.sort_unstable();
        earlier.dedup();
        for slot in earlier {
            state.transit(slot, op, facts, |item, _, _| transition::set_deadline(item, deadline, op.now));
        }
        Ok(extended)
    }
}
