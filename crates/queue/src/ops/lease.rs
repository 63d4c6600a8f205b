//! Give items to those who wait for them.
//!
//! All requests that wait on a queue are served together, so that none is favoured: they are assigned to
//! partitions in the order in which they came, and those that meet at one partition take its items in turn.

use std::collections::BTreeMap;

use redrive_core::Priority;
use redrive_model::{LeaseSpec, OpContext, PriorityRotation};

use crate::fact::{Fact, LeaseFact};
use crate::queue::{Order, Partition};
use crate::{Facts, LocatedItem, State};

impl ServeLeases<'_> {
    /// One grant for each request, in their order.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Vec<Grant> {
        let nothing = || self.requests.iter().map(|_| Grant::default()).collect();
        let Some(queue) = state.queues.get(&self.queue).filter(|queue| !queue.settings.is_paused) else {
            return nothing();
        };
        // When very many expire at once, time takes care of them one batch after the other. Nobody may be given
        // one meanwhile.
        let mut heads = queue.partitions.iter().flat_map(|partition| &partition.ready).filter_map(Order::first);
        if heads.any(|slot| state.items.get(slot).is_some_and(|item| item.expires_at < op.now)) {
            return nothing();
        }
        let own = queue.settings.lease_timeout;
        let mut placement = queue.placement.clone();
        let mut assigned: Vec<Assigned> = Vec::with_capacity(self.requests.len());
        let mut meeting: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, wanted) in self.requests.iter().enumerate() {
            let Some(partition) = placement.last() else { return nothing() };
            let taken = wanted.batch.min(placement.available(partition).unwrap_or(0));
            placement.taken(partition, taken);
            meeting.entry(partition).or_default().push(index);
            assigned.push(Assigned { partition, taken, slots: Vec::new() });
        }
        let mut turns = BTreeMap::new();
        for (partition, indexes) in meeting {
            let Some(from) = queue.partition(partition) else { continue };
            let is_fit = |slot: u32| state.items.get(slot).is_some_and(|item| item.expires_at >= op.now);
            turns.insert(partition, deal(from, &indexes, self.requests, is_fit, &mut assigned));
            // What was passed over is still there: the placement must not count it as taken.
            let given: u64 = indexes.iter().map(|index| assigned[*index].slots.len() as u64).sum();
            let mut excess = indexes.iter().map(|index| assigned[*index].taken).sum::<u64>().saturating_sub(given);
            for index in indexes.iter().rev() {
                let less = excess.min(assigned[*index].taken);
                assigned[*index].taken -= less;
                excess -= less;
            }
        }
        let mut grants = Vec::with_capacity(assigned.len());
        for (assigned, wanted) in assigned.into_iter().zip(self.requests) {
            let turn = turns.get(&assigned.partition).copied().unwrap_or_default();
            let deadline = op.now.saturating_add(wanted.lease.unwrap_or(own));
            grants.push(self.grant(state, assigned, turn, deadline, facts));
        }
        grants
    }

    fn grant(
        &self,
        state: &mut State,
        assigned: Assigned,
        turn: PriorityRotation,
        deadline: redrive_core::Time,
        facts: &mut Facts,
    ) -> Grant {
        let Assigned { partition, taken, slots } = assigned;
        if taken == 0 && slots.is_empty() {
            return Grant { partition, items: Vec::new() };
        }
        let letters = slots.iter().filter(|slot| state.items.get(**slot).is_some_and(|item| item.letter().is_some()));
        let change = state.feed.numbers(letters.count() as u64);
        let leased = LeaseFact {
            queue: self.queue,
            partition,
            assigned: taken,
            turn: turn.position(),
            deadline,
            slots: slots.clone(),
            change,
        };
        state.record(Fact::Leased(leased), facts);
        let items = slots.iter().filter_map(|slot| state.items.get(*slot).map(|item| LocatedItem::of(*slot, item)));
        Grant { partition, items: items.collect() }
    }
}

/// Deals a partition's items to the requests that met there, one at a time in turn. Gives how far the round of
/// priorities has come.
fn deal(
    from: &Partition,
    indexes: &[usize],
    requests: &[LeaseSpec],
    is_fit: impl Fn(u32) -> bool,
    assigned: &mut [Assigned],
) -> PriorityRotation {
    let mut turns = from.turns;
    let order = |priority: usize| from.ready[priority].range_from(0).map(|key| key.slot).filter(|slot| is_fit(*slot));
    let mut orders = [0, 1, 2].map(|priority| order(priority).peekable());
    let mut hungry: Vec<usize> = indexes.to_vec();
    while !hungry.is_empty() {
        let mut still = Vec::with_capacity(hungry.len());
        for index in hungry {
            let has_waiting = {
                let waiting = orders.each_mut().map(|order| order.peek().is_some());
                move |priority: Priority| waiting[priority as usize]
            };
            let Some(priority) = turns.next(has_waiting) else { return turns };
            if let Some(slot) = orders[priority as usize].next() {
                assigned[index].slots.push(slot);
            }
            if (assigned[index].slots.len() as u64) < requests[index].batch {
                still.push(index);
            }
        }
        hungry = still;
    }
    turns
}

/// What one request gets; without items, it goes on waiting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grant {
    pub partition: u32,
    pub items: Vec<LocatedItem>,
}

/// Serves the requests that wait on a queue.
#[derive(Debug)]
pub struct ServeLeases<'r> {
    pub queue: u32,
    pub requests: &'r [LeaseSpec],
}

/// What a request is assigned.
#[derive(Debug)]
struct Assigned {
    partition: u32,
    /// What the placement counts as taken.
    taken: u64,
    slots: Vec<u32>,
}
