//! What dies in a queue, and where it goes.

use crate::conformance::bed::Bed;
use redrive_core::{ItemId, Priority, QueueName, RetryPolicy, Span, Status};
use redrive_model::{
    Clear, Content, CreateQueue, DeathReason, DeathRecord, DeleteQueue, EndReason, Event, FullLetter, GetQueue,
    ItemState, NewItem, QueueSettings, Rejection, SettleAction, UpdateQueue,
};

use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, complete, dead, item, item_named, payload, payloads, refusal, retry,
};

/// The only letter of a dead queue, with all that is kept about it.
async fn only_letter(bed: &Bed, queue: &QueueName) -> FullLetter {
    let letter = bed.only_item(queue).await.letter.expect("what died is a letter").id;
    bed.record(queue, letter).await
}

fn death(record: &FullLetter) -> DeathRecord {
    record.context.as_ref().and_then(|context| context.death.clone()).expect("it says how it died")
}

/// Lets an item die by its holder's word; gives the id that it died with.
async fn give_up(bed: &Bed, queue: &QueueName) -> ItemId {
    let held = bed.lease_one(queue).await;
    bed.settle(queue, held.info.id, dead()).await.unwrap();
    held.info.id
}

pub(in crate::conformance) async fn what_is_given_up_goes_to_the_dead_queue(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce(&orders, &["a"]).await;
    give_up(bed, &orders).await;
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    let letter = only_letter(bed, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), death(&letter).reason), ("a", DeathReason::GivenUp));
}

pub(in crate::conformance) async fn what_spent_its_attempts_goes_to_the_dead_queue(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["retried"]).await;
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, retry()).await.unwrap();
    let letter = only_letter(bed, &dead_queue).await;
    assert_eq!((death(&letter).reason, death(&letter).attempts), (DeathReason::MaxAttempts, 1));
    let held = bed.lease(&dead_queue, 1).await;
    bed.settle_leased(&dead_queue, &held, complete()).await;
    bed.produce(&orders, &["lost"]).await;
    bed.lease_one(&orders).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    let letter = only_letter(bed, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), death(&letter).reason), ("lost", DeathReason::MaxAttempts));
}

pub(in crate::conformance) async fn what_expired_goes_to_the_dead_queue_once(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.expire_timeout = HOUR).await;
    bed.produce(&orders, &["waits", "held"]).await;
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, SettleAction::Release).await;
    bed.advance(HOUR.saturating_sub(MINUTE));
    bed.lease_one(&orders).await;
    for _ in 0..5 {
        bed.advance(MINUTE.saturating_add(INSTANT));
        bed.numbers(&orders).await;
    }
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    let mut there = payloads(&bed.items(&dead_queue, 0).await);
    there.sort();
    assert_eq!(there, ["held", "waits"], "each exactly once");
    let (source, target) = (bed.stats(&orders).await.tally, bed.stats(&dead_queue).await.tally);
    assert_eq!((source.of(Event::DeadLettered), target.of(Event::MovedIn)), (2, 2));
    for item in bed.items(&dead_queue, 0).await {
        let letter = bed.record(&dead_queue, item.info.letter.expect("a letter").id).await;
        assert_eq!(death(&letter).reason, DeathReason::Expired);
    }
}

