//! A disk that becomes full while a store is opened, after every single change that opening makes. An existing store
//! opens and accepts work that frees space. A new store may fail to open; the error then says what to do, and the next
//! start succeeds once there is space.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use redrive_core::{LetterId, RetryPolicy, Span, Status};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::{Crash, Disk, SimDisk, SyncFault};
use redrive_model::{
    Archive, Capture, ClaimDue, CreateQueue, DestinationFilter, GetConservation, ListLetters, NewLetter, Purge,
    Rejection,
};
use redrive_store::{ManualClock, Store, StoreError};

use crate::letters::small;
use crate::rig::{
    DIRECTORY, LEASE, SEGMENT, clock, create_queues, error_chain, idle, ids, item, items, lease, name, number_of,
    open_with, options, produce, run, settings,
};

/// A disk with a store in a certain state, and the options to open it.
struct PreparedStore {
    what: &'static str,
    disk: SimDisk,
    options: EmbeddedOptions,
    clock: ManualClock,
    expected: Contents,
}

/// The content of a store: items by the number of their payload, letters with their status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Contents {
    items: BTreeSet<u64>,
    letters: BTreeMap<LetterId, Status>,
}

async fn contents(store: &EmbeddedStore) -> Contents {
    let items = items(store, "orders").await;
    let list = ListLetters { queue: name("dead"), statuses: Vec::new(), after: None, limit: 1_000_000 };
    let letters = store.letters(list).await.unwrap();
    let letters = letters.iter().filter_map(|item| item.info.letter.as_ref());
    Contents {
        items: items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect(),
        letters: letters.map(|letter| (letter.id, letter.status)).collect(),
    }
}

/// A copy of the disk with the same files, all of them synced.
fn copy(disk: &SimDisk) -> SimDisk {
    let copy = SimDisk::new();
    for (path, len) in disk.files() {
        let mut bytes = vec![0; len];
        disk.open(&path).unwrap().read_at(&mut bytes, 0).unwrap();
        let file = copy.create(&path).unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        file.sync().unwrap();
    }
    copy.sync_directory(Path::new(DIRECTORY)).unwrap();
    copy
}

fn open(disk: &SimDisk, options: &EmbeddedOptions) -> Result<EmbeddedStore, StoreOpenError> {
    open_with(Arc::new(disk.clone()), options)
}

/// A store with items and letters and a log of about this size.
async fn written(disk: &SimDisk, options: &EmbeddedOptions, bytes: usize) -> EmbeddedStore {
    let store = open(disk, options).unwrap();
    create_queues(&store, ["orders", "dead"]).await;
    for number in 0..8 {
        let letters = vec![NewLetter { policy: RetryPolicy::Immediate, ..small(number) }];
        store.capture(Capture::new(name("dead"), letters)).await.unwrap();
    }
    for number in 0..(bytes / 1_100) as u64 {
        produce(&store, "orders", vec![item(number, 1_000)]).await.unwrap();
    }
    store
}

/// Claims a letter as the server's retry processor does.
async fn claim(store: &EmbeddedStore) {
    let (queue, scope) = (name("dead"), DestinationFilter::AllBut(Vec::new()));
    let claimed = store.claim_due(ClaimDue { queue, batch: 1, lease: LEASE, scope, wait: Span::ZERO }).await.unwrap();
    assert_eq!(claimed.letters.len(), 1);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    Closed,
    Killed,
    /// Killed while letters were claimed.
    Claiming,
    /// Power loss in the middle of a batch.
    Torn,
    /// Closed, and then a spare segment was removed.
    SpareMissing,
}

