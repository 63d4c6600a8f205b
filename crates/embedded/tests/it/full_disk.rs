//! A full disk: reported as `Full`, no data loss, work that frees space succeeds, and the store recovers once there is
//! space.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use redrive_core::Span;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::SimDisk;
use redrive_model::{Capture, Clear, CreateQueue, Extend, GetConservation, Leased, ListLetters, Purge};
use redrive_store::{Store, StoreError};
use redrive_testkit::seeds;
use tokio::time::sleep;

use crate::letters::small;
use crate::operation_count::OperationCount;
use crate::rig::{
    LEASE, Random, SEGMENT, clock, create_queues, idle, ids, item, lease, lease_and_complete, name, new_store,
    number_of, number_set, on_disk, open, open_with, options, produce, run, settings,
};

/// Produces until the disk is full, and returns the numbers of the accepted items.
async fn fill(store: &EmbeddedStore, queue: &str, next: &mut u64, len: usize, batch: u64) -> BTreeSet<u64> {
    let mut taken = BTreeSet::new();
    loop {
        let numbers = *next..*next + batch;
        *next = numbers.end;
        match produce(store, queue, numbers.clone().map(|number| item(number, len)).collect()).await {
            Ok(_) => taken.extend(numbers),
            Err(error) => {
                assert_eq!(error, StoreError::Full);
                return taken;
            }
        }
        assert!(taken.len() < 100_000, "the disk did not become full");
    }
}

/// Repeats `work` while it fails with `Full`: other threads drop segments and compact.
async fn until_space<T>(store: &EmbeddedStore, mut work: impl AsyncFnMut() -> Result<T, StoreError>) -> T {
    for _ in 0..10_000 {
        match work().await {
            Ok(done) => return done,
            Err(error) => assert_eq!(error, StoreError::Full),
        }
        sleep(Duration::from_millis(1)).await;
    }
    panic!("the store stays full: {:?}", store.status());
}

/// Leases and completes items until none is left.
async fn drain(store: &EmbeddedStore, queue: &str, batch: u64) -> BTreeSet<u64> {
    let mut done = BTreeSet::new();
    loop {
        match lease_and_complete(store, queue, batch).await {
            Ok(numbers) => done.extend(numbers),
            Err(StoreError::TimedOut) => return done,
            Err(error) => panic!("{error} after {} were completed: {:?}", done.len(), store.status()),
        }
    }
}

/// The most expensive way to drain a full disk: one item at a time, each with its own lease and completion record.
#[test]
fn a_full_disk_can_be_drained_item_by_item() {
    for (len, segments) in [(100, 6), (1_000, 8), (1_000, 30), (10_000, 20), (40_000, 12)] {
        on_disk(async |disk, clock| {
            let store = new_store(&disk, &clock, ["orders", "others"]).await;
            disk.set_capacity(Some(segments * SEGMENT));
            let taken = fill(&store, "orders", &mut 0, len, 1).await;
            assert!(!store.status().is_poisoned);
            assert_eq!(number_set(&store, "orders").await, taken, "nothing is lost, and reads succeed");
            assert_eq!(drain(&store, "orders", 1).await, taken, "items of {len} bytes on {segments} segments");
            assert!(store.conservation(GetConservation).await.unwrap().holds());
            let again = until_space(&store, async || produce(&store, "orders", vec![item(1 << 40, len)]).await).await;
            assert_eq!(ids(&lease(&store, "orders", 10).await.unwrap()), again);
            assert!(!store.status().is_full && !store.status().is_poisoned);
            store.close().await.unwrap();
        });
    }
}

