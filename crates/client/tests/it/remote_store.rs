//! The operations of a store that a remote source uses.

use std::sync::Arc;

use redrive_client::RemoteStore;
use redrive_core::{ItemId, QueueName, Span};
use redrive_model::{
    Attempt, CreateQueue, Extend, GetConservation, GetQueue, GetStats, KeyCondition, KeyWrite, Lease, LeaseSpec,
    Leased, NewItem, OnRejected, Produce, ProducedItem, QueueSettings, Rejection, Settle, SettleAction, Settled,
    Settlement, WriteKeys,
};
use redrive_store::{Clock, Request, Store, StoreError};

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, name};

fn orders() -> QueueName {
    name("orders")
}

async fn with_orders() -> (TestServer, RemoteStore) {
    let server = TestServer::new(Storage::Memory).await;
    server.store().create_queue(CreateQueue { settings: QueueSettings::new(orders()) }).await.unwrap();
    let store = RemoteStore::new(server.client());
    (server, store)
}

async fn produce(store: &dyn Store, count: usize) -> Vec<ItemId> {
    let items = (0..count).map(|number| NewItem::of_payload(number.to_string())).collect();
    let produced = store.produce(Produce::new(orders(), items)).await.unwrap();
    let id = |item: &ProducedItem| match item {
        ProducedItem::New(id) | ProducedItem::Duplicate(id) => *id,
    };
    produced.items.iter().map(id).collect()
}

async fn lease(store: &dyn Store, batch: u64) -> Leased {
    let spec = LeaseSpec { batch, lease: Some(Span::from_mins(5)), notes_receipt: false };
    store.lease(Lease { queue: orders(), client_id: None, spec, wait: Span::from_secs(1) }).await.unwrap()
}

fn completed(ids: impl IntoIterator<Item = ItemId>, attempt: Option<&Attempt>) -> Settle {
    let attempt = attempt.cloned().map(Box::new);
    let settlement = |id| Settlement { id, action: SettleAction::Complete { attempt: attempt.clone() } };
    let items = ids.into_iter().map(settlement).collect();
    Settle { queue: orders(), partition: None, items, on_rejected: OnRejected::Stop }
}

#[tokio::test]
async fn more_results_than_a_request_allows_are_sent_in_batches() {
    let (server, store) = with_orders().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        produce(&store, 900).await;
    }
    while ids.len() < 2_700 {
        ids.extend(lease(&store, 5_000).await.items.iter().map(|item| item.info.id));
    }
    let stale = ItemId::new(redrive_core::Ksuid::MIN);
    ids.insert(2_500, stale);
    let settled = store.settle(completed(ids.clone(), None)).await.unwrap();
    let (last, done) = settled.split_last().unwrap();
    assert_eq!((done, last), (&vec![Ok(Settled::Completed); 2_500][..], &Err(Rejection::NoSuchItem(stale))));
    let settled = store.settle(completed(ids[2_501..].to_vec(), None)).await.unwrap();
    assert_eq!(settled, vec![Ok(Settled::Completed); 200]);
    assert_eq!(server.store().stats(GetStats { queue: orders() }).await.unwrap().partitions[0].total, 0);
}

#[tokio::test]
async fn a_stale_id_in_one_batch_affects_no_other_batch() {
    let (server, store) = with_orders().await;
    for _ in 0..2 {
        produce(&store, 600).await;
    }
    let mut ids = Vec::new();
    while ids.len() < 1_200 {
        ids.extend(lease(&store, 1_000).await.items.iter().map(|item| item.info.id));
    }
    let stale = ItemId::new(redrive_core::Ksuid::MIN);
    ids.insert(500, stale);
    let hour = Span::from_hours(1);
    let extend = Extend { queue: orders(), partition: None, ids: ids.clone(), lease: Some(hour), may_shorten: false };
    let mut extended = store.extend(extend).await.unwrap();
    assert_eq!(extended.remove(500), Err(Rejection::NoSuchItem(stale)));
    assert_eq!(extended, vec![Ok(server.clock.now().saturating_add(hour)); 1_200]);

    let settle = Settle { on_rejected: OnRejected::Continue, ..completed(ids, None) };
    let mut settled = store.settle(settle).await.unwrap();
    assert_eq!(settled.remove(500), Err(Rejection::NoSuchItem(stale)));
    assert_eq!(settled, vec![Ok(Settled::Completed); 1_200]);
    assert_eq!(server.store().stats(GetStats { queue: orders() }).await.unwrap().partitions[0].total, 0);
}

