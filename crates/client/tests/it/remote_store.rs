//! A server by the contract of a store.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_client::{Client, RemoteStore};
use redrive_core::{ItemId, QueueName, Span};
use redrive_model::{
    Attempt, Clear, CreateQueue, DeleteItems, Extend, GetConservation, GetQueue, GetStats, Import, ImportItem,
    KeyCondition, KeyWrite, Lease, LeaseSpec, Leased, ListItems, ListQueues, NewItem, OnRejected, Produce,
    ProducedItem, QueueSettings, Rejection, Settle, SettleAction, Settled, Settlement, UpdateQueue, Which, WriteKeys,
};
use redrive_store::conformance::{CASES, Case, Harness};
use redrive_store::{Clock, ManualClock, Reply, Request, Store, StoreError};

use crate::bed::{Bed, Ground};
use crate::stub::{Act, Stub};

fn name(name: &str) -> QueueName {
    QueueName::new(name).unwrap()
}

fn orders() -> QueueName {
    name("orders")
}

async fn with_orders() -> (Bed, RemoteStore) {
    let bed = Bed::new(Ground::Memory).await;
    let store = RemoteStore::new(bed.client());
    store.create_queue(CreateQueue { settings: QueueSettings::new(orders()) }).await.unwrap();
    (bed, store)
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
    let wanted = LeaseSpec { batch, lease: Some(Span::from_mins(5)) };
    store.lease(Lease { queue: orders(), client_id: None, spec: wanted, wait: Span::from_secs(1) }).await.unwrap()
}

fn completed(ids: impl IntoIterator<Item = ItemId>, attempt: Option<&Attempt>) -> Settle {
    let attempt = attempt.cloned().map(Box::new);
    let settlement = |id| Settlement { id, action: SettleAction::Complete { attempt: attempt.clone() } };
    let items = ids.into_iter().map(settlement).collect();
    Settle { queue: orders(), partition: None, items, on_rejected: OnRejected::Stop }
}

#[tokio::test]
async fn more_results_than_a_request_takes_are_sent_in_pieces() {
    let (bed, store) = with_orders().await;
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
    assert_eq!(bed.store().stats(GetStats { queue: orders() }).await.unwrap().partitions[0].total, 0);
}

#[tokio::test]
async fn a_stale_id_in_one_piece_affects_no_other_piece() {
    let (bed, store) = with_orders().await;
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
    let extend = Extend { queue: orders(), partition: None, ids: ids.clone(), lease: Some(hour) };
    let mut extended = store.extend(extend).await.unwrap();
    assert_eq!(extended.remove(500), Err(Rejection::NoSuchItem(stale)));
    assert_eq!(extended, vec![Ok(bed.clock.now().saturating_add(hour)); 1_200]);

    let settle = Settle { on_rejected: OnRejected::Continue, ..completed(ids, None) };
    let mut settled = store.settle(settle).await.unwrap();
    assert_eq!(settled.remove(500), Err(Rejection::NoSuchItem(stale)));
    assert_eq!(settled, vec![Ok(Settled::Completed); 1_200]);
    assert_eq!(bed.store().stats(GetStats { queue: orders() }).await.unwrap().partitions[0].total, 0);
}

#[tokio::test]
async fn results_with_long_records_are_sent_in_pieces_that_a_server_takes() {
    let (_bed, store) = with_orders().await;
    produce(&store, 40).await;
    let ids: Vec<_> = lease(&store, 40).await.items.iter().map(|item| item.info.id).collect();
    let mut record = Attempt::new(redrive_core::Trigger::Automatic, redrive_core::Outcome::Failure);
    record.error = "e".repeat(200_000);
    let settled = store.settle(completed(ids.clone(), Some(&record))).await.unwrap();
    assert_eq!(settled, vec![Ok(Settled::Completed); 40]);

    record.error = "e".repeat(5_000_000);
    let refused = store.settle(completed(ids, Some(&record))).await.unwrap_err();
    assert!(matches!(refused, StoreError::Rejected(Rejection::TooLarge { .. })), "{refused:?}");
}

#[tokio::test]
async fn refusals_are_what_the_store_behind_the_server_says() {
    let (_bed, store) = with_orders().await;
    assert_eq!(
        store.queue(GetQueue { name: name("nobody") }).await.unwrap_err(),
        Rejection::NoSuchQueue(name("nobody")).into()
    );
    let again = store.create_queue(CreateQueue { settings: QueueSettings::new(orders()) }).await.unwrap_err();
    assert_eq!(again, Rejection::QueueExists(orders()).into());
    let ids = produce(&store, 1).await;
    let extend = |ids: Vec<ItemId>| Extend { queue: orders(), partition: None, ids, lease: None };
    let nobody = ItemId::new(redrive_core::Ksuid::MIN);
    let extended = store.extend(extend(vec![ids[0], nobody])).await.unwrap();
    let not_leased = Rejection::NotLeased { id: ids[0], verb: "extended" };
    assert_eq!(extended, [Err(not_leased), Err(Rejection::NoSuchItem(nobody))]);
    let settled = store.settle(completed(ids.clone(), None)).await.unwrap();
    assert_eq!(settled, [Err(Rejection::NotLeased { id: ids[0], verb: "completed" })]);
    let error = store
        .create_queue(CreateQueue { settings: QueueSettings { max_attempts: 70_000, ..QueueSettings::new(name("b")) } })
        .await;
    let told = "max attempts is invalid; cannot be greater than 65536";
    assert_eq!(error.unwrap_err(), Rejection::Elsewhere(told.into()).into());
}

