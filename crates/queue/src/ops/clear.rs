//! Clear a queue.
//!
//! Plain items are removed in one step, whatever their number: whole orders are detached, and their slots are reclaimed
//! gradually. Letters have several counters and indexes, so they are removed one by one.

use redrive_model::{Clear, EndReason, OpContext, Phase, Rejection};

use crate::fact::Fact;
use crate::queue::Queue;
use crate::{Apply, Facts, State};

impl Apply for Clear {
    type Reply = Result<u64, Rejection>;

    /// Returns the number of removed items.
    fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> Self::Reply {
        let (number, queue) = state.named(&self.queue)?;
        if !self.ready && !self.scheduled {
            return Err(Rejection::NothingToClear);
        }
        let (ready, leased, scheduled) = (self.ready, self.ready && self.destructive, self.scheduled);
        let is_cleared = |phase: Phase| match phase {
            Phase::Ready | Phase::Stranded | Phase::Damaged => ready,
            Phase::Leased => leased,
            Phase::Scheduled | Phase::Due => scheduled,
            Phase::Finished => false,
        };
        let letters: Vec<u32> = queue
            .by_status
            .iter()
            .flat_map(|order| order.iter().map(|key| key.slot))
            .filter(|slot| state.items.get(*slot).is_some_and(|item| is_cleared(item.phase)))
            .collect();
        let count = cleared(queue, [ready, leased, scheduled]);
        if !letters.is_empty() {
            let change = state.feed.numbers(letters.len() as u64);
            state.record(Fact::Gone { ending: EndReason::Purged, slots: letters, change }, facts);
        }
        if count > 0 {
            let up_to = state.stamps.last().serial;
            state.record(Fact::Cleared { queue: number, ready, leased, scheduled, up_to }, facts);
        }
        Ok(count)
    }
}

/// The number of items in the selected phases: ready, leased, scheduled.
fn cleared(queue: &Queue, [ready, leased, scheduled]: [bool; 3]) -> u64 {
    let of = |is_selected: bool, count: u64| if is_selected { count } else { 0 };
    let partitions = queue.partitions.iter();
    partitions
        .map(|partition| {
            of(ready, partition.available() + partition.stranded.len() + partition.damaged.len())
                + of(leased, partition.leased.len())
                + of(scheduled, partition.scheduled.len())
        })
        .sum()
}
