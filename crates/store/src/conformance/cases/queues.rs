//! Queues: their settings, and who may be whose dead queue.

use crate::conformance::bed::Bed;
use redrive_core::{NamespaceName, QueueName};
use redrive_model::{
    CreateQueue, DeleteQueue, GetQueue, LetterOverrides, ListQueues, QueueSettings, Rejection, UpdateQueue,
};

use crate::conformance::words::{DAY, HOUR, INSTANT, MINUTE, SECOND, item_at, item_named, name, refusal, retry};

async fn settings(bed: &Bed, queue: &QueueName) -> QueueSettings {
    bed.store().queue(GetQueue { name: queue.clone() }).await.unwrap()
}

fn of(queue: &QueueName) -> UpdateQueue {
    UpdateQueue::of(queue.clone())
}

pub(in crate::conformance) async fn a_queue_is_made_as_it_was_asked_for(bed: &Bed) {
    let asked = QueueSettings {
        namespace: Some(NamespaceName::new("shop").unwrap()),
        reference: "who to call".to_owned(),
        lease_timeout: SECOND,
        expire_timeout: HOUR,
        max_attempts: 7,
        partitions: 3,
        ..QueueSettings::new(name("orders"))
    };
    let made = bed.store().create_queue(CreateQueue { settings: asked.clone() }).await.unwrap();
    let now = bed.now();
    assert_eq!(made, QueueSettings { created_at: now, updated_at: now, requested_partitions: 3, ..asked });
    assert_eq!(settings(bed, &made.name).await, made);
    assert_eq!(bed.stats(&made.name).await.partitions.len(), 3);
}

pub(in crate::conformance) async fn a_name_is_given_once(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let again = bed.store().create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await;
    assert_eq!(refusal(again), Rejection::QueueExists(orders.clone()));
    assert_eq!(bed.numbers(&orders).await.0, 1, "the refused create changed the queue");
}

pub(in crate::conformance) async fn a_name_is_data(bed: &Bed) {
    let longest = "q".repeat(QueueName::BYTES_MAX);
    for text in ["../orders", "/etc/passwd", "a:b", "a\\b", "ä", "%00", longest.as_str()] {
        let queue = bed.queue(text).await;
        bed.produce(&queue, &["a"]).await;
        assert_eq!(bed.lease(&queue, 1).await.items.len(), 1, "{text}");
    }
}

pub(in crate::conformance) async fn every_partition_exists(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 7).await;
    let mut met = Vec::new();
    for _ in 0..7 {
        met.push(bed.produce_many(&orders, 1).await);
    }
    met.sort_unstable();
    assert_eq!(met, [0, 1, 2, 3, 4, 5, 6]);
}

pub(in crate::conformance) async fn queues_are_listed_by_name_from_the_pivot_on(bed: &Bed) {
    for queue in ["c", "a", "d", "b"] {
        bed.queue(queue).await;
    }
    let listed = async |pivot: Option<&str>, limit| {
        let list = ListQueues { pivot: pivot.map(Into::into), limit, ..ListQueues::default() };
        let queues = bed.store().queues(list).await.unwrap();
        queues.into_iter().map(|queue| queue.name.to_string()).collect::<Vec<_>>().join("")
    };
    assert_eq!(listed(None, 10).await, "abcd");
    assert_eq!(listed(None, 2).await, "ab");
    assert_eq!(listed(Some("b"), 10).await, "bcd", "the pivot is part of the list");
    assert_eq!(listed(Some("bb"), 10).await, "cd", "a pivot that is not there: the next greater");
    assert_eq!(listed(Some("e"), 10).await, "");
}

pub(in crate::conformance) async fn a_list_of_queues_filters_before_it_limits(bed: &Bed) {
    let shop = NamespaceName::new("shop").unwrap();
    for queue in ["a", "b", "c"] {
        bed.queue(queue).await;
    }
    for queue in ["x", "y"] {
        bed.queue_with(queue, |settings| settings.namespace = Some(shop.clone())).await;
    }
    let listed = async |namespace| {
        let list = ListQueues { namespace: Some(namespace), pivot: None, limit: 2 };
        let queues = bed.store().queues(list).await.unwrap();
        queues.into_iter().map(|queue| queue.name.to_string()).collect::<Vec<_>>().join("")
    };
    assert_eq!(listed(Some(shop)).await, "xy");
    assert_eq!(listed(None).await, "ab", "those without a namespace");
}

// Updates

pub(in crate::conformance) async fn an_update_shows_at_once_and_keeps_what_it_does_not_name(bed: &Bed) {
    let (orders, dead) = bed.queue_and_dead(|settings| settings.reference = "old".to_owned()).await;
    let before = settings(bed, &orders).await;
    let letters = LetterOverrides { max_size: Some(5), ..LetterOverrides::default() };
    let update = UpdateQueue {
        lease_timeout: Some(SECOND),
        requested_partitions: Some(9),
        letters: Some(letters.clone()),
        max_attempts: Some(3),
        ..UpdateQueue::of(before.name.clone())
    };
    let updated = bed.store().update_queue(update).await.unwrap();
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
    assert_eq!(settings(bed, &orders).await, updated);
    bed.produce(&orders, &["a"]).await;
    bed.lease_one(&orders).await;
    bed.advance(SECOND.saturating_add(INSTANT));
    assert_eq!(bed.lease_one(&orders).await.info.attempts, 2, "the running queue has the new lease timeout");
}