pub(in crate::conformance) async fn a_dead_item_begins_a_new_life(bed: &Bed) {
    let dead_queue = bed
        .queue_with("dead", |settings| {
            settings.max_attempts = 9;
        })
        .await;
    let orders = bed
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead_queue.clone());
            settings.max_attempts = 5;
        })
        .await;
    let content = Content {
        kind: "kind".to_owned(),
        encoding: "utf8".to_owned(),
        reference: "ref".to_owned(),
        ..Content::of_payload("a")
    };
    let new = NewItem { content: content.clone().into(), priority: Priority::High, ..NewItem::default() };
    bed.produce_one(&orders, new).await;
    bed.advance(MINUTE);
    let died_as = give_up(bed, &orders).await;
    let moved = only_letter(bed, &dead_queue).await;
    assert!(moved.info.id > died_as);
    assert_eq!(moved.info.source_id.as_deref(), Some(died_as.to_string().as_str()), "the id of its last lease");
    assert_eq!((moved.info.attempts, moved.info.deliveries, moved.info.max_attempts), (0, 0, 5));
    assert_eq!((moved.info.state, moved.info.created_at), (ItemState::Ready, bed.now()));
    assert_eq!(moved.info.expires_at, None, "letters stay where nobody says otherwise");
    assert_eq!(*moved.content, content);
    let letter = moved.info.letter.expect("a letter");
    assert_eq!((letter.status, letter.policy), (Status::Pending, RetryPolicy::Never), "nothing retries it by itself");
    assert_eq!((letter.generation, letter.retries, letter.total_attempts), (1, 0, 1));
    assert_eq!(letter.next_retry_at, None);
}

pub(in crate::conformance) async fn a_dead_item_keeps_its_history(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let orders = bed
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead_queue.clone());
            settings.partitions = 3;
            settings.max_attempts = 2;
        })
        .await;
    bed.produce(&orders, &["other"]).await;
    let created_at = bed.now();
    let produced = bed.store().produce(redrive_model::Produce::new(orders.clone(), vec![item("a")])).await.unwrap();
    // The one that was produced last is in the partition that a lease looks at last.
    let mut died_as = None;
    for step in ["first error", "last error"] {
        bed.advance(MINUTE);
        let both = [bed.lease(&orders, 1).await, bed.lease(&orders, 1).await];
        for leased in both {
            let id = leased.items[0].info.id;
            if payload(&leased.items[0]) == "other" {
                bed.settle(&orders, id, SettleAction::Release).await.unwrap();
            } else {
                died_as = Some(id);
                let verb = crate::conformance::words::failed(step, redrive_core::Category::Network);
                bed.settle(&orders, id, verb).await.unwrap();
            }
        }
    }
    let record = only_letter(bed, &dead_queue).await;
    let expected = DeathRecord {
        queue: orders.clone(),
        partition: produced.partition,
        id: died_as.expect("it was leased"),
        reason: DeathReason::MaxAttempts,
        attempts: 2,
        created_at,
        expires_at: created_at.saturating_add(DAY),
    };
    assert_eq!(death(&record), expected);
    let origin = record.context.expect("a dossier").origin;
    assert_eq!((origin.transport.as_str(), origin.name.as_str()), ("queue", "orders"));
    let errors: Vec<_> = record.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, ["first error", "last error"]);
}

pub(in crate::conformance) async fn a_producers_message_id_goes_along(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    give_up(bed, &orders).await;
    assert_eq!(bed.only_item(&dead_queue).await.source_id.as_deref(), Some("m-1"));
    bed.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(bed.numbers(&orders).await.0, 1, "it is free in its old queue");
}

pub(in crate::conformance) async fn a_second_arrival_of_a_source_id_is_dropped(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.partitions = 4).await;
    for queue in ["a", "b"] {
        let queue = bed.queue_with(queue, |settings| settings.dead_queue = Some(dead_queue.clone())).await;
        bed.produce_one(&queue, item_named("same", "m-1")).await;
        give_up(bed, &queue).await;
    }
    assert_eq!(bed.numbers(&dead_queue).await.0, 1, "over all partitions of the dead queue");
    assert_eq!(bed.stats(&crate::conformance::words::name("b")).await.tally.ended(EndReason::Duplicate), 1);
}