fn prepare(
    what: &'static str,
    end: Shutdown,
    bytes: usize,
    write: &EmbeddedOptions,
    clock: &ManualClock,
) -> PreparedStore {
    let mut seed = 0;
    loop {
        seed += 1;
        let disk = SimDisk::new();
        run(async {
            let store = written(&disk, write, bytes).await;
            match end {
                Shutdown::Closed | Shutdown::SpareMissing => store.close().await.unwrap(),
                Shutdown::Killed | Shutdown::Claiming => {
                    if end == Shutdown::Claiming {
                        for _ in 0..3 {
                            claim(&store).await;
                        }
                    }
                    idle().await;
                    disk.crash(Crash::ProcessOnly, seed);
                    let _disk_has_failed = store.close().await;
                }
                Shutdown::Torn => {
                    idle().await;
                    disk.fail_syncs_after(0, SyncFault::PowerLoss);
                    let lost = produce(&store, "orders", vec![item(1 << 40, 9_000)]).await;
                    assert_eq!(lost, Err(StoreError::Poisoned));
                    disk.crash(Crash::Any, seed);
                    disk.heal_syncs();
                    let _disk_has_failed = store.close().await;
                }
            }
        });
        if end == Shutdown::SpareMissing {
            let files = disk.files();
            let last = files.iter().rfind(|(path, _)| path.extension().is_some_and(|end| end == "segment"));
            disk.remove(&last.unwrap().0).unwrap();
        }
        let (expected, is_cut) = run(async {
            let store = open(&copy(&disk), write).unwrap();
            let found = (contents(&store).await, store.report().cut.is_some());
            store.close().await.unwrap();
            found
        });
        if end == Shutdown::Torn && !is_cut {
            continue;
        }
        return PreparedStore { what, disk, options: write.clone(), clock: clock.clone(), expected };
    }
}

fn prepared_stores() -> Vec<PreparedStore> {
    let clock = clock();
    let small = options(&clock);
    let large = EmbeddedOptions { segment_bytes: 8 * SEGMENT, recovery_bytes: None, ..options(&clock) };
    let without_checkpoint = EmbeddedOptions { recovery_bytes: Some(u64::MAX), ..options(&clock) };
    let mut all = vec![
        prepare("closed", Shutdown::Closed, 5 * SEGMENT, &small, &clock),
        prepare("killed", Shutdown::Killed, 5 * SEGMENT, &small, &clock),
        prepare("killed with claims", Shutdown::Claiming, 5 * SEGMENT, &small, &clock),
        prepare("torn", Shutdown::Torn, 5 * SEGMENT, &small, &clock),
        prepare("without a spare", Shutdown::SpareMissing, 5 * SEGMENT, &small, &clock),
        prepare("closed in its first segment", Shutdown::Closed, 2 * SEGMENT, &large, &clock),
        prepare("killed in its first segment", Shutdown::Killed, 2 * SEGMENT, &large, &clock),
        prepare("torn in its first segment", Shutdown::Torn, 2 * SEGMENT, &large, &clock),
        prepare("first segment more than half full", Shutdown::Closed, 6 * SEGMENT, &large, &clock),
        prepare(
            "first segment more than half full, without a spare",
            Shutdown::SpareMissing,
            6 * SEGMENT,
            &large,
            &clock,
        ),
    ];
    // A checkpoint is due as soon as the store is opened.
    let due = prepare("a checkpoint is due", Shutdown::Killed, 5 * SEGMENT, &without_checkpoint, &clock);
    all.push(PreparedStore { options: small, ..due });
    all
}

/// Everything that must be possible on a full disk.
async fn free_space(store: &EmbeddedStore, expected: &Contents, what: &str) -> Contents {
    let mut after = expected.clone();
    let leased = lease(store, "orders", 2).await.unwrap_or_else(|error| panic!("{what}: lease: {error}"));
    let completed = store.complete(name("orders"), leased.partition, ids(&leased)).await;
    completed.unwrap_or_else(|error| panic!("{what}: complete: {error}"));
    for item in &leased.items {
        assert!(after.items.remove(&number_of(&item.content.payload).unwrap()), "{what}");
    }
    let letters: Vec<LetterId> = expected.letters.keys().copied().collect();
    let archive = Archive { queue: name("dead"), letters: letters[..2].to_vec() };
    assert_eq!(store.archive(archive).await, Ok(2), "{what}");
    let purge = Purge { queue: name("dead"), letters: letters[1..3].to_vec() };
    assert_eq!(store.purge(purge).await, Ok(2), "{what}");
    after.letters.insert(letters[0], Status::Archived);
    after.letters.remove(&letters[1]);
    after.letters.remove(&letters[2]);
    after
}