pub(in crate::conformance) async fn an_update_overwrites_attempts_reference_and_dead_queue(bed: &Bed) {
    let (orders, _) = bed
        .queue_and_dead(|settings| {
            settings.reference = "old".to_owned();
            settings.max_attempts = 3;
        })
        .await;
    let update =
        UpdateQueue { max_attempts: Some(0), reference: Some(String::new()), dead_queue: Some(None), ..of(&orders) };
    let updated = bed.store().update_queue(update).await.unwrap();
    assert_eq!((updated.max_attempts, updated.reference.as_str(), updated.dead_queue), (0, "", None));
}

pub(in crate::conformance) async fn updated_at_is_later_than_created_at(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let created_at = bed.now();
    let updated = bed.store().update_queue(of(&orders)).await.unwrap();
    assert!(updated.updated_at > created_at, "also while the clock stands still");
    assert_eq!(updated.created_at, created_at);
    bed.advance(HOUR);
    let updated = bed.store().update_queue(of(&orders)).await.unwrap();
    assert_eq!(updated.updated_at, bed.now());
}

pub(in crate::conformance) async fn an_update_is_checked_on_the_merged_settings(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let update = UpdateQueue { lease_timeout: Some(DAY.saturating_add(SECOND)), ..of(&orders) };
    let refused = bed.store().update_queue(update).await;
    assert_eq!(refusal(refused), Rejection::LeaseTooLong { lease: DAY.saturating_add(SECOND), expire: DAY });
    let update = UpdateQueue { expire_timeout: Some(SECOND), ..of(&orders) };
    let refused = bed.store().update_queue(update).await;
    assert_eq!(refusal(refused), Rejection::LeaseTooLong { lease: MINUTE, expire: SECOND });
}

pub(in crate::conformance) async fn a_refused_update_changes_nothing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let before = settings(bed, &orders).await;
    let update = UpdateQueue {
        lease_timeout: Some(SECOND),
        reference: Some("x".repeat(2_001)),
        max_attempts: Some(3),
        is_paused: Some(true),
        ..UpdateQueue::of(before.name.clone())
    };
    assert_eq!(refusal(bed.store().update_queue(update).await), Rejection::ReferenceTooLong);
    assert_eq!(settings(bed, &orders).await, before);
}

pub(in crate::conformance) async fn new_timeouts_concern_what_comes(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.expire_timeout = HOUR).await;
    bed.produce(&orders, &["old"]).await;
    let old = bed.lease_one(&orders).await;
    bed.produce(&orders, &["waits"]).await;
    let update = UpdateQueue { lease_timeout: Some(SECOND), expire_timeout: Some(MINUTE), ..of(&orders) };
    bed.store().update_queue(update).await.unwrap();
    bed.advance(SECOND.saturating_add(INSTANT));
    bed.complete(&orders, old.info.id).await.expect("a lease keeps the deadline that it was given");
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(bed.lease(&orders, 1).await.items.len(), 1, "an item keeps the life that it was given");
}

pub(in crate::conformance) async fn max_attempts_of_today_count(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    for _ in 0..2 {
        let item = bed.lease_one(&orders).await;
        bed.settle(&orders, item.info.id, retry()).await.unwrap();
    }
    let update = UpdateQueue { max_attempts: Some(3), ..of(&orders) };
    bed.store().update_queue(update).await.unwrap();
    let item = bed.lease_one(&orders).await;
    bed.settle(&orders, item.info.id, retry()).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0), "the third attempt was the last");
}

// Dead queues

pub(in crate::conformance) async fn a_dead_queue_must_exist(bed: &Bed) {
    let orders = QueueSettings { dead_queue: Some(name("dead")), ..QueueSettings::new(name("orders")) };
    let refused = bed.store().create_queue(CreateQueue { settings: orders }).await;
    assert_eq!(refusal(refused), Rejection::NoDeadQueue(name("dead")));
    let orders = bed.queue("orders").await;
    let update = UpdateQueue { dead_queue: Some(Some(name("dead"))), ..of(&orders) };
    assert_eq!(refusal(bed.store().update_queue(update).await), Rejection::NoDeadQueue(name("dead")));
}

pub(in crate::conformance) async fn a_queue_is_not_its_own_dead_queue(bed: &Bed) {
    let orders = QueueSettings { dead_queue: Some(name("orders")), ..QueueSettings::new(name("orders")) };
    assert_eq!(refusal(bed.store().create_queue(CreateQueue { settings: orders }).await), Rejection::OwnDeadQueue);
    let orders = bed.queue("orders").await;
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&orders) };
    assert_eq!(refusal(bed.store().update_queue(update).await), Rejection::OwnDeadQueue);
}

