//! Extend the lease of items that their holder is still working on.
//!
//! A lease is never shortened: a late or repeated extend (the network may deliver it twice) must not take time
//! away from a holder who already got more.

use redrive_core::{ItemId, QueueName, Span, Time};

use super::{check_count, check_lease};
use crate::fact::{Fact, Facts};
use crate::{Moment, Refusal, State};

/// Moves the lease deadline of each item to `now + lease`, where that is later than today's.
#[derive(Debug, Clone)]
pub struct Extend {
    pub queue: QueueName,
    pub partition: Option<u32>,
    pub ids: Vec<ItemId>,
    /// The queue's own time, if nothing is said.
    pub lease: Option<Span>,
}

impl Extend {
    /// The new deadlines, in the order of the ids. One stale id, and nothing is extended.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<Time>, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        check_count("ids", self.ids.len())?;
        self.lease.map_or(Ok(()), check_lease)?;
        let wanted = moment.now.saturating_add(self.lease.unwrap_or(queue.settings.lease_timeout));
        let mut deadlines = Vec::with_capacity(self.ids.len());
        let mut later = Vec::new();
        for id in self.ids {
            let slot = state.leased(number, self.partition, id, "extended")?;
            let today = state.items.get(slot).map_or(wanted, |item| item.at);
            if wanted > today {
                later.push((slot, wanted));
            }
            deadlines.push(wanted.max(today));
        }
        later.sort_unstable();
        later.dedup();
        if !later.is_empty() {
            state.record(Fact::Extended { deadlines: later }, facts);
        }
        Ok(deadlines)
    }
}
