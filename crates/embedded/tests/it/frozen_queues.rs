//! A frozen queue holds its requests, and serves them in one pass once it is unfrozen.

use redrive_core::Span;
use redrive_embedded::EmbeddedStore;
use redrive_model::{CreateQueue, DeleteQueue, GetStats, ItemListKind, ListItems, QueueSettings};
use redrive_store::{FreezeQueues, Store, StoreError};
use tokio::task::{JoinHandle, yield_now};

use crate::rig::{idle, ids, item, lease, name, new_store, on_disk, open, produce, settings, waiting_lease};

async fn until_leases_wait(store: &EmbeddedStore, waiting: u64) {
    while store.stats(GetStats { queue: name("orders") }).await.unwrap().waiting < waiting {
        yield_now().await;
    }
}

fn leasing(store: &EmbeddedStore, batch: u64) -> JoinHandle<Result<usize, StoreError>> {
    let store = store.clone();
    tokio::spawn(async move { store.lease(waiting_lease("orders", batch)).await.map(|leased| leased.items.len()) })
}

fn producing(store: &EmbeddedStore, count: u64) -> JoinHandle<Result<Vec<redrive_core::ItemId>, StoreError>> {
    let store = store.clone();
    tokio::spawn(async move { produce(&store, "orders", (0..count).map(|number| item(number, 10)).collect()).await })
}

#[test]
fn leases_received_while_frozen_share_items_in_one_pass() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        producing(&store, 23).await.unwrap().unwrap();
        store.freeze(name("orders")).await.unwrap();
        let mut waiting = Vec::new();
        for (batch, count) in [(20, 1), (6, 2), (1, 3)] {
            waiting.push(leasing(&store, batch));
            until_leases_wait(&store, count).await;
        }
        store.unfreeze(name("orders")).await.unwrap();
        let mut got = Vec::new();
        for lease in waiting {
            got.push(lease.await.unwrap().unwrap());
        }
        assert_eq!(got, [16, 6, 1]);
        store.close().await.unwrap();
    });
}

#[test]
fn an_item_produced_while_frozen_is_leased_in_the_same_pass() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        let early = leasing(&store, 1);
        until_leases_wait(&store, 1).await;
        store.freeze(name("orders")).await.unwrap();
        store.freeze(name("orders")).await.unwrap();
        until_leases_wait(&store, 1).await;
        let produced = producing(&store, 1);
        idle().await;
        assert!(!produced.is_finished() && !early.is_finished(), "both are held");
        store.unfreeze(name("orders")).await.unwrap();
        produced.await.unwrap().unwrap();
        assert_eq!(early.await.unwrap().unwrap(), 1);
        store.close().await.unwrap();
    });
}

#[test]
fn time_stops_for_a_frozen_queue_and_for_its_waiting_leases() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        let minute = Span::from_mins(1);
        let settings = QueueSettings { lease_timeout: minute, ..settings("orders") };
        store.create_queue(CreateQueue { settings }).await.unwrap();
        producing(&store, 1).await.unwrap().unwrap();
        let held = lease(&store, "orders", 1).await.unwrap();
        store.freeze(name("orders")).await.unwrap();
        let waiting = leasing(&store, 1);
        until_leases_wait(&store, 1).await;
        clock.advance(Span::from_hours(2));
        idle().await;
        assert!(!waiting.is_finished(), "its timeout is stopped, too");
        let list =
            ListItems { queue: name("orders"), partition: 0, which: ItemListKind::Items, pivot: None, limit: 10 };
        assert_eq!(store.items(list).await.unwrap()[0].info.id, held.items[0].info.id, "the lease has not expired");
        store.unfreeze(name("orders")).await.unwrap();
        assert_eq!(waiting.await.unwrap().unwrap(), 1, "the lease has expired, and the waiting one got the item");
        store.close().await.unwrap();
    });
}

#[test]
fn up_to_a_hundred_requests_are_held_and_the_next_is_rejected_at_once() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        store.create_queue(CreateQueue { settings: settings("others") }).await.unwrap();
        store.freeze(name("orders")).await.unwrap();
        let waiting: Vec<_> = (0..100).map(|_| leasing(&store, 1)).collect();
        until_leases_wait(&store, 100).await;
        assert_eq!(leasing(&store, 1).await.unwrap(), Err(StoreError::Overloaded));
        assert_eq!(producing(&store, 1).await.unwrap(), Err(StoreError::Overloaded));
        produce(&store, "others", vec![item(1, 10)]).await.unwrap();
        store.delete_queue(DeleteQueue { name: name("orders"), force: false }).await.unwrap();
        for lease in waiting {
            assert_eq!(lease.await.unwrap(), Err(StoreError::QueueGone));
        }
        store.close().await.unwrap();
    });
}

#[test]
fn settlements_are_held_until_the_queue_is_unfrozen() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        producing(&store, 1).await.unwrap().unwrap();
        let leased = lease(&store, "orders", 1).await.unwrap();
        store.freeze(name("orders")).await.unwrap();
        let completing = store.clone();
        let done = tokio::spawn(async move { completing.complete(name("orders"), 0, ids(&leased)).await });
        idle().await;
        assert!(!done.is_finished());
        assert_eq!(store.stats(GetStats { queue: name("orders") }).await.unwrap().partitions[0].leased, 1);
        store.unfreeze(name("orders")).await.unwrap();
        done.await.unwrap().unwrap();
        assert_eq!(store.stats(GetStats { queue: name("orders") }).await.unwrap().partitions[0].total, 0);
        store.close().await.unwrap();
    });
}