#[test]
fn a_full_disk_can_be_cleared_and_purged() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders", "others"]).await;
        for number in 0..50 {
            store.capture(Capture::new(name("others"), vec![small(number)])).await.unwrap();
        }
        disk.set_capacity(Some(disk.used() + 4 * SEGMENT));
        let mut next = 1_000;
        for round in 0..20 {
            let taken = fill(&store, "orders", &mut next, 1_500, 3).await;
            let clear = Clear { queue: name("orders"), ready: true, destructive: true, scheduled: true };
            assert_eq!(store.clear(clear).await.unwrap(), taken.len() as u64, "round {round}");
            let list = ListLetters { queue: name("others"), statuses: Vec::new(), after: None, limit: 2 };
            let letters = store.letters(list).await.unwrap();
            let letters: Vec<_> = letters.iter().filter_map(|item| Some(item.info.letter.as_ref()?.id)).collect();
            assert_eq!(store.purge(Purge { queue: name("others"), letters }).await.unwrap(), 2, "round {round}");
            until_space(&store, async || produce(&store, "orders", vec![item(next, 100)]).await).await;
            store
                .clear(Clear { queue: name("orders"), ready: true, destructive: true, scheduled: true })
                .await
                .unwrap();
        }
        assert!(!store.status().is_poisoned);
        store.close().await.unwrap();
    });
}

/// Extending leases uses space and frees none. So extends are eventually rejected, and the leased items can still be
/// completed, a few at a time, which frees space.
#[test]
fn leased_items_can_be_completed_on_a_full_disk_when_all_else_is_rejected() {
    let segment = 16 * SEGMENT;
    on_disk(async |disk, clock| {
        let options = EmbeddedOptions { segment_bytes: segment, ..options(&clock) };
        let store = open_with(Arc::new(disk.clone()), &options).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        disk.set_capacity(Some(4 * segment + SEGMENT));
        let taken = fill(&store, "orders", &mut 0, 1_000, 8).await;
        let held = ids(&lease(&store, "orders", taken.len() as u64).await.unwrap());
        assert_eq!(held.len(), taken.len());
        let extend = || Extend {
            queue: name("orders"),
            partition: None,
            ids: held[..1_000].to_vec(),
            lease: None,
            may_shorten: false,
        };
        let mut is_rejected = false;
        for _ in 0..10_000 {
            clock.advance(Span::from_millis(1));
            if let Err(error) = store.extend(extend()).await {
                assert_eq!(error, StoreError::Full);
                is_rejected = true;
                break;
            }
        }
        assert!(is_rejected, "extends must be rejected eventually");
        for handful in held.chunks(8) {
            assert_eq!(store.complete(name("orders"), 0, handful.to_vec()).await, Ok(()), "{:?}", store.status());
        }
        until_space(&store, async || produce(&store, "orders", vec![item(1 << 40, 1_000)]).await).await;
        store.close().await.unwrap();
    });
}

#[test]
fn free_space_ends_a_full_disk() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders", "others"]).await;
        let mut next = 0;
        let mut taken = BTreeSet::new();
        for _ in 0..5 {
            disk.set_capacity(Some(disk.used() + SEGMENT / 2));
            taken.extend(fill(&store, "orders", &mut next, 2_000, 2).await);
            disk.set_capacity(None);
            let number = next;
            next += 1;
            until_space(&store, async || produce(&store, "orders", vec![item(number, 2_000)]).await).await;
            taken.insert(number);
        }
        assert_eq!(number_set(&store, "orders").await, taken);
        store.close().await.unwrap();
        assert_eq!(number_set(&open(&disk, &clock), "orders").await, taken);
    });
}

