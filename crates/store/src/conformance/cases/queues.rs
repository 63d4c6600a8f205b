//! Queues: their settings, and which queue may be the dead queue of which.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{NamespaceName, QueueName};
use redrive_model::{
    CreateQueue, DeleteQueue, GetQueue, LetterOverrides, ListQueues, QueueSettings, Rejection, UpdateQueue,
};

use crate::conformance::samples::{DAY, HOUR, INSTANT, MINUTE, SECOND, item_at, item_named, name, rejection, retry};

async fn settings(fixture: &StoreFixture, queue: &QueueName) -> QueueSettings {
    fixture.store().queue(GetQueue { name: queue.clone() }).await.unwrap()
}

fn of(queue: &QueueName) -> UpdateQueue {
    UpdateQueue::of(queue.clone())
}

pub(in crate::conformance) async fn a_queue_is_made_as_it_was_asked_for(fixture: &StoreFixture) {
    let asked = QueueSettings {
        namespace: Some(NamespaceName::new("shop").unwrap()),
        reference: "who to call".to_owned(),
        lease_timeout: SECOND,
        expire_timeout: HOUR,
        max_attempts: 7,
        partitions: 3,
        ..QueueSettings::new(name("orders"))
    };
    let made = fixture.store().create_queue(CreateQueue { settings: asked.clone() }).await.unwrap();
    let now = fixture.now();
    assert_eq!(made, QueueSettings { created_at: now, updated_at: now, requested_partitions: 3, ..asked });
    assert_eq!(settings(fixture, &made.name).await, made);
    assert_eq!(fixture.stats(&made.name).await.partitions.len(), 3);
}

pub(in crate::conformance) async fn a_queue_name_is_unique(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let again = fixture.store().create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await;
    assert_eq!(rejection(again), Rejection::QueueExists(orders.clone()));
    assert_eq!(fixture.numbers(&orders).await.0, 1, "the rejected create changed the queue");
}

pub(in crate::conformance) async fn a_name_is_data(fixture: &StoreFixture) {
    let longest = "q".repeat(QueueName::BYTES_MAX);
    for text in ["../orders", "/etc/passwd", "a:b", "a\\b", "ä", "%00", longest.as_str()] {
        let queue = fixture.queue(text).await;
        fixture.produce(&queue, &["a"]).await;
        assert_eq!(fixture.lease(&queue, 1).await.items.len(), 1, "{text}");
    }
}

pub(in crate::conformance) async fn every_partition_exists(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 7).await;
    let mut met = Vec::new();
    for _ in 0..7 {
        met.push(fixture.produce_many(&orders, 1).await);
    }
    met.sort_unstable();
    assert_eq!(met, [0, 1, 2, 3, 4, 5, 6]);
}

pub(in crate::conformance) async fn queues_are_listed_by_name_from_the_pivot_on(fixture: &StoreFixture) {
    for queue in ["c", "a", "d", "b"] {
        fixture.queue(queue).await;
    }
    let listed = async |pivot: Option<&str>, limit| {
        let list = ListQueues { pivot: pivot.map(Into::into), limit, ..ListQueues::default() };
        let queues = fixture.store().queues(list).await.unwrap();
        queues.into_iter().map(|queue| queue.name.to_string()).collect::<Vec<_>>().join("")
    };
    assert_eq!(listed(None, 10).await, "abcd");
    assert_eq!(listed(None, 2).await, "ab");
    assert_eq!(listed(Some("b"), 10).await, "bcd", "the pivot is part of the list");
    assert_eq!(listed(Some("bb"), 10).await, "cd", "a pivot that does not exist: the next greater name");
    assert_eq!(listed(Some("e"), 10).await, "");
}

pub(in crate::conformance) async fn a_list_of_queues_filters_before_it_limits(fixture: &StoreFixture) {
    let shop = NamespaceName::new("shop").unwrap();
    for queue in ["a", "b", "c"] {
        fixture.queue(queue).await;
    }
    for queue in ["x", "y"] {
        fixture.queue_with(queue, |settings| settings.namespace = Some(shop.clone())).await;
    }
    let listed = async |namespace| {
        let list = ListQueues { namespace: Some(namespace), pivot: None, limit: 2 };
        let queues = fixture.store().queues(list).await.unwrap();
        queues.into_iter().map(|queue| queue.name.to_string()).collect::<Vec<_>>().join("")
    };
    assert_eq!(listed(Some(shop)).await, "xy");
    assert_eq!(listed(None).await, "ab", "queues without a namespace");
}

// Updates