pub(in crate::conformance) async fn a_dead_queue_has_no_dead_queue(bed: &Bed) {
    let (orders, dead) = bed.queue_and_dead(|_| {}).await;
    let chained = QueueSettings { dead_queue: Some(orders.clone()), ..QueueSettings::new(name("third")) };
    let refused = bed.store().create_queue(CreateQueue { settings: chained }).await;
    assert_eq!(refusal(refused), Rejection::DeadQueueHasDeadQueue(orders.clone()));
    let third = bed.queue("third").await;
    let update = UpdateQueue { dead_queue: Some(Some(third)), ..of(&dead) };
    assert_eq!(refusal(bed.store().update_queue(update).await), Rejection::IsDeadQueue(dead));
}

pub(in crate::conformance) async fn two_queues_are_not_each_others_dead_queue(bed: &Bed) {
    let (orders, dead) = bed.queue_and_dead(|_| {}).await;
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&dead) };
    assert_eq!(refusal(bed.store().update_queue(update).await), Rejection::DeadQueueHasDeadQueue(orders.clone()));
    // Once the first one lets go, the other may.
    let update = UpdateQueue { dead_queue: Some(None), ..of(&orders) };
    bed.store().update_queue(update).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(orders.clone())), ..of(&dead) };
    assert_eq!(bed.store().update_queue(update).await.unwrap().dead_queue, Some(orders));
}

pub(in crate::conformance) async fn a_dead_queue_that_is_made_again_has_no_dead_queue_either(bed: &Bed) {
    let (_, dead) = bed.queue_and_dead(|_| {}).await;
    let third = bed.queue("third").await;
    bed.store().delete_queue(DeleteQueue { name: dead.clone(), force: true }).await.unwrap();
    let again = QueueSettings { dead_queue: Some(third), ..QueueSettings::new(dead.clone()) };
    assert_eq!(refusal(bed.store().create_queue(CreateQueue { settings: again }).await), Rejection::IsDeadQueue(dead));
}

pub(in crate::conformance) async fn several_queues_share_a_dead_queue(bed: &Bed) {
    let dead = bed.queue("dead").await;
    for queue in ["a", "b"] {
        bed.queue_with(queue, |settings| settings.dead_queue = Some(dead.clone())).await;
    }
    let update = of(&name("a"));
    bed.store().update_queue(update).await.expect("an update that keeps the dead queue is no new claim to it");
}

pub(in crate::conformance) async fn deleting_a_dead_queue_needs_force(bed: &Bed) {
    let (orders, dead) = bed.queue_and_dead(|_| {}).await;
    let refused = bed.store().delete_queue(DeleteQueue { name: dead.clone(), force: false }).await;
    assert_eq!(refusal(refused), Rejection::QueueInUse { queue: dead.clone(), of: orders.clone() });
    bed.store().queue(GetQueue { name: dead.clone() }).await.unwrap();
    bed.store().delete_queue(DeleteQueue { name: dead.clone(), force: true }).await.unwrap();
    assert_eq!(refusal(bed.store().queue(GetQueue { name: dead.clone() }).await), Rejection::NoSuchQueue(dead.clone()));
    assert_eq!(settings(bed, &orders).await.dead_queue, Some(dead), "it still goes by that name");
}

pub(in crate::conformance) async fn a_dead_queue_that_nobody_names_any_more_is_deleted_freely(bed: &Bed) {
    let (orders, dead) = bed.queue_and_dead(|_| {}).await;
    bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    bed.store().delete_queue(DeleteQueue { name: dead, force: false }).await.unwrap();
}

// Deleting

pub(in crate::conformance) async fn a_queue_of_a_deleted_ones_name_starts_empty(bed: &Bed) {
    for force in [false, true] {
        let orders = bed.queue("orders").await;
        bed.produce_items(&orders, vec![item_named("a", "m-1"), item_at("later", bed.after(HOUR))]).await;
        let held = bed.lease_one(&orders).await;
        bed.capture(&orders, crate::conformance::words::failure("f-1")).await;
        bed.store().delete_queue(DeleteQueue { name: orders.clone(), force }).await.unwrap();
        let orders = bed.queue("orders").await;
        assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
        let stats = bed.stats(&orders).await;
        assert_eq!((stats.letters.live(), stats.tally), (0, redrive_model::LifetimeCounts::default()));
        assert_eq!(refusal(bed.complete(&orders, held.info.id).await), Rejection::NoSuchItem(held.info.id));
        bed.advance(DAY);
        bed.assert_nothing_to_lease(&orders).await;
        let id = bed.produce_one(&orders, item_named("b", "m-1")).await;
        assert_eq!(bed.lease_one(&orders).await.info.id, id, "the message id was free");
        bed.store().delete_queue(DeleteQueue { name: orders, force }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_queue_is_deleted_once(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    let again = bed.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await;
    assert_eq!(refusal(again), Rejection::NoSuchQueue(orders));
}