/// Filled and drained repeatedly, to different levels, with remaining items that compaction has to move on a full disk,
/// and reopened in between on the full disk.
#[test]
fn a_disk_can_be_filled_and_drained_many_times() {
    for seed in seeds(3) {
        let (disk, clock) = (SimDisk::new(), clock());
        let mut random = Random::new(seed.number());
        run(async {
            let mut store = new_store(&disk, &clock, ["orders", "others"]).await;
            disk.set_capacity(Some((6 + random.below(20)) * SEGMENT));
            let (mut next, mut there) = (0, BTreeSet::new());
            for round in 0..12 {
                let most = [200, 2_000, 12_000][random.below(3)];
                let len = 10 + random.below(most);
                let batch = 1 + random.below(3) as u64;
                there.extend(fill(&store, "orders", &mut next, len, batch).await);
                assert_eq!(number_set(&store, "orders").await, there, "{seed}, round {round}");
                // Sometimes all items, sometimes all but a few.
                let keep = random.below(4);
                let leased = async |batch: u64| store_lease(&store, batch).await;
                while let Some(leased) = leased(1 + random.below(8) as u64).await {
                    let go: Vec<_> =
                        leased.items.iter().filter(|_| keep == 0 || random.below(100) >= keep * 3).collect();
                    let gone = go.iter().map(|item| number_of(&item.content.payload).unwrap());
                    for number in gone {
                        there.remove(&number);
                    }
                    if !go.is_empty() {
                        let ids: Vec<_> = go.iter().map(|item| item.info.id).collect();
                        until_space(&store, async || store.complete(name("orders"), 0, ids.clone()).await).await;
                    }
                }
                assert!(!store.status().is_poisoned);
                // The remaining items are leased until the clock moves.
                clock.advance(LEASE);
                clock.advance(LEASE);
                if random.chance(30) {
                    store.close().await.unwrap();
                    store = open(&disk, &clock);
                }
                assert_eq!(number_set(&store, "orders").await, there, "{seed}, round {round}");
                assert!(store.conservation(GetConservation).await.unwrap().holds());
            }
            store.close().await.unwrap();
        });
    }
}

/// Checkpoints and compaction that were running when a full store was closed start over when it is opened, and the
/// reserve is still there for them: ordinary work does not use it first.
#[test]
fn a_full_disk_can_be_reopened_and_drained_item_by_item() {
    for seed in seeds(1) {
        let (disk, clock) = (SimDisk::new(), clock());
        let mut random = Random::new(seed.number());
        run(async {
            let mut store = new_store(&disk, &clock, ["orders", "others"]).await;
            disk.set_capacity(Some((6 + random.below(6)) * SEGMENT));
            let (mut next, mut there) = (0, BTreeSet::new());
            let most = [200, 2_000, 12_000][random.below(3)];
            for _ in 0..30 {
                let len = 10 + random.below(most);
                there.extend(fill(&store, "orders", &mut next, len, 1).await);
                for _ in 0..random.below(200) {
                    let Some(leased) = store_lease(&store, 1).await else { break };
                    // One item in twenty stays, in a segment that could be dropped without it.
                    if random.chance(95) {
                        until_space(&store, async || store.complete(name("orders"), 0, ids(&leased)).await).await;
                        there.remove(&number_of(&leased.items[0].content.payload).unwrap());
                    }
                }
                store.close().await.unwrap();
                clock.advance(LEASE);
                clock.advance(LEASE);
                store = open(&disk, &clock);
            }
            while let Some(leased) = store_lease(&store, 1).await {
                until_space(&store, async || store.complete(name("orders"), 0, ids(&leased)).await).await;
                there.remove(&number_of(&leased.items[0].content.payload).unwrap());
            }
            assert_eq!(there, BTreeSet::new(), "{seed}");
            let again = until_space(&store, async || produce(&store, "orders", vec![item(1 << 40, 1_000)]).await).await;
            assert_eq!(ids(&lease(&store, "orders", 10).await.unwrap()), again);
            assert!(!store.status().is_full && !store.status().is_poisoned);
            store.close().await.unwrap();
        });
    }
}

