//! A new store has one segment until that is half full, and is nevertheless prepared for a full disk at any moment.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{LetterId, Status};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Crash, SimDisk};
use redrive_model::{Archive, Capture, GetConservation, ListLetters, Purge};
use redrive_store::{ManualClock, Store, StoreError};

use crate::gate::Gate;
use crate::letters::small;
use crate::rig::{
    SEGMENT, clock, create_queues, error_chain, ids, item, lease, name, number_of, on_disk, open_with, options,
    produce, run,
};

/// Large enough that the end of a segment can be the reserve.
const FILE: usize = 8 * SEGMENT;

fn large(clock: &ManualClock) -> EmbeddedOptions {
    EmbeddedOptions { segment_bytes: FILE, recovery_bytes: None, ..options(clock) }
}

fn open(disk: &SimDisk, clock: &ManualClock) -> EmbeddedStore {
    let opened = open_with(Arc::new(disk.clone()), &large(clock));
    opened.unwrap_or_else(|error| panic!("opening failed: {}", error_chain(&error)))
}

fn files(disk: &SimDisk) -> usize {
    disk.files().iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "segment")).count()
}

async fn new_queues(store: &EmbeddedStore) {
    create_queues(store, ["orders", "dead"]).await;
}

#[test]
fn a_new_store_has_one_segment_until_that_is_half_full() {
    on_disk(async |disk, clock| {
        let mut store = open(&disk, &clock);
        new_queues(&store).await;
        // A store has created all needed segments when it is closed.
        for (items, expected) in [(0, 1), (25, 1), (15, 1), (20, 3)] {
            for number in 0..items {
                produce(&store, "orders", vec![item(number, 5_000)]).await.unwrap();
            }
            store.close().await.unwrap();
            assert_eq!(files(&disk), expected, "after {items} items more");
            store = open(&disk, &clock);
        }
        store.close().await.unwrap();
    });
}

/// Spare segments are created on a separate thread, which takes time: requests meanwhile do not wait for it.
#[test]
fn requests_do_not_wait_for_the_second_segment_before_the_first_one_is_nearly_full() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let store = open_with(gate.disk_holding(&disk, "redrive-files"), &large(&clock)).unwrap();
        new_queues(&store).await;
        gate.shut();
        let mut taken = 0;
        // More than half of the segment, while the second one is being created.
        while taken < FILE * 5 / 8 {
            produce(&store, "orders", vec![item(taken as u64, 5_000)]).await.unwrap();
            taken += 5_200;
        }
        gate.until_blocked();
        assert_eq!(files(&disk), 2, "the active segment, and the one being created");
        gate.open();
        while taken < 3 * FILE {
            produce(&store, "orders", vec![item(taken as u64, 5_000)]).await.unwrap();
            taken += 5_200;
        }
        assert!(!store.status().is_full);
        store.close().await.unwrap();
        assert!(files(&disk) >= 5, "three segments in use, the reserve and a spare");
    });
}

/// Fills a store until the disk is full: with items of this length, and every `one_in` steps a letter.
struct Filling {
    len: usize,
    one_in: u64,
    next: u64,
    items: BTreeSet<u64>,
    letters: Vec<LetterId>,
}

impl Filling {
    fn new(len: usize, one_in: u64) -> Self {
        Self { len, one_in, next: 0, items: BTreeSet::new(), letters: Vec::new() }
    }

    /// One step. Returns `false` if it was rejected because the disk is full.
    async fn step(&mut self, store: &EmbeddedStore) -> bool {
        let number = self.next;
        self.next += 1;
        let taken = if number.is_multiple_of(self.one_in) {
            let captured = store.capture(Capture::new(name("dead"), vec![small(number)])).await;
            captured.map(|captured| self.letters.extend(captured.iter().map(|captured| captured.letter)))
        } else {
            let produced = produce(store, "orders", vec![item(number, self.len)]).await;
            produced.map(|_| {
                self.items.insert(number);
            })
        };
        match taken {
            Ok(()) => true,
            Err(error) => {
                assert_eq!(error, StoreError::Full, "after {number} steps");
                false
            }
        }
    }
}

