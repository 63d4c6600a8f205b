//! The disk that a store takes stays bounded, whatever pattern of work goes over it.

use std::collections::BTreeSet;

use redrive_embedded::EmbeddedStore;
use redrive_journal::SimDisk;
use redrive_model::{Clear, CreateQueue, GetConservation, ListItems, Which};
use redrive_store::Store;

use crate::rig::{SEGMENT, clock, item, lease, name, number_of, open, produce, run, settings, work_off};

const LEN: usize = 2_000;

/// What may lie on the disk at equilibrium for so many bytes of documents.
///
/// Spare files are not the log's: one ready and two in reserve.
fn bound(live: usize) -> usize {
    2 * live + 3 * SEGMENT + 3 * SEGMENT + 4096
}

/// Files are given up by another thread, which may be late on a busy machine: so much may lie there for a moment.
const LATE: usize = 8 * SEGMENT;

/// What a disk held in the course of a test, beyond what it may hold.
#[derive(Debug, Default)]
struct Excess {
    looks: usize,
    too_much: usize,
    most: usize,
}

impl Excess {
    fn look(&mut self, disk: &SimDisk, live: usize) {
        let excess = disk.used().saturating_sub(bound(live));
        self.looks += 1;
        self.too_much += usize::from(excess > 0);
        self.most = self.most.max(excess);
    }

    fn check(&self) {
        assert!(self.most <= LATE, "{self:?}");
        assert!(self.too_much * 10 <= self.looks, "usually it holds no more than it may: {self:?}");
    }
}

async fn numbers(store: &EmbeddedStore, queue: &str) -> BTreeSet<u64> {
    let list = ListItems { queue: name(queue), partition: 0, which: Which::Items, pivot: None, limit: 1_000_000 };
    let items = store.items(list).await.unwrap();
    items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect()
}

/// A queue that is as long at the end as at the beginning takes no more disk than at the beginning.
#[test]
fn churn_over_a_steady_queue_takes_a_bounded_disk() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&disk, &clock);
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        let steady = 100;
        let mut excess = Excess::default();
        let live = usize::try_from(steady).unwrap() * (LEN + 100);
        for number in 0..4_000 {
            produce(&store, "orders", vec![item(number, LEN)]).await.unwrap();
            if number >= steady {
                assert_eq!(work_off(&store, "orders", 1).await.unwrap(), [number - steady]);
            }
            if number > steady {
                excess.look(&disk, live);
            }
        }
        excess.check();
        let status = store.status();
        assert!(status.sweeps > 0 && status.dropped > 0, "{status:?}");
        store.close().await.unwrap();

        let store = open(&disk, &clock);
        assert_eq!(numbers(&store, "orders").await, (4_000 - steady..4_000).collect());
        store.close().await.unwrap();
    });
}

/// Every fiftieth item stays for ever: each file has a few that somebody needs, and would never go by itself.
#[test]
fn sparse_survivors_are_written_again_and_their_files_go() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&disk, &clock);
        for queue in ["kept", "churned"] {
            store.create_queue(CreateQueue { settings: settings(queue) }).await.unwrap();
        }
        let mut kept = BTreeSet::new();
        let mut excess = Excess::default();
        for number in 0..5_000u64 {
            if number % 50 == 0 {
                produce(&store, "kept", vec![item(number, LEN)]).await.unwrap();
                kept.insert(number);
            } else {
                produce(&store, "churned", vec![item(number, LEN)]).await.unwrap();
                assert_eq!(work_off(&store, "churned", 1).await.unwrap(), [number]);
            }
            excess.look(&disk, kept.len() * (LEN + 100));
        }
        excess.check();
        let status = store.status();
        assert!(status.sweeps > 0 && status.dropped > 0 && status.relocated > 0, "{status:?}");
        assert_eq!(numbers(&store, "kept").await, kept);
        store.close().await.unwrap();

        let store = open(&disk, &clock);
        assert_eq!(numbers(&store, "kept").await, kept);
        // A document that was written again is also what its consumer gets.
        let leased = lease(&store, "kept", 100).await.unwrap();
        let got: BTreeSet<u64> =
            leased.items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect();
        assert_eq!(got, kept);
        store.close().await.unwrap();
    });
}

/// What was cleared lies in its slot until it is given back, and must not be written again meanwhile: whoever opens the
/// store later has never heard of it.
#[test]
fn what_was_cleared_is_not_written_again() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let mut store = open(&disk, &clock);
        for queue in ["cleared", "churned"] {
            store.create_queue(CreateQueue { settings: settings(queue) }).await.unwrap();
        }
        let mut next = 0u64;
        for round in 0..40 {
            // Sparse files, in which a few are needed.
            for number in next..next + 120 {
                let queue = if number % 4 == 0 { "cleared" } else { "churned" };
                produce(&store, queue, vec![item(number, 700)]).await.unwrap();
                if queue == "churned" {
                    work_off(&store, queue, 1).await.unwrap();
                }
            }
            let clear = Clear { queue: name("cleared"), ready: true, destructive: true, scheduled: true };
            assert_eq!(store.clear(clear).await.unwrap(), 30);
            // Until a description has ended that knows nothing of them, and files are given up.
            next += 120 + round * 7;
            for number in next..next + 10 + round {
                produce(&store, "churned", vec![item(number, 3_000)]).await.unwrap();
                work_off(&store, "churned", 1).await.unwrap();
            }
            store.close().await.unwrap();
            store = open(&disk, &clock);
            assert_eq!(numbers(&store, "cleared").await, BTreeSet::new());
            assert!(store.conservation(GetConservation).await.unwrap().holds());
        }
        store.close().await.unwrap();
    });
}
