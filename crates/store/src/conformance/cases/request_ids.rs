//! Requests that are sent again under the id that their caller gave them.

use redrive_core::{QueueName, Span};
use redrive_model::{Clear, DeleteQueue, NewItem, Produce, Produced, ProducedItem, Rejection};

use crate::conformance::bed::Bed;
use crate::conformance::words::{INSTANT, complete, item, item_named, refusal};

/// How long an answer is remembered.
const KEPT: Span = Span::from_mins(10);

fn once(queue: &QueueName, items: Vec<NewItem>, id: &str) -> Produce {
    Produce::once(queue.clone(), items, id).unwrap()
}

/// Three items, of which one was there before.
fn request(queue: &QueueName) -> Produce {
    once(queue, vec![item("a"), item_named("b", "m-1"), item("c")], "r-1")
}

async fn send(bed: &Bed, produce: Produce) -> Produced {
    bed.store().produce(produce).await.unwrap()
}

pub(in crate::conformance) async fn a_request_that_is_sent_again_is_answered_as_before(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    let there = bed.produce_one(&orders, item_named("x", "m-1")).await;
    let first = send(bed, request(&orders)).await;
    let is_new: Vec<bool> = first.items.iter().map(|item| matches!(item, ProducedItem::New(_))).collect();
    assert_eq!((is_new, first.items[1]), (vec![true, false, true], ProducedItem::Duplicate(there)));
    assert_eq!(bed.numbers(&orders).await.0, 3);
    bed.advance(KEPT.saturating_sub(INSTANT));
    assert_eq!(send(bed, request(&orders)).await, first);
    assert_eq!(bed.numbers(&orders).await.0, 3, "nothing is put in twice");
}

pub(in crate::conformance) async fn an_answer_outlives_its_items(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = send(bed, request(&orders)).await;
    let held = bed.lease(&orders, 2).await;
    bed.settle_leased(&orders, &held, complete()).await;
    assert_eq!(send(bed, request(&orders)).await, first);
    bed.store().clear(Clear { queue: orders.clone(), ready: true, scheduled: true, destructive: true }).await.unwrap();
    assert_eq!(send(bed, request(&orders)).await, first);
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0), "what was worked off came back");
}

pub(in crate::conformance) async fn an_answer_outlives_the_process(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = send(bed, request(&orders)).await;
    if !bed.reopen().await {
        return;
    }
    assert_eq!(send(bed, request(&orders)).await, first);
    assert_eq!(bed.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn after_ten_minutes_it_is_a_new_request(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let items = || vec![item("a")];
    let first = send(bed, once(&orders, items(), "r-1")).await;
    bed.advance(KEPT);
    let second = send(bed, once(&orders, items(), "r-1")).await;
    assert_ne!(first, second);
    assert_eq!(bed.numbers(&orders).await.0, 2);
    // And from then on it is that one which is remembered, for as long.
    bed.advance(KEPT.saturating_sub(INSTANT));
    assert_eq!(send(bed, once(&orders, items(), "r-1")).await, second);
    bed.advance(INSTANT);
    send(bed, once(&orders, vec![item("b")], "r-1")).await;
    assert_eq!(bed.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn the_same_request_twice_at_once_is_done_once(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, request) = (bed.store(), request(&orders));
        callers.spawn(async move { store.produce(request).await.unwrap() });
    }
    let answers = callers.join_all().await;
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
    assert_eq!(bed.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn another_request_with_the_same_id_is_refused(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = send(bed, request(&orders)).await;
    let others = [
        vec![item("a"), item_named("b", "m-1")],
        vec![item("c"), item_named("b", "m-1"), item("a")],
        vec![item("a"), item_named("b", "m-2"), item("c")],
    ];
    for other in others {
        let refused = refusal(bed.store().produce(once(&orders, other, "r-1")).await);
        assert_eq!(refused, Rejection::RequestIdUsed);
    }
    assert_eq!(bed.numbers(&orders).await.0, 3);
    assert_eq!(send(bed, request(&orders)).await, first, "the refused ones changed what is remembered");
    send(bed, once(&orders, vec![item("a")], "r-2")).await;
    assert_eq!(bed.numbers(&orders).await.0, 4);
}

pub(in crate::conformance) async fn a_refused_request_is_not_remembered(bed: &Bed) {
    let orders = bed.queue("orders").await;
    refusal(bed.store().produce(once(&orders, vec![item("a"), item_named("b", "")], "r-1")).await);
    refusal(bed.store().produce(once(&orders, Vec::new(), "r-1")).await);
    send(bed, once(&orders, vec![item("a")], "r-1")).await;
    assert_eq!(bed.numbers(&orders).await.0, 1);
}

pub(in crate::conformance) async fn each_queue_has_its_own_request_ids(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    let first = send(bed, request(&orders)).await;
    let other = send(bed, request(&others)).await;
    assert_ne!(first, other);
    send(bed, once(&others, vec![item("a")], "r-2")).await;
    send(bed, once(&orders, vec![item("b")], "r-2")).await;
    assert_eq!((bed.numbers(&orders).await.0, bed.numbers(&others).await.0), (4, 4));
}

pub(in crate::conformance) async fn a_queue_that_is_made_again_remembers_nothing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = send(bed, request(&orders)).await;
    bed.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    let orders = bed.queue("orders").await;
    let second = send(bed, request(&orders)).await;
    assert_ne!(first, second);
    assert_eq!(bed.numbers(&orders).await.0, 3);
}