/// Everything that must be possible on a full disk: archives half of the letters, purges all of them, and leases and
/// completes every item separately.
async fn drain(store: &EmbeddedStore, filling: &Filling, what: &str) {
    for letter in filling.letters.iter().step_by(2) {
        let archive = Archive { queue: name("dead"), letters: vec![*letter] };
        assert_eq!(store.archive(archive).await, Ok(1), "{what}");
    }
    let mut done = BTreeSet::new();
    loop {
        match lease(store, "orders", 1).await {
            Ok(leased) => {
                store.complete(name("orders"), leased.partition, ids(&leased)).await.unwrap_or_else(|error| {
                    panic!("{what}: {error} after {} were completed: {:?}", done.len(), store.status())
                });
                done.extend(leased.items.iter().map(|item| number_of(&item.content.payload).expect("its own")));
            }
            Err(StoreError::TimedOut) => break,
            Err(error) => panic!("{what}: {error} after {} were completed: {:?}", done.len(), store.status()),
        }
    }
    assert_eq!(done, filling.items, "{what}");
    let list = ListLetters { queue: name("dead"), statuses: vec![Status::Archived], after: None, limit: 1_000_000 };
    assert_eq!(store.letters(list).await.unwrap().len(), filling.letters.len().div_ceil(2), "{what}");
    for letter in &filling.letters {
        let purge = Purge { queue: name("dead"), letters: vec![*letter] };
        assert_eq!(store.purge(purge).await, Ok(1), "{what}");
    }
    assert!(store.conservation(GetConservation).await.unwrap().holds(), "{what}");
    assert!(!store.status().is_poisoned, "{what}");
}

/// No matter when the disk becomes full, the store rejects requests that add data early enough: everything in it can be
/// leased, completed, archived and purged.
#[test]
fn a_disk_that_becomes_full_at_any_moment_leaves_space_for_work_that_frees_space() {
    // Completing small items and letters takes the most space in relation to their own size.
    for (len, one_in, moments) in [(8, u64::MAX, 3), (100, 20, 3), (1_000, 5, 6), (10_000, 3, 8), (100, 1, 4)] {
        let in_a_file = FILE / (if one_in == 1 { 1_000 } else { len + 150 });
        for moment in 0..moments {
            let (disk, clock) = (SimDisk::new(), clock());
            let steps = in_a_file * 2 * moment / moments;
            let what = format!("items of {len} bytes, full after {steps} of {in_a_file} steps");
            run(async {
                let store = open(&disk, &clock);
                new_queues(&store).await;
                let mut filling = Filling::new(len, one_in);
                for _ in 0..steps {
                    assert!(filling.step(&store).await, "{what}: there is space");
                }
                disk.set_capacity(Some(disk.used()));
                while filling.step(&store).await {}
                let store = if moment % 2 == 0 {
                    store
                } else {
                    // Reopened on the full disk.
                    store.close().await.unwrap();
                    disk.crash(Crash::LoseAll, 1);
                    open(&disk, &clock)
                };
                drain(&store, &filling, &what).await;
                store.close().await.unwrap();
            });
        }
    }
}

/// The first segment cannot be dropped while it is the only one. So a store on a disk without space for a second one
/// stays full until there is some, and then continues.
#[test]
fn a_store_with_one_segment_on_a_full_disk_continues_once_there_is_space() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        new_queues(&store).await;
        let mut filling = Filling::new(1_000, 10);
        disk.set_capacity(Some(disk.used() + FILE / 2));
        while filling.step(&store).await {}
        assert!(store.status().is_full);
        assert!(disk.used() < 2 * FILE, "there is no second segment");
        drain(&store, &filling, "one segment").await;
        assert!(!filling.step(&store).await, "there is no second segment, and no space for it");
        disk.set_capacity(None);
        let mut is_taken = false;
        for _ in 0..10_000 {
            is_taken = filling.step(&store).await;
            if is_taken {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        assert!(is_taken && !store.status().is_full, "{:?}", store.status());
        store.close().await.unwrap();
    });
}
