//! Repeated requests with the same request id.

use redrive_core::{QueueName, Span};
use redrive_model::{Clear, DeleteQueue, NewItem, Produce, Produced, ProducedItem, Rejection};

use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::{INSTANT, complete, item, item_named, rejection};

/// How long an answer is remembered.
const KEPT: Span = Span::from_mins(10);

fn once(queue: &QueueName, items: Vec<NewItem>, id: &str) -> Produce {
    Produce::once(queue.clone(), items, id).unwrap()
}

/// A request with three items, one of which has a message id.
fn request(queue: &QueueName) -> Produce {
    once(queue, vec![item("a"), item_named("b", "m-1"), item("c")], "r-1")
}

async fn send(fixture: &StoreFixture, produce: Produce) -> Produced {
    fixture.store().produce(produce).await.unwrap()
}

pub(in crate::conformance) async fn a_repeated_request_gets_the_same_answer(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    let there = fixture.produce_one(&orders, item_named("x", "m-1")).await;
    let first = send(fixture, request(&orders)).await;
    let is_new: Vec<bool> = first.items.iter().map(|item| matches!(item, ProducedItem::New(_))).collect();
    assert_eq!((is_new, first.items[1]), (vec![true, false, true], ProducedItem::Duplicate(there)));
    assert_eq!(fixture.numbers(&orders).await.0, 3);
    fixture.advance(KEPT.saturating_sub(INSTANT));
    assert_eq!(send(fixture, request(&orders)).await, first);
    assert_eq!(fixture.numbers(&orders).await.0, 3, "no item is added twice");
}

pub(in crate::conformance) async fn an_answer_outlives_its_items(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = send(fixture, request(&orders)).await;
    let held = fixture.lease(&orders, 2).await;
    fixture.settle_leased(&orders, &held, complete()).await;
    assert_eq!(send(fixture, request(&orders)).await, first);
    fixture
        .store()
        .clear(Clear { queue: orders.clone(), ready: true, scheduled: true, destructive: true })
        .await
        .unwrap();
    assert_eq!(send(fixture, request(&orders)).await, first);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0), "completed items reappeared");
}

pub(in crate::conformance) async fn an_answer_outlives_the_process(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = send(fixture, request(&orders)).await;
    if !fixture.reopen().await {
        return;
    }
    assert_eq!(send(fixture, request(&orders)).await, first);
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn after_ten_minutes_it_is_a_new_request(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let items = || vec![item("a")];
    let first = send(fixture, once(&orders, items(), "r-1")).await;
    fixture.advance(KEPT);
    let second = send(fixture, once(&orders, items(), "r-1")).await;
    assert_ne!(first, second);
    assert_eq!(fixture.numbers(&orders).await.0, 2);
    // From then on the new request is remembered, for the same time.
    fixture.advance(KEPT.saturating_sub(INSTANT));
    assert_eq!(send(fixture, once(&orders, items(), "r-1")).await, second);
    fixture.advance(INSTANT);
    send(fixture, once(&orders, vec![item("b")], "r-1")).await;
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn concurrent_repetitions_are_done_once(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, request) = (fixture.store(), request(&orders));
        callers.spawn(async move { store.produce(request).await.unwrap() });
    }
    let answers = callers.join_all().await;
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn another_request_with_the_same_id_is_rejected(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = send(fixture, request(&orders)).await;
    let others = [
        vec![item("a"), item_named("b", "m-1")],
        vec![item("c"), item_named("b", "m-1"), item("a")],
        vec![item("a"), item_named("b", "m-2"), item("c")],
    ];
    for other in others {
        let rejected = rejection(fixture.store().produce(once(&orders, other, "r-1")).await);
        assert_eq!(rejected, Rejection::RequestIdUsed);
    }
    assert_eq!(fixture.numbers(&orders).await.0, 3);
    assert_eq!(send(fixture, request(&orders)).await, first, "the rejected ones changed what is remembered");
    send(fixture, once(&orders, vec![item("a")], "r-2")).await;
    assert_eq!(fixture.numbers(&orders).await.0, 4);
}

pub(in crate::conformance) async fn a_rejected_request_is_not_remembered(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    rejection(fixture.store().produce(once(&orders, vec![item("a"), item_named("b", "")], "r-1")).await);
    rejection(fixture.store().produce(once(&orders, Vec::new(), "r-1")).await);
    send(fixture, once(&orders, vec![item("a")], "r-1")).await;
    assert_eq!(fixture.numbers(&orders).await.0, 1);
}

pub(in crate::conformance) async fn each_queue_has_its_own_request_ids(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let first = send(fixture, request(&orders)).await;
    let other = send(fixture, request(&others)).await;
    assert_ne!(first, other);
    send(fixture, once(&others, vec![item("a")], "r-2")).await;
    send(fixture, once(&orders, vec![item("b")], "r-2")).await;
    assert_eq!((fixture.numbers(&orders).await.0, fixture.numbers(&others).await.0), (4, 4));
}

pub(in crate::conformance) async fn a_recreated_queue_remembers_no_requests(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = send(fixture, request(&orders)).await;
    fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    let orders = fixture.queue("orders").await;
    let second = send(fixture, request(&orders)).await;
    assert_ne!(first, second);
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}