#[tokio::test]
async fn what_went_wrong_on_the_way_is_told_as_a_store_tells_it() {
    for (act, is_it) in [
        (Act::Reply(454, "queue is overloaded; try again later"), StoreError::Overloaded),
        (Act::Reply(453, "queue is shutting down"), StoreError::QueueGone),
        (Act::Reply(453, "service is shutting down"), StoreError::Unavailable("service is shutting down".to_owned())),
        (Act::Reply(403, "access denied"), StoreError::Denied("access denied".to_owned())),
    ] {
        let stub = Stub::new(vec![act]).await;
        let store = RemoteStore::new(Client::builder(&stub.address.to_string()).tries(1).build().unwrap());
        assert_eq!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), is_it);
    }
    let stub = Stub::new(vec![Act::Close]).await;
    let store = RemoteStore::new(Client::builder(&stub.address.to_string()).tries(1).build().unwrap());
    assert!(matches!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), StoreError::Unavailable(_)));
}

#[tokio::test]
async fn a_store_that_is_closed_answers_those_who_wait() {
    let (bed, store) = with_orders().await;
    let store = Arc::new(store);
    let waiting = tokio::spawn({
        let store = Arc::clone(&store);
        async move {
            let wanted = LeaseSpec { batch: 1, lease: None };
            let wait = Span::from_hours(1);
            store.lease(Lease { queue: orders(), client_id: None, spec: wanted, wait }).await
        }
    });
    while bed.store().stats(GetStats { queue: orders() }).await.unwrap().waiting == 0 {}
    store.close().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap_err(), StoreError::Closed);
    assert_eq!(store.queue(GetQueue { name: orders() }).await.unwrap_err(), StoreError::Closed);
    while bed.store().stats(GetStats { queue: orders() }).await.unwrap().waiting == 1 {}
}

#[tokio::test]
async fn what_the_api_does_not_offer_is_said_so() {
    let (_bed, store) = with_orders().await;
    assert_eq!(store.conservation(GetConservation).await.unwrap_err(), StoreError::NotOffered("conservation"));
    let delete = || KeyWrite { key: "a".into(), value: None, condition: KeyCondition::Any };
    let written = store.write_keys(WriteKeys { writes: vec![delete()] }).await;
    assert_eq!(written.unwrap_err(), StoreError::NotOffered("write_keys"));
    let produce = Produce::new(orders(), vec![NewItem::of_payload("a")]);
    let along = store.submit(Request::Produce(produce), vec![delete()]).await;
    assert!(matches!(along.unwrap_err(), StoreError::NotOffered(_)));
    assert_eq!(store.stats(GetStats { queue: orders() }).await.unwrap().partitions[0].total, 0, "and nothing was done");
}

#[tokio::test]
async fn items_are_imported_listed_cleared_and_deleted() {
    let (bed, store) = with_orders().await;
    let item = |source_id: &str| ImportItem {
        content: NewItem::of_payload(source_id.to_owned()).content,
        source_id: (!source_id.is_empty()).then(|| source_id.into()),
        ..ImportItem::default()
    };
    let import =
        |ids: &[&str]| Import { queue: orders(), partition: 0, items: ids.iter().map(|id| item(id)).collect() };
    let taken = |imported: Vec<Option<_>>| imported.iter().map(Option::is_some).collect::<Vec<_>>();
    assert_eq!(taken(store.import(import(&["a", "", "b"])).await.unwrap()), [true, true, true]);
    assert_eq!(
        taken(store.import(import(&["b", "", "c", "c", "a"])).await.unwrap()),
        [false, true, true, false, false]
    );

    let list = |limit| ListItems { queue: orders(), partition: 0, which: Which::Items, pivot: None, limit };
    let items = store.items(list(100)).await.unwrap();
    assert_eq!(items.iter().map(|item| item.info.id).collect::<Vec<_>>(), {
        let own = bed.store().items(list(100)).await.unwrap();
        own.iter().map(|item| item.info.id).collect::<Vec<_>>()
    });
    assert_eq!(store.items(list(2)).await.unwrap().len(), 2);

    let ids = vec![items[0].info.id, ItemId::new(redrive_core::Ksuid::MIN)];
    assert_eq!(store.delete_items(DeleteItems { queue: orders(), partition: 0, ids }).await.unwrap(), 1);
    lease(&store, 1).await;
    let clear = Clear { queue: orders(), ready: true, destructive: false, scheduled: false };
    assert_eq!(store.clear(clear).await.unwrap(), 3);
}

