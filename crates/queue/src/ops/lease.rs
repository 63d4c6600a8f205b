//! Serve waiting leases.
//!
//! All requests that wait on a queue are served together, so that none is favoured: they are assigned to partitions in
//! their order of arrival, and the requests at one partition get its items round robin.

use std::collections::BTreeMap;

use redrive_core::{Priority, Time};
use redrive_model::{LeaseSpec, OpContext, PriorityRotation};

use crate::fact::{Fact, LeaseFact};
use crate::queue::{Order, Partition};
use crate::{Facts, LocatedItem, State};

impl ServeLeases<'_> {
    /// Returns one grant per request, in order.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Vec<Grant> {
        let nothing = || self.requests.iter().map(|_| Grant::default()).collect();
        let Some(queue) = state.queues.get(&self.queue).filter(|queue| !queue.settings.is_paused) else {
            return nothing();
        };
        // If very many items expire at the same time, ticks process them in batches. None of them may be leased
        // meanwhile.
        let mut heads = queue.partitions.iter().flat_map(|partition| &partition.ready).filter_map(Order::first);
        if heads.any(|slot| state.items.get(slot).is_some_and(|item| item.expires_at < op.now)) {
            return nothing();
        }
        let lease_timeout = queue.settings.lease_timeout;
        let mut placement = queue.placement.clone();
        let mut assigned: Vec<Assigned> = Vec::with_capacity(self.requests.len());
        let mut by_partition: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, spec) in self.requests.iter().enumerate() {
            let Some(partition) = placement.last() else { return nothing() };
            let taken = spec.batch.min(placement.available(partition).unwrap_or(0));
            placement.taken(partition, taken);
            by_partition.entry(partition).or_default().push(index);
            assigned.push(Assigned { partition, taken, slots: Vec::new() });
        }
        let mut rotations = BTreeMap::new();
        for (partition, indexes) in by_partition {
            let Some(from) = queue.partition(partition) else { continue };
            let is_valid = |slot: u32| state.items.get(slot).is_some_and(|item| item.expires_at >= op.now);
            rotations.insert(partition, distribute(from, &indexes, self.requests, is_valid, &mut assigned));
            // Skipped items are still available: the placement must not count them as taken.
            let given: u64 = indexes.iter().map(|index| assigned[*index].slots.len() as u64).sum();
            let mut excess = indexes.iter().map(|index| assigned[*index].taken).sum::<u64>().saturating_sub(given);
            for index in indexes.iter().rev() {
                let less = excess.min(assigned[*index].taken);
                assigned[*index].taken -= less;
                excess -= less;
            }
        }
        let mut grants = Vec::with_capacity(assigned.len());
        for (assigned, spec) in assigned.into_iter().zip(self.requests) {
            let turn = rotations.get(&assigned.partition).copied().unwrap_or_default();
            let deadline = op.now.saturating_add(spec.lease.unwrap_or(lease_timeout));
            grants.push(self.grant(state, assigned, turn, (op.now, deadline, spec.notes_receipt), facts));
        }
        grants
    }

    fn grant(
        &self,
        state: &mut State,
        assigned: Assigned,
        turn: PriorityRotation,
        (now, deadline, notes_receipt): (Time, Time, bool),
        facts: &mut Facts,
    ) -> Grant {
        let Assigned { partition, taken, slots } = assigned;
        if taken == 0 && slots.is_empty() {
            return Grant { partition, items: Vec::new() };
        }
        let letters = slots.iter().filter(|slot| state.items.get(**slot).is_some_and(|item| item.letter().is_some()));
        let letters = letters.count() as u64;
        let change = state.feed.numbers(letters);
        let leased = LeaseFact {
            queue: self.queue,
            partition,
            assigned: taken,
            turn: turn.position(),
            deadline,
            slots: slots.clone(),
            change,
            at: (letters > 0).then_some(now),
            received_at: notes_receipt.then_some(now),
        };
        state.record(Fact::Leased(leased), facts);
        let items = slots.iter().filter_map(|slot| state.items.get(*slot).map(|item| LocatedItem::of(*slot, item)));
        Grant { partition, items: items.collect() }
    }
}

/// Distributes the items of a partition to its requests round robin, one item at a time. Returns the new priority
/// rotation.
fn distribute(
    from: &Partition,
    indexes: &[usize],
    requests: &[LeaseSpec],
    is_valid: impl Fn(u32) -> bool,
    assigned: &mut [Assigned],
) -> PriorityRotation {
    let mut rotation = from.rotation;
    let order = |priority: usize| from.ready[priority].range_from(0).map(|key| key.slot).filter(|slot| is_valid(*slot));
    let mut orders = [0, 1, 2].map(|priority| order(priority).peekable());
    let mut unsatisfied: Vec<usize> = indexes.to_vec();
    while !unsatisfied.is_empty() {
        let mut remaining = Vec::with_capacity(unsatisfied.len());
        for index in unsatisfied {
            let has_waiting = {
                let waiting = orders.each_mut().map(|order| order.peek().is_some());
                move |priority: Priority| waiting[priority as usize]
            };
            let Some(priority) = rotation.next(has_waiting) else { return rotation };
            if let Some(slot) = orders[priority as usize].next() {
                assigned[index].slots.push(slot);
            }
            if (assigned[index].slots.len() as u64) < requests[index].batch {
                remaining.push(index);
            }
        }
        unsatisfied = remaining;
    }
    rotation
}

/// The result of one request. A request without items keeps waiting.
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

/// The assignment of a request.
#[derive(Debug)]
struct Assigned {
    partition: u32,
    /// The number of items that the placement counts as taken.
    taken: u64,
    slots: Vec<u32>,
}
