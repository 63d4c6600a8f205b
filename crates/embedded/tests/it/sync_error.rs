//! A failed disk: all further changes fail, and acknowledged data stays readable.

use redrive_core::Span;
use redrive_embedded::EmbeddedStore;
use redrive_journal::{Crash, SyncFault};
use redrive_model::{
    Annotate, Capture, ClaimDue, Clear, CreateQueue, Cursor, DeadCause, DeleteQueue, DestinationFilter,
    GetConservation, GetItem, GetKey, GetStats, KeyCondition, KeyWrite, Leased, ListLetters, ListQueues, ReadChanges,
    SettleAction, WriteKeys,
};
use redrive_store::{Store, StoreError};
use tokio::task::JoinSet;

use crate::letters::{capture, small};
use crate::rig::{
    ids, item, lease, lease_and_complete, name, new_store, numbers, on_disk, open, produce, settings, try_open,
    waiting_lease,
};

fn put(key: &'static str, value: &'static str) -> KeyWrite {
    KeyWrite { key: key.into(), value: Some(value.into()), condition: KeyCondition::Any }
}

/// Checks that every kind of change fails.
async fn assert_rejects_changes(store: &EmbeddedStore, leased: &Leased) {
    let poisoned = StoreError::Poisoned;
    assert_eq!(produce(store, "orders", vec![item(100, 10)]).await.unwrap_err(), poisoned);
    assert_eq!(lease(store, "orders", 1).await.unwrap_err(), poisoned);
    assert_eq!(store.lease(waiting_lease("orders", 1)).await.unwrap_err(), poisoned);
    let completed = store.complete(name("orders"), leased.partition, ids(leased)).await;
    assert_eq!(completed.unwrap_err(), poisoned);
    let released = store.settle_all(name("orders"), None, ids(leased), SettleAction::Release).await;
    assert_eq!(released.unwrap_err(), poisoned);
    assert_eq!(capture(store, "dead", 77, redrive_core::RetryPolicy::Never).await.unwrap_err(), poisoned);
    assert_eq!(store.create_queue(CreateQueue { settings: settings("more") }).await.unwrap_err(), poisoned);
    assert_eq!(store.delete_queue(DeleteQueue { name: name("orders"), force: false }).await.unwrap_err(), poisoned);
    let clear = Clear { queue: name("orders"), ready: true, destructive: true, scheduled: true };
    assert_eq!(store.clear(clear).await.unwrap_err(), poisoned);
    assert_eq!(store.write_keys(WriteKeys { writes: vec![put("key", "more")] }).await.unwrap_err(), poisoned);
    let cursor = Cursor::Remove { name: "reader".to_owned() };
    assert_eq!(store.cursor(cursor).await.unwrap_err(), poisoned);
    let claim = ClaimDue {
        queue: name("dead"),
        batch: 1,
        lease: crate::rig::LEASE,
        scope: DestinationFilter::all(),
        wait: Span::from_hours(1),
    };
    assert_eq!(store.claim_due(claim).await.unwrap_err(), poisoned);
    let letters = store.letters(ListLetters { queue: name("dead"), statuses: Vec::new(), after: None, limit: 1 }).await;
    let letter = letters.unwrap()[0].info.letter.as_ref().unwrap().id;
    let annotate = Annotate { queue: name("dead"), letter, note: "a note".into() };
    assert_eq!(store.annotate(annotate).await.unwrap_err(), poisoned);
}

#[test]
fn after_a_failed_sync_changes_fail_and_reads_succeed() {
    for (fault, is_healed) in [
        (SyncFault::Error, false),
        (SyncFault::Error, true),
        (SyncFault::PowerLoss, false),
        (SyncFault::PowerLoss, true),
    ] {
        for crash in [Crash::LoseAll, Crash::KeepAll, Crash::Any, Crash::ProcessOnly] {
            fail_once(fault, is_healed, crash);
        }
    }
}

