//! The handle of a queue: items, durations, times, ids and settings keep their values on the way to the server and back.

use std::sync::Arc;

use redrive_client::{
    Client, ClientError, Content, Header, ItemId, LeaseOptions, Leased, NewItem, ProducedItem, Queue, QueueSettings,
    Rejection, RetryAt, SettleAction, Settled, Settlement, Span, StoredItem,
};
use redrive_core::{Ksuid, Outcome, Priority, Trigger};
use redrive_model::{Attempt, DeadCause, GetStats, ItemState, LetterOverrides};
use redrive_store::Clock;

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, name};

const TEN: LeaseOptions =
    LeaseOptions { batch: 10, lease: None, wait: Span::from_secs(5), client_id: None, notes_receipt: false };
const STALE: ItemId = ItemId::new(Ksuid::MIN);

async fn with_orders() -> (TestServer, Queue) {
    let server = TestServer::new(Storage::Memory).await;
    let client = server.client();
    Queue::create(&client, &QueueSettings::new(name("dead"))).await.unwrap();
    let settings = QueueSettings { dead_queue: Some(name("dead")), ..QueueSettings::new(name("orders")) };
    let orders = Queue::create(&client, &settings).await.unwrap();
    (server, orders)
}

/// Payloads as items.
fn items(payloads: &[&'static str]) -> Vec<NewItem> {
    payloads.iter().copied().map(NewItem::of_payload).collect()
}

fn ids(leased: &Leased) -> Vec<ItemId> {
    leased.items.iter().map(|item| item.info.id).collect()
}

async fn lease_ids(orders: &Queue, payloads: &[&'static str]) -> Vec<ItemId> {
    orders.produce(&items(payloads)).await.unwrap();
    ids(&orders.lease(&TEN).await.unwrap())
}

#[tokio::test]
async fn every_field_of_an_item_survives_the_way_to_the_server_and_back() {
    let (server, orders) = with_orders().await;
    let header = |value: &'static [u8]| Header { name: "h".to_owned(), value: value.into() };
    let content = Arc::new(Content {
        kind: "order".to_owned(),
        encoding: "json".to_owned(),
        reference: "r-1".to_owned(),
        key: Some(vec![0xFF, 0].into()),
        headers: vec![header(&[0xFE, 0]), header(b"again"), header(b"")],
        payload: vec![0, 0xFF, b'x'].into(),
    });
    let (schedule, lifetime) = (Span::from_micros(1_500_001), Span::from_micros(3_600_000_007));
    let begin = server.clock.now();
    let item = NewItem {
        content: Arc::clone(&content),
        enqueue_at: Some(begin.saturating_add(schedule)),
        expire_after: Some(lifetime),
        priority: Priority::High,
        message_id: Some("order-17".into()),
        remember_for: None,
    };
    let produced = orders.produce(&[item]).await.unwrap();
    assert!(matches!(produced.items[..], [ProducedItem::New(_)]), "{produced:?}");
    server.clock.advance(schedule);
    let lease = Span::from_micros(90_000_123);
    let leased = orders.lease(&LeaseOptions { lease: Some(lease), ..TEN }).await.unwrap();
    let [StoredItem { info, content: received, context }] = &leased.items[..] else { panic!("{leased:?}") };
    assert_eq!((received, context, &leased.damaged), (&content, &None, &Vec::new()));
    assert_eq!((info.source_id.as_deref(), info.priority), (Some("order-17"), Priority::High));
    assert_eq!((info.attempts, info.deliveries, info.partition), (1, 1, produced.partition));
    let now = begin.saturating_add(schedule);
    assert_eq!(info.state, ItemState::Leased { deadline: now.saturating_add(lease) });
    let own = server.store().items(redrive_model::ListItems {
        queue: name("orders"),
        partition: 0,
        which: redrive_model::ItemListKind::Items,
        pivot: None,
        limit: 1,
    });
    assert_eq!(own.await.unwrap()[0].info, *info, "the item of the server's store");
    assert_eq!(info.expires_at, Some(now.saturating_add(lifetime)), "the lifetime begins with the schedule");
}

#[tokio::test]
async fn an_item_without_attributes_has_those_of_the_queue() {
    let (server, orders) = with_orders().await;
    orders.produce(&items(&[""])).await.unwrap();
    let leased = orders.lease(&LeaseOptions::default()).await.unwrap();
    let StoredItem { info, content, .. } = &leased.items[0];
    assert_eq!((&**content, info.source_id.as_deref()), (&Content::default(), None));
    let deadline = server.clock.now().saturating_add(Span::from_mins(1));
    assert_eq!((info.state, info.priority), (ItemState::Leased { deadline }, Priority::default()));
}

#[tokio::test]
async fn a_message_id_and_a_request_id_store_nothing_twice() {
    let (server, orders) = with_orders().await;
    let named = NewItem { message_id: Some("order-17".into()), ..NewItem::of_payload("a") };
    let first = orders.produce(std::slice::from_ref(&named)).await.unwrap();
    let [ProducedItem::New(id)] = first.items[..] else { panic!("{first:?}") };
    let second = orders.produce(&[named, NewItem::of_payload("b")]).await.unwrap();
    assert!(matches!(second.items[..], [ProducedItem::Duplicate(there), ProducedItem::New(_)] if there == id));

    let once = orders.produce_once(&items(&["c"]), "r-1").await.unwrap();
    assert_eq!(orders.produce_once(&items(&["c"]), "r-1").await.unwrap(), once);
    let error = orders.produce_once(&items(&["d"]), "r-1").await.unwrap_err();
    assert_eq!(error.key(), Some("request_id was used for another request"));
    let total = server.store().stats(GetStats { queue: name("orders") }).await.unwrap().partitions[0].total;
    assert_eq!(total, 3);
}

#[tokio::test]
async fn requests_that_the_wire_would_distort_are_rejected_before_they_are_sent() {
    let orders = Client::new("127.0.0.1:1").unwrap().queue("orders");
    let rejection = |error: ClientError| match error {
        ClientError::Rejected(rejection) => rejection,
        other => panic!("{other:?}"),
    };
    let unnamed = NewItem { message_id: Some("".into()), ..NewItem::of_payload("a") };
    let rejected = rejection(orders.produce(&[unnamed]).await.unwrap_err());
    assert_eq!(rejected, Rejection::BadSourceId { most: 512 });
    let rejected = rejection(orders.produce_once(&items(&["a"]), "").await.unwrap_err());
    assert_eq!(rejected, Rejection::BadRequestId { most: 64 });
    let rejected = rejection(orders.lease(&LeaseOptions { batch: 0, ..TEN }).await.unwrap_err());
    assert_eq!(rejected, Rejection::NoBatchSize);
    let letters = LetterOverrides { max_size: Some(1), ..LetterOverrides::default() };
    for settings in [
        QueueSettings { is_paused: true, ..QueueSettings::new(name("orders")) },
        QueueSettings { letters, ..QueueSettings::new(name("orders")) },
    ] {
        let rejected = rejection(orders.update(&settings).await.unwrap_err());
        assert!(matches!(rejected, Rejection::Elsewhere(_)), "{rejected:?}");
    }
}

#[tokio::test]
async fn each_settled_item_has_its_own_result() {
    let (server, orders) = with_orders().await;
    let ids = lease_ids(&orders, &["done", "again", "later", "dead", "released", "deferred"]).await;
    let at = server.clock.now().saturating_add(Span::from_micros(3_600_000_001));
    let until = server.clock.now().saturating_add(Span::from_days(30));
    let mut attempt = Attempt::new(Trigger::Automatic, Outcome::Failure);
    attempt.error = "the bank is closed".to_owned();
    let actions = [
        SettleAction::Complete { attempt: None },
        SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true },
        SettleAction::Retry { at: RetryAt::Decided(at), attempt: None, charged: false },
        SettleAction::Dead { attempt: Some(Box::new(attempt)), why: DeadCause::Permanent },
        SettleAction::Release,
        SettleAction::Defer { until },
    ];
    let settle = |id: ItemId, action: &SettleAction| Settlement { id, action: action.clone() };
    let mut results: Vec<_> = ids.iter().zip(&actions).map(|(id, action)| settle(*id, action)).collect();
    results.insert(2, settle(STALE, &SettleAction::Release));
    results.insert(4, settle(ids[0], &SettleAction::Complete { attempt: None }));
    let settled = orders.settle(&results).await.unwrap();
    assert_eq!(
        settled,
        [
            Ok(Settled::Completed),
            Ok(Settled::Requeued { at: None }),
            Err(Rejection::NoSuchItem(STALE)),
            Ok(Settled::Requeued { at: Some(at) }),
            Err(Rejection::NoSuchItem(ids[0])),
            Ok(Settled::Moved { to: name("dead") }),
            Ok(Settled::Requeued { at: None }),
            Ok(Settled::Requeued { at: Some(until) }),
        ]
    );
    let again = orders.lease(&TEN).await.unwrap();
    let attempts: Vec<_> = again.items.iter().map(|item| (&*item.content.payload, item.info.attempts)).collect();
    assert_eq!(attempts, [(&b"released"[..], 1), (b"again", 2)], "a released item has its former place");
}

#[tokio::test]
async fn a_completed_item_is_completed_once() {
    let (_server, orders) = with_orders().await;
    let ids = lease_ids(&orders, &["a", "b"]).await;
    assert_eq!(orders.complete(&ids[..1]).await.unwrap(), [Ok(Settled::Completed)]);
    let completed = orders.complete(&ids).await.unwrap();
    assert_eq!(completed, [Err(Rejection::NoSuchItem(ids[0])), Ok(Settled::Completed)]);
    assert_eq!(orders.complete(&[]).await.unwrap(), [], "nothing to do is no error");
}

#[tokio::test]
async fn a_lease_is_extended_to_the_microsecond_and_never_shortened() {
    let (server, orders) = with_orders().await;
    let ids = lease_ids(&orders, &["a"]).await;
    let extend = async |lease| orders.extend(&[ids[0], STALE], lease).await.unwrap();
    for lease in [Span::from_micros(3_600_000_001), Span::from_days(366)] {
        let deadline = server.clock.now().saturating_add(lease);
        assert_eq!(extend(lease).await, [Ok(deadline), Err(Rejection::NoSuchItem(STALE))]);
    }
    let year = server.clock.now().saturating_add(Span::from_days(366));
    assert_eq!(extend(Span::from_micros(1)).await[0], Ok(year));
    assert_eq!(extend(Span::ZERO).await[0], Ok(year));
    let error = orders.extend(&ids, Span::from_days(367)).await.unwrap_err();
    assert_eq!(error.key(), Some("lease duration is invalid"));
}

/// Leases for longer than one request may wait, while the clock advances. Returns when the lease has ended.
async fn lease_to_the_end(server: &TestServer, orders: &Queue) -> Leased {
    let wait = Span::from_mins(16);
    let waiting = tokio::spawn({
        let orders = orders.clone();
        async move { orders.lease(&LeaseOptions { wait, ..TEN }).await }
    });
    let begin = server.clock.now();
    while !waiting.is_finished() {
        orders.stats().await.unwrap();
        server.clock.advance(Span::from_secs(20));
    }
    assert!(server.clock.now().since(begin) >= wait, "it waited for less");
    waiting.await.unwrap().unwrap()
}

#[tokio::test]
async fn a_lease_of_a_paused_queue_waits_until_its_end() {
    let (server, orders) = with_orders().await;
    orders.pause().await.unwrap();
    // The answer of the first request, that the queue is paused, does not end the lease.
    assert!(lease_to_the_end(&server, &orders).await.items.is_empty());
}

#[tokio::test]
async fn a_lease_of_an_empty_queue_has_no_items() {
    let (server, orders) = with_orders().await;
    let leased = lease_to_the_end(&server, &orders).await;
    assert_eq!((leased.items, leased.damaged), (Vec::new(), Vec::new()));
}

#[tokio::test]
async fn a_client_id_has_one_waiting_lease() {
    let (_server, orders) = with_orders().await;
    let options = LeaseOptions { client_id: Some("worker-1".to_owned()), ..TEN };
    let waiting = tokio::spawn({
        let (orders, options) = (orders.clone(), options.clone());
        async move { orders.lease(&options).await }
    });
    while orders.stats().await.unwrap().lease_waiting == 0 {}
    assert_eq!(orders.lease(&options).await.unwrap_err().key(), Some("duplicate client id"));
    orders.produce(&items(&["a"])).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_queue_is_created_with_all_settings_and_read_back_equal() {
    let (server, _) = with_orders().await;
    let client = server.client();
    let now = server.clock.now();
    for (number, lease_timeout, expire_timeout) in [
        (1, Span::from_micros(1), Span::from_micros(999)),
        (2, Span::from_micros(1_500), Span::from_micros(59_999_999)),
        (3, Span::from_micros(36_610_123_456), Span::from_days(36_500)),
    ] {
        let settings = QueueSettings {
            dead_queue: Some(name("dead")),
            reference: "team billing".to_owned(),
            lease_timeout,
            expire_timeout,
            max_attempts: 7,
            partitions: 3,
            requested_partitions: 3,
            created_at: now,
            updated_at: now,
            ..QueueSettings::new(name(&format!("q-{number}")))
        };
        let queue = Queue::create(&client, &settings).await.unwrap();
        assert_eq!(queue.name(), settings.name.as_str());
        assert_eq!(queue.settings().await.unwrap(), settings);
    }
    let error = Queue::create(&client, &QueueSettings::new(name("q-1"))).await.unwrap_err();
    assert_eq!(error.to_string(), "invalid queue; 'q-1' already exists");
}

#[tokio::test]
async fn an_update_replaces_the_settings() {
    let (server, orders) = with_orders().await;
    server.clock.advance(Span::from_secs(1));
    let before = orders.settings().await.unwrap();
    let changed = QueueSettings {
        dead_queue: None,
        reference: "r".to_owned(),
        lease_timeout: Span::from_millis(1_500),
        max_attempts: 3,
        ..before.clone()
    };
    orders.update(&changed).await.unwrap();
    let updated_at = server.clock.now();
    assert_eq!(orders.settings().await.unwrap(), QueueSettings { updated_at, ..changed });
}

#[tokio::test]
async fn an_answer_without_a_result_for_every_item_is_not_understood() {
    let empty = Action::Message(Vec::new());
    let stub = Stub::new(vec![empty]).await;
    let orders = stub.client().build().unwrap().queue("orders");
    for error in [
        orders.produce(&items(&["a"])).await.unwrap_err(),
        orders.complete(&[STALE]).await.unwrap_err(),
        orders.extend(&[STALE], Span::from_mins(1)).await.unwrap_err(),
        orders.settings().await.unwrap_err(),
        orders.stats().await.unwrap_err(),
    ] {
        assert!(matches!(error, ClientError::NotUnderstood { .. }) && error.is_outcome_unknown(), "{error:?}");
    }
}