pub(in crate::conformance) async fn a_source_id_is_free_when_its_letter_is_done(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    give_up(bed, &orders).await;
    let held = bed.lease(&dead_queue, 1).await;
    bed.settle_leased(&dead_queue, &held, complete()).await;
    bed.produce_one(&orders, item_named("b", "m-1")).await;
    give_up(bed, &orders).await;
    let second = only_letter(bed, &dead_queue).await;
    assert_eq!(payload(&second), "b");
    assert_eq!(second.info.letter.expect("a letter").generation, 2, "the first one is still kept");
}

pub(in crate::conformance) async fn dead_items_go_through_the_dead_queues_placement(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.partitions = 3).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce_many(&orders, 9).await;
    let held = bed.lease(&orders, 9).await;
    bed.settle_leased(&orders, &held, dead()).await;
    let totals: Vec<_> = bed.stats(&dead_queue).await.partitions.iter().map(|partition| partition.total).collect();
    assert_eq!(totals, [3, 3, 3]);
    for _ in 0..9 {
        let held = bed.lease(&dead_queue, 1).await;
        bed.settle_leased(&dead_queue, &held, complete()).await;
    }
    bed.assert_nothing_to_lease(&dead_queue).await;
}

pub(in crate::conformance) async fn a_dead_queue_may_retry_what_dies_into_it(bed: &Bed) {
    let dead_queue = bed
        .queue_with("dead", |settings| {
            settings.letters.moved_policy = Some(RetryPolicy::Linear);
            settings.letters.moved_max_retries = Some(7);
        })
        .await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce(&orders, &["a"]).await;
    give_up(bed, &orders).await;
    bed.assert_nothing_to_lease(&dead_queue).await;
    bed.advance(Span::from_mins(5).saturating_sub(INSTANT));
    assert!(bed.claim(&dead_queue, 1).await.is_empty());
    bed.advance(INSTANT);
    let letter = bed.claim_one(&dead_queue).await.info.letter.expect("a letter");
    assert_eq!((letter.policy, letter.max_retries), (RetryPolicy::Linear, 7));
    assert_eq!(&*letter.destination, "orders", "retries go back to where it died");
}

pub(in crate::conformance) async fn letters_expire_as_items_do_where_a_queue_says_so(bed: &Bed) {
    let settings = |settings: &mut QueueSettings| {
        settings.expire_timeout = HOUR;
        settings.letters.letters_expire = Some(true);
    };
    let dead_queue = bed.queue_with("dead", settings).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce(&orders, &["a"]).await;
    give_up(bed, &orders).await;
    bed.advance(HOUR);
    assert_eq!(bed.numbers(&dead_queue).await.0, 1);
    bed.advance(INSTANT);
    assert_eq!(bed.numbers(&dead_queue).await.0, 0);
    assert_eq!(bed.stats(&dead_queue).await.tally.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn letters_do_not_expire_unless_their_queue_says_so(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.expire_timeout = HOUR).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce(&orders, &["a"]).await;
    give_up(bed, &orders).await;
    bed.capture(&dead_queue, crate::conformance::words::failure_for_good("f-1")).await;
    bed.advance(Span::from_days(10_000));
    assert_eq!(bed.numbers(&dead_queue).await.0, 2);
    assert!(bed.items(&dead_queue, 0).await.iter().all(|item| item.info.expires_at.is_none()));
}

pub(in crate::conformance) async fn a_size_limit_does_not_bind_moves(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce(&orders, &["a", "b", "c"]).await;
    for _ in 0..3 {
        give_up(bed, &orders).await;
    }
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 3);
}

pub(in crate::conformance) async fn a_dead_queue_that_is_named_later_counts_at_once(bed: &Bed) {
    let (orders, dead_queue) = (bed.queue("orders").await, bed.queue("dead").await);
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    let settings = bed.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(dead_queue.clone())), ..UpdateQueue::of(settings.name.clone()) };
    bed.store().update_queue(update).await.unwrap();
    bed.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(bed.numbers(&dead_queue).await.0, 1);
}

// A missing dead queue