fn fail_once(fault: SyncFault, is_healed: bool, crash: Crash) {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders", "dead", "empty"]).await;
        store.cursor(Cursor::Register { name: "reader".to_owned() }).await.unwrap();
        store.capture(Capture::new(name("dead"), vec![small(900)])).await.unwrap();
        for number in 0..40 {
            produce(&store, "orders", vec![item(number, 3_000)]).await.unwrap();
        }
        for number in 0..10 {
            assert_eq!(lease_and_complete(&store, "orders", 1).await.unwrap(), [number]);
        }
        store.write_keys(WriteKeys { writes: vec![put("key", "kept")] }).await.unwrap();
        let leased = lease(&store, "orders", 2).await.unwrap();
        let mut waiters = JoinSet::new();
        for _ in 0..5 {
            let store = store.clone();
            waiters.spawn(async move { store.lease(waiting_lease("empty", 1)).await });
        }
        while store.stats(GetStats { queue: name("empty") }).await.unwrap().waiting < 5 {
            tokio::task::yield_now().await;
        }
        let before = store.conservation(GetConservation).await.unwrap();
        let stats = store.stats(GetStats { queue: name("orders") }).await.unwrap();

        disk.fail_syncs_after(0, fault);
        let failed = produce(&store, "orders", vec![item(50, 3_000)]).await;
        assert_eq!(failed.unwrap_err(), StoreError::Poisoned);
        if is_healed {
            // Later syncs succeed, as they do on a real system; the store must not rely on that.
            disk.heal_syncs();
        }
        assert!(store.status().is_poisoned && !store.status().is_full);
        while let Some(answer) = waiters.join_next().await {
            assert_eq!(answer.unwrap().unwrap_err(), StoreError::Poisoned);
        }
        assert_rejects_changes(&store, &leased).await;

        // Exactly the acknowledged changes: neither the failed batch nor the rejected requests.
        assert_eq!(numbers(&store, "orders").await, (10..40).collect::<Vec<_>>());
        assert_eq!(store.conservation(GetConservation).await.unwrap(), before);
        let mut shown = store.stats(GetStats { queue: name("orders") }).await.unwrap();
        // Rates are not stored.
        (shown.waiting, shown.rates) = (stats.waiting, stats.rates);
        assert_eq!(shown, stats);
        assert_eq!(store.queues(ListQueues { limit: 10, ..ListQueues::default() }).await.unwrap().len(), 3);
        assert_eq!(store.key(GetKey { key: "key".into() }).await.unwrap().unwrap().value, "kept");
        assert_eq!(
            store.item(GetItem { queue: name("orders"), id: leased.items[0].info.id }).await.unwrap(),
            leased.items[0]
        );
        let changes = ReadChanges { cursor: "reader".to_owned(), after: None, limit: 10, wait: Span::ZERO };
        let page = store.changes(changes.clone()).await.unwrap();
        assert_eq!(page.changes.len(), 1);
        let next = ReadChanges { after: Some(page.position), ..changes };
        let waits = store.changes(ReadChanges { wait: Span::from_hours(1), ..next }).await;
        assert_eq!(waits, Err(StoreError::Poisoned), "no further changes will arrive");
        assert_eq!(store.close().await, Err(StoreError::Poisoned), "the failed proof is reported");

        disk.crash(crash, 3);
        disk.heal_syncs();
        let store = try_open(&disk, &clock).unwrap();
        let found = numbers(&store, "orders").await;
        let unsure: Vec<u64> = found.iter().copied().filter(|number| *number >= 40).collect();
        assert_eq!(found[..30], (10..40).collect::<Vec<_>>());
        assert!(unsure.is_empty() || unsure == [50], "{unsure:?}");
        store.complete(name("orders"), leased.partition, ids(&leased)).await.unwrap();
        assert!(store.conservation(GetConservation).await.unwrap().holds());
        assert!(!store.status().is_poisoned);
        store.close().await.unwrap();
    });
}

/// The failed batch changed existing items: they, too, are shown as last acknowledged.
#[test]
fn reads_after_a_failure_show_no_part_of_the_failed_batch() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        for queue in ["dead", "orders"] {
            let mut settings = settings(queue);
            if queue == "orders" {
                settings.dead_queue = Some(name("dead"));
            }
            store.create_queue(CreateQueue { settings }).await.unwrap();
        }
        produce(&store, "orders", (0..20).map(|number| item(number, 500)).collect()).await.unwrap();
        let leased = lease(&store, "orders", 5).await.unwrap();
        disk.fail_syncs_after(0, SyncFault::Error);
        // Concurrent requests may be in one batch or in several; all of them fail.
        let mut requests = JoinSet::new();
        for (index, id) in ids(&leased).into_iter().enumerate() {
            let store = store.clone();
            let action = if index % 2 == 0 {
                SettleAction::Complete { attempt: None }
            } else {
                SettleAction::Dead { attempt: None, why: DeadCause::Permanent }
            };
            requests.spawn(async move { store.settle_all(name("orders"), None, vec![id], action).await });
        }
        while let Some(answer) = requests.join_next().await {
            assert_eq!(answer.unwrap(), Err(StoreError::Poisoned));
        }
        assert_eq!(numbers(&store, "orders").await, (0..20).collect::<Vec<_>>());
        assert!(numbers(&store, "dead").await.is_empty());
        let stats = store.stats(GetStats { queue: name("orders") }).await.unwrap();
        assert_eq!((stats.partitions[0].total, stats.partitions[0].leased), (20, 5));
        disk.crash(Crash::LoseAll, 1);
        disk.heal_syncs();
        let store = open(&disk, &clock);
        assert_eq!(numbers(&store, "orders").await, (0..20).collect::<Vec<_>>());
    });
}

/// A sync that fails while a spare segment is created does not poison the store: no data is lost.
#[test]
fn a_spare_segment_that_cannot_be_created_does_not_poison_the_store() {
    for syncs in 0..12 {
        on_disk(async |disk, clock| {
            let store = new_store(&disk, &clock, ["orders"]).await;
            disk.fail_syncs_after(syncs, SyncFault::Error);
            let mut taken = Vec::new();
            for number in 0..60 {
                match produce(&store, "orders", vec![item(number, 3_000)]).await {
                    Ok(_) => taken.push(number),
                    Err(StoreError::Poisoned) => break,
                    Err(error) => assert_eq!(error, StoreError::Full),
                }
            }
            assert_eq!(numbers(&store, "orders").await, taken, "after {syncs} syncs");
            disk.crash(Crash::LoseAll, 1);
            disk.heal_syncs();
            let store = open(&disk, &clock);
            assert_eq!(numbers(&store, "orders").await, taken, "after {syncs} syncs");
        });
    }
}