#[tokio::test]
async fn an_update_keeps_what_it_does_not_name() {
    let (bed, store) = with_orders().await;
    let first = UpdateQueue { max_attempts: Some(3), reference: Some("r".to_owned()), ..UpdateQueue::of(orders()) };
    store.update_queue(first).await.unwrap();
    let second =
        UpdateQueue { lease_timeout: Some(Span::from_mins(9)), is_paused: Some(true), ..UpdateQueue::of(orders()) };
    let told = store.update_queue(second).await.unwrap();
    let settings = bed.store().queue(GetQueue { name: orders() }).await.unwrap();
    assert_eq!(told, settings);
    assert_eq!((settings.max_attempts, settings.reference.as_str(), settings.is_paused), (3, "r", true));
    assert_eq!(settings.lease_timeout, Span::from_mins(9));
    let list = ListQueues { namespace: Some(None), pivot: None, limit: 10 };
    assert_eq!(store.queues(list).await.unwrap().len(), 1);
}

/// The suite for stores asks for more than the API offers, and looks at all of it after each case. What is not offered
/// is asked of the server's own store, and so is a lease that does not wait, for which the API has no word.
#[derive(Debug)]
struct Beside {
    remote: RemoteStore,
    bed: Bed,
}

#[async_trait]
impl Store for Beside {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_instant = matches!(&operation, Request::Lease(lease) if lease.wait.is_zero());
        // What the API shows less of.
        let is_shown = matches!(
            operation,
            Request::GetQueue(_) | Request::ListQueues(_) | Request::GetStats(_) | Request::ListItems(_)
        );
        if is_instant || is_shown {
            return self.bed.store().submit(operation, along).await;
        }
        match self.remote.submit(operation.clone(), along.clone()).await {
            Err(StoreError::NotOffered(_)) => self.bed.store().submit(operation, along).await,
            Err(StoreError::Rejected(
                Rejection::Elsewhere(_) | Rejection::TooLarge { .. } | Rejection::NoSuchItem(_),
            )) => {
                // In the words of a store: nothing was done, and nothing will be.
                self.bed.store().submit(operation, along).await
            }
            reply => reply,
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.remote.close().await?;
        self.bed.store().close().await
    }
}

struct BesideServer;

#[async_trait]
impl Harness for BesideServer {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let bed = Bed::at(Ground::Memory, clock).await;
        Arc::new(Beside { remote: RemoteStore::new(bed.client()), bed })
    }

    async fn reopen(&self, _store: Arc<dyn Store>, _clock: ManualClock) -> Option<Arc<dyn Store>> {
        None
    }
}

/// The themes that are about what the API offers.
const THEMES: [&str; 15] = [
    "queues",
    "produce",
    "request_ids",
    "lease",
    "waiting",
    "settle",
    "attempts",
    "clear_and_delete",
    "import_export",
    "counters",
    "letters_capture",
    "letters_overflow",
    "letters_dependencies",
    "letters_by_hand",
    "dead_queues",
];

/// Rules that do not hold over the API, and why.
const NOT_KEPT: [(&str, &str); 8] = [
    ("a_queue_is_made_as_it_was_asked_for", "a namespace must be made before its queues"),
    ("a_list_of_queues_filters_before_it_limits", "a namespace must be made before its queues"),
    (
        "a_client_waits_once_on_a_queue",
        "a clock that jumps by an hour ends one request of a long wait, not all of them",
    ),
    ("a_vanished_client_may_wait_again_at_once", "a server hears a little later that its client has gone"),
    ("everything_that_was_said_is_kept", "a server writes down itself who submitted a failure, and when"),
    ("faults_group_letters_by_fingerprint", "a server finds the fingerprint by itself"),
    ("notes_are_kept_in_any_state", "a server keeps a note with its author and time"),
    ("the_first_and_the_newest_notes_are_kept", "a server keeps a note with its author and time"),
];

#[test]
fn the_rules_of_a_store_hold_over_the_api() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let is_kept = |case: &&Case| NOT_KEPT.iter().all(|(name, _)| case.name != *name);
    let cases: Vec<_> = CASES.iter().filter(|case| THEMES.contains(&case.theme)).filter(is_kept).collect();
    assert!(cases.len() > 100, "only {} cases are left", cases.len());
    let is_broken = |case: &&&Case| {
        let tried = std::panic::AssertUnwindSafe(|| runtime.block_on(case.check(BesideServer)));
        std::panic::catch_unwind(tried).is_err()
    };
    let broken: Vec<_> = cases.iter().filter(is_broken).collect();
    assert!(broken.is_empty(), "{broken:?}");
}
