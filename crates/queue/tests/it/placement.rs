//! The placement examples of the queue API, and the rule behind them.

use std::num::NonZeroU32;

use proptest::prelude::*;
use redrive_queue::{Placement, share_evenly};

/// A queue that contains only counts: the available and the leased items of each partition.
struct Queue {
    placement: Placement,
    available: Vec<u64>,
    leased: Vec<u64>,
    /// The batch sizes of waiting leases.
    waiting: Vec<u64>,
}

impl Queue {
    fn new(partitions: u32) -> Self {
        let zeros = vec![0; partitions as usize];
        let placement = Placement::new(NonZeroU32::new(partitions).unwrap());
        Self { placement, available: zeros.clone(), leased: zeros, waiting: Vec::new() }
    }

    /// One pass: the produces, then all waiting leases, assigned in order. Returns the partition and items of each
    /// lease.
    fn pass(&mut self, produces: &[u64], leases: &[u64]) -> Vec<(u32, u64)> {
        for items in produces {
            let partition = self.placement.produce(*items).unwrap();
            self.available[partition as usize] += items;
        }
        self.waiting.extend(leases);
        let waiting = std::mem::take(&mut self.waiting);
        let assigned: Vec<(u32, u64)> =
            waiting.iter().map(|batch| (self.placement.lease(*batch).unwrap(), *batch)).collect();
        let mut got = vec![(0, 0); assigned.len()];
        for partition in 0..u32::try_from(self.available.len()).unwrap() {
            let here: Vec<usize> = (0..assigned.len()).filter(|index| assigned[*index].0 == partition).collect();
            let requests: Vec<u64> = here.iter().map(|index| assigned[*index].1).collect();
            let at = partition as usize;
            for (index, items) in here.iter().zip(share_evenly(self.available[at], &requests)) {
                got[*index] = (partition, items);
                self.available[at] -= items;
                self.leased[at] += items;
            }
            self.placement.set_available(partition, self.available[at]);
        }
        self.waiting =
            got.iter().zip(&assigned).filter(|((_, items), _)| *items == 0).map(|(_, (_, batch))| *batch).collect();
        got
    }
}

#[test]
fn five_produces_of_ten_over_two_partitions() {
    let mut queue = Queue::new(2);
    for _ in 0..5 {
        queue.pass(&[10], &[]);
    }
    assert_eq!(queue.available, [30, 20]);
    queue.pass(&[], &[5, 10, 20]);
    assert_eq!((queue.leased[0], queue.available[0], queue.leased[1]), (15, 15, 20));
}

#[test]
fn a_lease_takes_the_partition_with_the_most_items() {
    let mut queue = Queue::new(2);
    queue.pass(&[10, 11], &[]);
    assert_eq!(queue.available, [10, 11]);
    let got = queue.pass(&[], &[10, 10]);
    assert_eq!(got, [(1, 10), (0, 10)]);
    assert_eq!(queue.available, [0, 1]);
}

#[test]
fn ten_partitions_are_emptied_evenly() {
    let mut queue = Queue::new(10);
    for _ in 0..10 {
        queue.pass(&[5], &[]);
    }
    for _ in 0..10 {
        queue.pass(&[], &[5]);
    }
    assert_eq!(queue.leased, [5; 10]);
}

#[test]
fn leases_of_one_pass_share_one_partition() {
    let mut queue = Queue::new(1);
    let got = queue.pass(&[23], &[20, 6, 1]);
    assert_eq!(got, [(0, 16), (0, 6), (0, 1)]);
}

#[test]
fn waiting_leases_share_the_partition_that_gets_items() {
    let mut queue = Queue::new(5);
    queue.pass(&[], &[10; 5]);
    assert_eq!(queue.waiting.len(), 5);
    let got = queue.pass(&[10], &[]);
    assert_eq!(got, [(0, 2); 5]);
}

#[test]
fn a_failing_partition_is_skipped_until_it_works_again() {
    let mut placement = Placement::new(NonZeroU32::new(2).unwrap());
    placement.failed(0);
    assert_eq!((placement.produce(1), placement.produce(1), placement.lease(1)), (Some(1), Some(1), Some(1)));
    placement.failed(1);
    assert_eq!((placement.produce(1), placement.lease(1)), (None, None));
    placement.healed(0);
    assert_eq!((placement.produce(1), placement.lease(1)), (Some(0), Some(0)));
    assert_eq!((placement.available(1), placement.available(2)), (Some(1), None));
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Produce(u64),
    Lease(u64),
    Set(u32, u64),
    Failed(u32),
    Healed(u32),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4u64).prop_map(Step::Produce),
        4 => (1..4u64).prop_map(Step::Lease),
        2 => (0..7u32, 0..6u64).prop_map(|(partition, available)| Step::Set(partition, available)),
        1 => (0..7u32).prop_map(Step::Failed),
        1 => (0..7u32).prop_map(Step::Healed),
    ]
}

proptest! {
    /// Moving one entry gives the same order as sorting the list again, including ties.
    #[test]
    fn the_order_is_that_of_a_stable_sort(partitions in 1..7u32, steps in prop::collection::vec(any_step(), 1..60)) {
        let mut placement = Placement::new(NonZeroU32::new(partitions).unwrap());
        // (partition, failures, available)
        let mut model: Vec<(u32, u32, u64)> = (0..partitions).map(|partition| (partition, 0, 0)).collect();
        for step in steps {
            match step {
                Step::Produce(items) => {
                    let first = model.first_mut().filter(|entry| entry.1 == 0);
                    let expected = first.map(|entry| { entry.2 += items; entry.0 });
                    prop_assert_eq!(placement.produce(items), expected);
                }
                Step::Lease(batch) => {
                    let last = model.iter_mut().rev().find(|entry| entry.1 == 0);
                    let expected = last.map(|entry| { entry.2 -= batch.min(entry.2); entry.0 });
                    prop_assert_eq!(placement.lease(batch), expected);
                }
                Step::Set(partition, available) => {
                    model.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.2 = available);
                    placement.set_available(partition, available);
                }
                Step::Failed(partition) => {
                    model.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 += 1);
                    placement.failed(partition);
                }
                Step::Healed(partition) => {
                    model.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 = 0);
                    placement.healed(partition);
                }
            }
            model.sort_by_key(|entry| (entry.1, entry.2));
        }
    }
}