pub(in crate::conformance) async fn an_update_shows_at_once_and_keeps_what_it_does_not_name(fixture: &StoreFixture) {
    let (orders, dead) = fixture.queue_and_dead(|settings| settings.reference = "old".to_owned()).await;
    let before = settings(fixture, &orders).await;
    let letters = LetterOverrides { max_size: Some(5), ..LetterOverrides::default() };
    let update = UpdateQueue {
        lease_timeout: Some(SECOND),
        requested_partitions: Some(9),
        letters: Some(letters.clone()),
        max_attempts: Some(3),
        ..UpdateQueue::of(before.name.clone())
    };
    let updated = fixture.store().update_queue(update).await.unwrap();
    let expected = QueueSettings {
        lease_timeout: SECOND,
        requested_partitions: 9,
        letters,
        max_attempts: 3,
        updated_at: updated.updated_at,
        ..before
    };
    assert_eq!(updated, expected);
    assert_eq!((&updated.dead_queue, updated.partitions), (&Some(dead), 1));
    assert_eq!(settings(fixture, &orders).await, updated);
    fixture.produce(&orders, &["a"]).await;
    fixture.lease_one(&orders).await;
    fixture.advance(SECOND.saturating_add(INSTANT));
    assert_eq!(fixture.lease_one(&orders).await.info.attempts, 2, "the running queue has the new lease timeout");
}

pub(in crate::conformance) async fn an_update_overwrites_attempts_reference_and_dead_queue(fixture: &StoreFixture) {
    let (orders, _) = fixture
        .queue_and_dead(|settings| {
            settings.reference = "old".to_owned();
            settings.max_attempts = 3;
        })
        .await;
    let update =
        UpdateQueue { max_attempts: Some(0), reference: Some(String::new()), dead_queue: Some(None), ..of(&orders) };
    let updated = fixture.store().update_queue(update).await.unwrap();
    assert_eq!((updated.max_attempts, updated.reference.as_str(), updated.dead_queue), (0, "", None));
}

pub(in crate::conformance) async fn updated_at_is_later_than_created_at(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let created_at = fixture.now();
    let updated = fixture.store().update_queue(of(&orders)).await.unwrap();
    assert!(updated.updated_at > created_at, "even if the clock does not advance");
    assert_eq!(updated.created_at, created_at);
    fixture.advance(HOUR);
    let updated = fixture.store().update_queue(of(&orders)).await.unwrap();
    assert_eq!(updated.updated_at, fixture.now());
}

pub(in crate::conformance) async fn an_update_is_checked_on_the_merged_settings(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let update = UpdateQueue { lease_timeout: Some(DAY.saturating_add(SECOND)), ..of(&orders) };
    let rejected = fixture.store().update_queue(update).await;
    assert_eq!(rejection(rejected), Rejection::LeaseTooLong { lease: DAY.saturating_add(SECOND), expire: DAY });
    let update = UpdateQueue { expire_timeout: Some(SECOND), ..of(&orders) };
    let rejected = fixture.store().update_queue(update).await;
    assert_eq!(rejection(rejected), Rejection::LeaseTooLong { lease: MINUTE, expire: SECOND });
}

pub(in crate::conformance) async fn a_rejected_update_changes_nothing(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let before = settings(fixture, &orders).await;
    let update = UpdateQueue {
        lease_timeout: Some(SECOND),
        reference: Some("x".repeat(2_001)),
        max_attempts: Some(3),
        is_paused: Some(true),
        ..UpdateQueue::of(before.name.clone())
    };
    assert_eq!(rejection(fixture.store().update_queue(update).await), Rejection::ReferenceTooLong);
    assert_eq!(settings(fixture, &orders).await, before);
}

pub(in crate::conformance) async fn new_timeouts_apply_to_later_leases_and_items(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = HOUR).await;
    fixture.produce(&orders, &["old"]).await;
    let old = fixture.lease_one(&orders).await;
    fixture.produce(&orders, &["waits"]).await;
    let update = UpdateQueue { lease_timeout: Some(SECOND), expire_timeout: Some(MINUTE), ..of(&orders) };
    fixture.store().update_queue(update).await.unwrap();
    fixture.advance(SECOND.saturating_add(INSTANT));
    fixture.complete(&orders, old.info.id).await.expect("an existing lease keeps its deadline");
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.lease(&orders, 1).await.items.len(), 1, "an existing item keeps its expiry");
}

pub(in crate::conformance) async fn the_current_max_attempts_apply(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    for _ in 0..2 {
        let item = fixture.lease_one(&orders).await;
        fixture.settle(&orders, item.info.id, retry()).await.unwrap();
    }
    let update = UpdateQueue { max_attempts: Some(3), ..of(&orders) };
    fixture.store().update_queue(update).await.unwrap();
    let item = fixture.lease_one(&orders).await;
    fixture.settle(&orders, item.info.id, retry()).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0), "the third attempt was the last");
}

// Dead queues

pub(in crate::conformance) async fn a_dead_queue_must_exist(fixture: &StoreFixture) {
    let orders = QueueSettings { dead_queue: Some(name("dead")), ..QueueSettings::new(name("orders")) };
    let rejected = fixture.store().create_queue(CreateQueue { settings: orders }).await;
    assert_eq!(rejection(rejected), Rejection::NoDeadQueue(name("dead")));
    let orders = fixture.queue("orders").await;
    let update = UpdateQueue { dead_queue: Some(Some(name("dead"))), ..of(&orders) };
    assert_eq!(rejection(fixture.store().update_queue(update).await), Rejection::NoDeadQueue(name("dead")));
}