/// An item that died while its dead queue was missing, and the id that it died with.
async fn stranded(bed: &Bed) -> (QueueName, QueueName, ItemId) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 3).await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    bed.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    let id = give_up(bed, &orders).await;
    (orders, dead_queue, id)
}

pub(in crate::conformance) async fn what_dies_without_its_dead_queue_waits_for_it(bed: &Bed) {
    let (orders, dead_queue, id) = stranded(bed).await;
    let stats = bed.stats(&orders).await;
    assert_eq!((stats.partitions[0].total, stats.partitions[0].stranded), (1, 1));
    assert_eq!(bed.only_item(&orders).await.state, ItemState::Stranded);
    bed.assert_nothing_to_lease(&orders).await;
    assert_eq!(refusal(bed.complete(&orders, id).await), Rejection::NoSuchItem(id), "its holder has let go");
    bed.advance(HOUR);
    assert_eq!(bed.numbers(&orders).await.0, 1, "however long it takes");
    bed.store().create_queue(CreateQueue { settings: QueueSettings::new(dead_queue.clone()) }).await.unwrap();
    bed.advance(MINUTE);
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    let letter = only_letter(bed, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), letter.info.source_id.as_deref()), ("a", Some("m-1")));
    assert_eq!(death(&letter).attempts, 1);
    bed.lease_one(&dead_queue).await;
}

pub(in crate::conformance) async fn every_way_to_die_waits_for_the_dead_queue(bed: &Bed) {
    let (orders, dead_queue) = bed
        .queue_and_dead(|settings| {
            settings.max_attempts = 1;
            settings.expire_timeout = HOUR;
        })
        .await;
    bed.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    bed.produce(&orders, &["given up", "spent", "lost", "expired"]).await;
    let held = bed.lease(&orders, 3).await;
    bed.settle(&orders, held.items[0].info.id, dead()).await.unwrap();
    bed.settle(&orders, held.items[1].info.id, retry()).await.unwrap();
    bed.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(bed.stats(&orders).await.partitions[0].stranded, 4, "none is dropped");
    bed.queue("dead").await;
    bed.advance(MINUTE);
    let mut there = payloads(&bed.items(&dead_queue, 0).await);
    there.sort();
    assert_eq!(there, ["expired", "given up", "lost", "spent"]);
}

pub(in crate::conformance) async fn a_stranded_item_keeps_its_reason(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["a"]).await;
    bed.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    give_up(bed, &orders).await;
    bed.advance(DAY.saturating_mul(2));
    bed.queue("dead").await;
    bed.advance(MINUTE);
    let letter = only_letter(bed, &dead_queue).await;
    assert_eq!(death(&letter).reason, DeathReason::GivenUp);
}

pub(in crate::conformance) async fn a_stranded_item_follows_the_settings_of_today(bed: &Bed) {
    let (orders, _, _) = stranded(bed).await;
    let other = bed.queue("other").await;
    let settings = bed.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(other.clone())), ..UpdateQueue::of(settings.name.clone()) };
    bed.store().update_queue(update).await.unwrap();
    bed.advance(MINUTE);
    assert_eq!(payload(&only_letter(bed, &other).await), "a");
}

pub(in crate::conformance) async fn a_stranded_item_is_cleared_with_the_others(bed: &Bed) {
    let (orders, _, _) = stranded(bed).await;
    let clear = Clear { queue: orders.clone(), ready: true, destructive: false, scheduled: false };
    assert_eq!(bed.store().clear(clear).await.unwrap(), 1);
    bed.queue("dead").await;
    bed.advance(MINUTE);
    assert_eq!(bed.numbers(&crate::conformance::words::name("dead")).await.0, 0);
}

pub(in crate::conformance) async fn a_stranded_item_holds_its_message_id(bed: &Bed) {
    let (orders, _, _) = stranded(bed).await;
    let there = bed.only_item(&orders).await.id;
    assert_eq!(bed.produce_one(&orders, item_named("again", "m-1")).await, there);
}
