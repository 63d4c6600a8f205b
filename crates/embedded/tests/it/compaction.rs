//! The disk space of a store stays bounded under any pattern of work.

use std::collections::BTreeSet;

use redrive_journal::SimDisk;
use redrive_model::{Clear, GetConservation};
use redrive_store::Store;

use crate::rig::{
    SEGMENT, item, lease, lease_and_complete, name, new_store, number_of, number_set, on_disk, open, produce,
};

const LEN: usize = 2_000;

/// The maximum size of the store at equilibrium, for `live` bytes of documents.
///
/// It includes spare segments: one ready and two in reserve.
fn bound(live: usize) -> usize {
    2 * live + 3 * SEGMENT + 3 * SEGMENT + 4096
}

/// How far the size may temporarily exceed the bound: compaction runs on another thread, which may be late on a busy
/// machine.
const LATE: usize = 8 * SEGMENT;

/// Samples of how far the size exceeded the bound in the course of a test.
#[derive(Debug, Default)]
struct Excess {
    samples: usize,
    exceeded: usize,
    most: usize,
}

impl Excess {
    fn sample(&mut self, disk: &SimDisk, live: usize) {
        let excess = disk.used().saturating_sub(bound(live));
        self.samples += 1;
        self.exceeded += usize::from(excess > 0);
        self.most = self.most.max(excess);
    }

    fn check(&self) {
        assert!(self.most <= LATE, "{self:?}");
        assert!(self.exceeded * 10 <= self.samples, "the bound is exceeded too often: {self:?}");
    }
}

/// A queue that is as long at the end as at the beginning takes no more disk space than at the beginning.
#[test]
fn churn_in_a_queue_of_constant_length_takes_bounded_disk_space() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        let steady = 100;
        let mut excess = Excess::default();
        let live = usize::try_from(steady).unwrap() * (LEN + 100);
        for number in 0..4_000 {
            produce(&store, "orders", vec![item(number, LEN)]).await.unwrap();
            if number >= steady {
                assert_eq!(lease_and_complete(&store, "orders", 1).await.unwrap(), [number - steady]);
            }
            if number > steady {
                excess.sample(&disk, live);
            }
        }
        excess.check();
        let status = store.status();
        assert!(status.checkpoints > 0 && status.dropped > 0, "{status:?}");
        store.close().await.unwrap();

        let store = open(&disk, &clock);
        assert_eq!(number_set(&store, "orders").await, (4_000 - steady..4_000).collect());
        store.close().await.unwrap();
    });
}

/// Every fiftieth item is never completed: each segment contains a few needed items and can only be dropped after
/// compaction.
#[test]
fn sparse_segments_are_compacted_and_dropped() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["kept", "churned"]).await;
        let mut kept = BTreeSet::new();
        let mut excess = Excess::default();
        for number in 0..5_000u64 {
            if number % 50 == 0 {
                produce(&store, "kept", vec![item(number, LEN)]).await.unwrap();
                kept.insert(number);
            } else {
                produce(&store, "churned", vec![item(number, LEN)]).await.unwrap();
                assert_eq!(lease_and_complete(&store, "churned", 1).await.unwrap(), [number]);
            }
            excess.sample(&disk, kept.len() * (LEN + 100));
        }
        excess.check();
        let status = store.status();
        assert!(status.checkpoints > 0 && status.dropped > 0 && status.relocated > 0, "{status:?}");
        assert_eq!(number_set(&store, "kept").await, kept);
        store.close().await.unwrap();

        let store = open(&disk, &clock);
        assert_eq!(number_set(&store, "kept").await, kept);
        // Consumers get the rewritten documents.
        let leased = lease(&store, "kept", 100).await.unwrap();
        let got: BTreeSet<u64> =
            leased.items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect();
        assert_eq!(got, kept);
        store.close().await.unwrap();
    });
}

/// A cleared item stays in its slot until the slot is freed. It must not be rewritten meanwhile: when the store is
/// opened later, recovery would find a document of an unknown item.
#[test]
fn cleared_items_are_not_rewritten() {
    on_disk(async |disk, clock| {
        let mut store = new_store(&disk, &clock, ["cleared", "churned"]).await;
        let mut next = 0u64;
        for round in 0..40 {
            // Sparse segments with a few needed items.
            for number in next..next + 120 {
                let queue = if number % 4 == 0 { "cleared" } else { "churned" };
                produce(&store, queue, vec![item(number, 700)]).await.unwrap();
                if queue == "churned" {
                    lease_and_complete(&store, queue, 1).await.unwrap();
                }
            }
            let clear = Clear { queue: name("cleared"), ready: true, destructive: true, scheduled: true };
            assert_eq!(store.clear(clear).await.unwrap(), 30);
            // Until a checkpoint without them is complete, and segments are compacted.
            next += 120 + round * 7;
            for number in next..next + 10 + round {
                produce(&store, "churned", vec![item(number, 3_000)]).await.unwrap();
                lease_and_complete(&store, "churned", 1).await.unwrap();
            }
            store.close().await.unwrap();
            store = open(&disk, &clock);
            assert_eq!(number_set(&store, "cleared").await, BTreeSet::new());
            assert!(store.conservation(GetConservation).await.unwrap().holds());
        }
        store.close().await.unwrap();
    });
}