/// Leases that are never completed use space and free none. There is always enough left to compact sparse segments and
/// to complete the items that are leased next, also in a store that is opened on a full disk.
#[test]
fn leases_that_are_never_completed_do_not_keep_a_full_disk_full() {
    for sparse in [10, 25] {
        on_disk(async |disk, clock| {
            let careless = EmbeddedOptions { garbage_percent: 1_000_000, ..options(&clock) };
            let store = open_with(Arc::new(disk.clone()), &careless).unwrap();
            create_queues(&store, ["orders", "others"]).await;
            let mut there = BTreeSet::new();
            for number in 0..sparse * 10 {
                let queue = if number % 10 == 0 { "orders" } else { "others" };
                produce(&store, queue, vec![item(number, 6_000)]).await.unwrap();
            }
            there.extend((0..sparse).map(|number| number * 10));
            assert_eq!(drain(&store, "others", 9).await.len() as u64, sparse * 9);
            store.close().await.unwrap();

            disk.set_capacity(Some(disk.used()));
            let store = open(&disk, &clock);
            there.extend(fill(&store, "orders", &mut 1_000, 1_000, 1).await);
            for _ in 0..2_000 {
                match lease(&store, "orders", 1).await {
                    Ok(leased) => {
                        until_space(&store, async || store.release(name("orders"), 0, ids(&leased)).await).await;
                    }
                    Err(error) => assert_eq!(error, StoreError::Full),
                }
            }
            while let Some(leased) = store_lease(&store, 1).await {
                until_space(&store, async || store.complete(name("orders"), 0, ids(&leased)).await).await;
                assert!(there.remove(&number_of(&leased.items[0].content.payload).unwrap()));
            }
            assert_eq!(there, BTreeSet::new(), "{sparse} segments");
            until_space(&store, async || produce(&store, "orders", vec![item(1 << 40, 1_000)]).await).await;
            assert!(!store.status().is_full && !store.status().is_poisoned);
            store.close().await.unwrap();
        });
    }
}

/// Repeats a lease that fails with `Full`. Other tests check whether that happens.
async fn store_lease(store: &EmbeddedStore, batch: u64) -> Option<Leased> {
    until_space(store, async || match lease(store, "orders", batch).await {
        Ok(leased) => Ok(Some(leased)),
        Err(StoreError::TimedOut) => Ok(None),
        Err(error) => Err(error),
    })
    .await
}

/// The proof of the last batch needs a little space, too. Lack of it must not look like a failed disk.
#[test]
fn a_store_on_a_full_disk_closes_and_opens_cleanly() {
    for spare in 0..24 {
        on_disk(async |disk, clock| {
            let store = new_store(&disk, &clock, ["orders", "others"]).await;
            disk.set_capacity(Some(4 * SEGMENT + spare * 5_000));
            let taken = fill(&store, "orders", &mut 0, 700 + spare, 1).await;
            // Leases use up the reserve.
            while lease(&store, "orders", 1).await.is_ok() {}
            assert!(!store.status().is_poisoned);
            assert_eq!(store.close().await, Ok(()), "{spare}");
            let store = open(&disk, &clock);
            assert_eq!(number_set(&store, "orders").await, taken);
            store.close().await.unwrap();
        });
    }
}

/// The compactor must not read the same segment repeatedly because there is no space to rewrite its documents.
#[test]
fn an_idle_store_on_a_full_disk_does_not_use_the_disk() {
    let (disk, clock) = (SimDisk::new(), clock());
    let count = OperationCount::default();
    run(async {
        let options = EmbeddedOptions { ..options(&clock) };
        let store = open_with(count.disk(&disk), &options).unwrap();
        create_queues(&store, ["orders", "others"]).await;
        // Sparse segments: every tenth item stays.
        for number in 0..400u64 {
            let queue = if number % 10 == 0 { "others" } else { "orders" };
            produce(&store, queue, vec![item(number, 1_500)]).await.unwrap();
        }
        disk.set_capacity(Some(disk.used()));
        fill(&store, "orders", &mut 1_000, 1_500, 1).await;
        idle().await;
        let before = count.get();
        idle().await;
        let after = count.get();
        assert!(after - before < 200, "{} operations on the disk while the store was idle", after - before);
        store.close().await.unwrap();
    });
}