pub(in crate::conformance) async fn a_queue_is_not_its_own_dead_queue(fixture: &StoreFixture) {
    let orders = QueueSettings { dead_queue: Some(name("orders")), ..QueueSettings::new(name("orders")) };
    assert_eq!(fixture.rejected_queue(orders).await, Rejection::OwnDeadQueue);
    let orders = fixture.queue("orders").await;
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&orders) };
    assert_eq!(rejection(fixture.store().update_queue(update).await), Rejection::OwnDeadQueue);
}

pub(in crate::conformance) async fn a_dead_queue_has_no_dead_queue(fixture: &StoreFixture) {
    let (orders, dead) = fixture.queue_and_dead(|_| {}).await;
    let chained = QueueSettings { dead_queue: Some(orders.clone()), ..QueueSettings::new(name("third")) };
    let rejected = fixture.store().create_queue(CreateQueue { settings: chained }).await;
    assert_eq!(rejection(rejected), Rejection::DeadQueueHasDeadQueue(orders.clone()));
    let third = fixture.queue("third").await;
    let update = UpdateQueue { dead_queue: Some(Some(third)), ..of(&dead) };
    assert_eq!(rejection(fixture.store().update_queue(update).await), Rejection::IsDeadQueue(dead));
}

pub(in crate::conformance) async fn two_queues_are_not_each_others_dead_queue(fixture: &StoreFixture) {
    let (orders, dead) = fixture.queue_and_dead(|_| {}).await;
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&dead) };
    assert_eq!(rejection(fixture.store().update_queue(update).await), Rejection::DeadQueueHasDeadQueue(orders.clone()));
    // After the first queue has dropped its dead queue, the other may use it.
    let update = UpdateQueue { dead_queue: Some(None), ..of(&orders) };
    fixture.store().update_queue(update).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&dead) };
    assert_eq!(fixture.store().update_queue(update).await.unwrap().dead_queue, Some(orders));
}

pub(in crate::conformance) async fn a_recreated_dead_queue_has_no_dead_queue_either(fixture: &StoreFixture) {
    let (_, dead) = fixture.queue_and_dead(|_| {}).await;
    let third = fixture.queue("third").await;
    fixture.store().delete_queue(DeleteQueue { name: dead.clone(), force: true }).await.unwrap();
    let again = QueueSettings { dead_queue: Some(third), ..QueueSettings::new(dead.clone()) };
    assert_eq!(fixture.rejected_queue(again).await, Rejection::IsDeadQueue(dead));
}

pub(in crate::conformance) async fn several_queues_share_a_dead_queue(fixture: &StoreFixture) {
    let dead = fixture.queue("dead").await;
    for queue in ["a", "b"] {
        fixture.queue_with(queue, |settings| settings.dead_queue = Some(dead.clone())).await;
    }
    let update = of(&name("a"));
    fixture.store().update_queue(update).await.expect("an update may keep the dead queue");
}

pub(in crate::conformance) async fn deleting_a_dead_queue_needs_force(fixture: &StoreFixture) {
    let (orders, dead) = fixture.queue_and_dead(|_| {}).await;
    let rejected = fixture.store().delete_queue(DeleteQueue { name: dead.clone(), force: false }).await;
    assert_eq!(rejection(rejected), Rejection::QueueInUse { queue: dead.clone(), of: orders.clone() });
    fixture.store().queue(GetQueue { name: dead.clone() }).await.unwrap();
    fixture.store().delete_queue(DeleteQueue { name: dead.clone(), force: true }).await.unwrap();
    fixture.assert_no_queue(&dead).await;
    assert_eq!(settings(fixture, &orders).await.dead_queue, Some(dead), "the setting keeps the name");
}

pub(in crate::conformance) async fn an_unused_dead_queue_is_deleted_without_force(fixture: &StoreFixture) {
    let (orders, dead) = fixture.queue_and_dead(|_| {}).await;
    fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    fixture.store().delete_queue(DeleteQueue { name: dead, force: false }).await.unwrap();
}

// Deleting

pub(in crate::conformance) async fn a_recreated_queue_is_empty(fixture: &StoreFixture) {
    for force in [false, true] {
        let orders = fixture.queue("orders").await;
        fixture.produce_items(&orders, vec![item_named("a", "m-1"), item_at("later", fixture.after(HOUR))]).await;
        let held = fixture.lease_one(&orders).await;
        fixture.capture(&orders, crate::conformance::samples::failure("f-1")).await;
        fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force }).await.unwrap();
        let orders = fixture.queue("orders").await;
        assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
        let stats = fixture.stats(&orders).await;
        assert_eq!((stats.letters.live(), stats.counts), (0, redrive_model::LifetimeCounts::default()));
        assert_eq!(rejection(fixture.complete(&orders, held.info.id).await), Rejection::NoSuchItem(held.info.id));
        fixture.advance(DAY);
        fixture.assert_nothing_to_lease(&orders).await;
        let id = fixture.produce_one(&orders, item_named("b", "m-1")).await;
        assert_eq!(fixture.lease_one(&orders).await.info.id, id, "the message id was free");
        fixture.store().delete_queue(DeleteQueue { name: orders, force }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_queue_is_deleted_once(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    let again = fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await;
    assert_eq!(rejection(again), Rejection::NoSuchQueue(orders));
}