/// An existing store opens no matter when the disk becomes full, and its content is still there when it is reopened.
#[test]
fn an_existing_store_opens_and_frees_space() {
    for PreparedStore { what, disk, options, clock, expected } in prepared_stores() {
        let mut is_reached = true;
        let mut after = 0;
        while is_reached {
            let disk = copy(&disk);
            let clock = ManualClock::new(redrive_store::Clock::now(&clock));
            let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..options.clone() };
            let what = format!("{what}, full after {after} changes");
            run(async {
                let before = disk.changes();
                disk.fill_after(after);
                let store = open(&disk, &options).unwrap_or_else(|error| panic!("{what}: {}", error_chain(&error)));
                // Creating spare segments is part of the start, too.
                idle().await;
                is_reached = disk.changes() - before >= after;
                if !is_reached {
                    disk.fill_after(0);
                }
                assert_eq!(contents(&store).await, expected, "{what}");
                let freed = free_space(&store, &expected, &what).await;
                assert_eq!(contents(&store).await, freed, "{what}");
                if after % 2 == 0 {
                    store.close().await.unwrap();
                } else {
                    disk.crash(Crash::LoseAll, after);
                    let _disk_has_failed = store.close().await;
                }
                disk.set_capacity(None);
                let store = open(&disk, &options).unwrap_or_else(|error| panic!("{what}: {}", error_chain(&error)));
                assert_eq!(contents(&store).await, freed, "{what}");
                assert!(store.conservation(GetConservation).await.unwrap().holds(), "{what}");
                store.close().await.unwrap();
            });
            after += 1;
        }
    }
}

/// Creating a store on a full disk succeeds or fails. If it fails, the error says why and what to do, also on the next
/// attempt; and once there is space, leftover files do not prevent a start.
#[test]
fn a_failed_creation_on_a_full_disk_says_what_to_do_and_does_not_break_the_next_start() {
    let clock = clock();
    let large = EmbeddedOptions { segment_bytes: 8 * SEGMENT, recovery_bytes: None, ..options(&clock) };
    for options in [options(&clock), large] {
        let (mut is_reached, mut after, mut rejected) = (true, 0, 0);
        while is_reached {
            let disk = SimDisk::new();
            run(async {
                disk.fill_after(after);
                let mut is_there = false;
                for attempt in 0..2 {
                    match open(&disk, &options) {
                        Ok(store) => {
                            is_there = true;
                            idle().await;
                            is_reached = disk.changes() >= after;
                            match store.create_queue(CreateQueue { settings: settings("orders") }).await {
                                Ok(_) | Err(StoreError::Full | StoreError::Rejected(Rejection::QueueExists(_))) => {}
                                Err(error) => panic!("after {after} changes: {error}"),
                            }
                            store.close().await.unwrap();
                        }
                        Err(error) => {
                            assert!(!is_there, "it was created before, after {after} changes: {}", error_chain(&error));
                            assert!(error.is_full(), "after {after} changes: {}", error_chain(&error));
                            let message = error_chain(&error);
                            let bytes = options.segment_bytes;
                            let expected = format!("the disk is full: a new store takes {bytes} bytes in /store; ");
                            assert!(
                                message.starts_with(&expected),
                                "after {after} changes, attempt {attempt}: {message}"
                            );
                            assert!(
                                message.contains("free disk space there, or choose another directory"),
                                "{message}"
                            );
                            rejected += 1;
                        }
                    }
                }
                disk.set_capacity(None);
                let store = open(&disk, &options).unwrap_or_else(|error| panic!("{after}: {}", error_chain(&error)));
                let made = store.create_queue(CreateQueue { settings: settings("others") }).await;
                assert!(made.is_ok(), "after {after}: {made:?}");
                assert!(produce(&store, "others", vec![item(1, 100)]).await.is_ok(), "after {after}");
                store.close().await.unwrap();
            });
            after += 1;
        }
        assert!(rejected > 2, "creation failed {rejected} times");
    }
}