#[tokio::test]
async fn results_with_long_records_are_sent_in_batches_within_the_size_limit() {
    let (_server, store) = with_orders().await;
    produce(&store, 40).await;
    let ids: Vec<_> = lease(&store, 40).await.items.iter().map(|item| item.info.id).collect();
    let mut record = Attempt::new(redrive_core::Trigger::Automatic, redrive_core::Outcome::Failure);
    record.error = "e".repeat(200_000);
    let settled = store.settle(completed(ids.clone(), Some(&record))).await.unwrap();
    assert_eq!(settled, vec![Ok(Settled::Completed); 40]);

    record.error = "e".repeat(5_000_000);
    let rejected = store.settle(completed(ids, Some(&record))).await.unwrap_err();
    assert!(matches!(rejected, StoreError::Rejected(Rejection::TooLarge { .. })), "{rejected:?}");
}

#[tokio::test]
async fn rejections_equal_those_of_the_servers_store() {
    let (_server, store) = with_orders().await;
    assert_eq!(
        store.queue(GetQueue { name: name("missing") }).await.unwrap_err(),
        Rejection::NoSuchQueue(name("missing")).into()
    );
    let ids = produce(&store, 1).await;
    let extend = |ids: Vec<ItemId>| Extend { queue: orders(), partition: None, ids, lease: None, may_shorten: false };
    let unknown = ItemId::new(redrive_core::Ksuid::MIN);
    let extended = store.extend(extend(vec![ids[0], unknown])).await.unwrap();
    let not_leased = Rejection::NotLeased { id: ids[0], verb: "extended" };
    assert_eq!(extended, [Err(not_leased), Err(Rejection::NoSuchItem(unknown))]);
    let settled = store.settle(completed(ids.clone(), None)).await.unwrap();
    assert_eq!(settled, [Err(Rejection::NotLeased { id: ids[0], verb: "completed" })]);
    let without_batch = Lease {
        queue: orders(),
        client_id: Some("x".repeat(10_000)),
        spec: LeaseSpec { batch: 1, lease: None, notes_receipt: false },
        wait: Span::ZERO,
    };
    let error = store.lease(without_batch).await.unwrap_err();
    assert!(matches!(error, StoreError::Rejected(_)), "{error:?}");
}

#[tokio::test]
async fn errors_of_the_transport_are_errors_of_a_store() {
    for (action, expected) in [
        (Action::Fault(454, "overloaded"), StoreError::Overloaded),
        (Action::Fault(453, "queue_gone"), StoreError::QueueGone),
        (Action::Fault(453, "closed"), StoreError::Unavailable("x".to_owned())),
        (Action::Fault(454, "of_the_future"), StoreError::Unavailable("x".to_owned())),
        (Action::Reply(453, "queue is shutting down"), StoreError::Unavailable("queue is shutting down".to_owned())),
        (Action::Reply(403, "access denied"), StoreError::Denied("access denied".to_owned())),
    ] {
        let stub = Stub::new(vec![action]).await;
        let store = RemoteStore::new(stub.client().tries(1).build().unwrap());
        assert_eq!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), expected);
    }
    let stub = Stub::new(vec![Action::Close]).await;
    let store = RemoteStore::new(stub.client().tries(1).build().unwrap());
    assert!(matches!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), StoreError::Unavailable(_)));
}

#[tokio::test]
async fn closing_a_store_ends_waiting_requests() {
    let (server, store) = with_orders().await;
    let store = Arc::new(store);
    let waiting = tokio::spawn({
        let store = Arc::clone(&store);
        async move {
            let spec = LeaseSpec { batch: 1, lease: None, notes_receipt: false };
            let wait = Span::from_hours(1);
            store.lease(Lease { queue: orders(), client_id: None, spec, wait }).await
        }
    });
    while server.store().stats(GetStats { queue: orders() }).await.unwrap().waiting == 0 {}
    store.close().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap_err(), StoreError::Closed);
    assert_eq!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), StoreError::Closed);
    while server.store().stats(GetStats { queue: orders() }).await.unwrap().waiting == 1 {}
}

#[tokio::test]
async fn operations_without_a_call_are_not_offered() {
    let (server, store) = with_orders().await;
    assert_eq!(store.conservation(GetConservation).await.unwrap_err(), StoreError::NotOffered("conservation"));
    let delete = || KeyWrite { key: "a".into(), value: None, condition: KeyCondition::Any };
    let written = store.write_keys(WriteKeys { writes: vec![delete()] }).await;
    assert_eq!(written.unwrap_err(), StoreError::NotOffered("write_keys"));
    let produce = Produce::new(orders(), vec![NewItem::of_payload("a")]);
    let along = store.submit(Request::Produce(produce), vec![delete()]).await;
    assert!(matches!(along.unwrap_err(), StoreError::NotOffered(_)));
    let stats = server.store().stats(GetStats { queue: orders() }).await.unwrap();
    assert_eq!(stats.partitions[0].total, 0, "nothing was stored");
}
