//! Dead items, and their way to the dead queue.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, ItemId, MovedPolicy, PolicySource, Priority, QueueName, RetryPolicy, Span, Status};
use redrive_model::{
    Clear, Content, CreateQueue, DeadCause, DeathReason, DeathRecord, DeleteQueue, EndReason, Event, FullLetter,
    GetQueue, ItemState, NewItem, QueueSettings, Rejection, SettleAction, UpdateQueue,
};

use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, attempt, complete, dead, item, item_named, payload, payloads, rejection, retry,
};

/// The only letter of a dead queue, with all its documents.
async fn only_letter(fixture: &StoreFixture, queue: &QueueName) -> FullLetter {
    let letter = fixture.only_item(queue).await.letter.expect("a dead item is a letter").id;
    fixture.record(queue, letter).await
}

fn death(record: &FullLetter) -> DeathRecord {
    record.context.as_ref().and_then(|context| context.death.clone()).expect("the context has a death record")
}

/// Leases an item and gives it up; returns the id under which it died.
async fn give_up(fixture: &StoreFixture, queue: &QueueName) -> ItemId {
    let held = fixture.lease_one(queue).await;
    fixture.settle(queue, held.info.id, dead()).await.unwrap();
    held.info.id
}

pub(in crate::conformance) async fn a_given_up_item_goes_to_the_dead_queue(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&orders, &["a"]).await;
    give_up(fixture, &orders).await;
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    let letter = only_letter(fixture, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), death(&letter).reason), ("a", DeathReason::GivenUp));
}

pub(in crate::conformance) async fn an_item_without_attempts_left_goes_to_the_dead_queue(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["retried"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, retry()).await.unwrap();
    let letter = only_letter(fixture, &dead_queue).await;
    assert_eq!((death(&letter).reason, death(&letter).attempts), (DeathReason::MaxAttempts, 1));
    let held = fixture.lease(&dead_queue, 1).await;
    fixture.settle_leased(&dead_queue, &held, complete()).await;
    fixture.produce(&orders, &["lost"]).await;
    fixture.lease_one(&orders).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let letter = only_letter(fixture, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), death(&letter).reason), ("lost", DeathReason::MaxAttempts));
}

pub(in crate::conformance) async fn an_expired_item_goes_to_the_dead_queue_once(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.expire_timeout = HOUR).await;
    fixture.produce(&orders, &["waits", "held"]).await;
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, SettleAction::Release).await;
    fixture.advance(HOUR.saturating_sub(MINUTE));
    fixture.lease_one(&orders).await;
    for _ in 0..5 {
        fixture.advance(MINUTE.saturating_add(INSTANT));
        fixture.numbers(&orders).await;
    }
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    let mut there = payloads(&fixture.items(&dead_queue, 0).await);
    there.sort();
    assert_eq!(there, ["held", "waits"], "each exactly once");
    let (source, target) = (fixture.stats(&orders).await.counts, fixture.stats(&dead_queue).await.counts);
    assert_eq!((source.of(Event::DeadLettered), target.of(Event::MovedIn)), (2, 2));
    for item in fixture.items(&dead_queue, 0).await {
        let letter = fixture.record(&dead_queue, item.info.letter.expect("a letter").id).await;
        assert_eq!(death(&letter).reason, DeathReason::Expired);
    }
}

pub(in crate::conformance) async fn a_dead_item_becomes_a_new_letter(fixture: &StoreFixture) {
    let dead_queue = fixture
        .queue_with("dead", |settings| {
            settings.max_attempts = 9;
        })
        .await;
    let orders = fixture
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
    fixture.produce_one(&orders, new).await;
    fixture.advance(MINUTE);
    let died_as = give_up(fixture, &orders).await;
    let moved = only_letter(fixture, &dead_queue).await;
    assert!(moved.info.id > died_as);
    assert_eq!(moved.info.source_id.as_deref(), Some(died_as.to_string().as_str()), "the id of its last lease");
    assert_eq!((moved.info.attempts, moved.info.deliveries, moved.info.max_attempts), (0, 0, 5));
    assert_eq!((moved.info.state, moved.info.created_at), (ItemState::Ready, fixture.now()));
    assert_eq!(moved.info.expires_at, None, "letters do not expire by default");
    assert_eq!(*moved.content, content);
    let letter = moved.info.letter.expect("a letter");
    let schedule = (letter.status, letter.policy);
    assert_eq!(schedule, (Status::Pending, RetryPolicy::Never), "it is not retried automatically");
    assert_eq!((letter.generation, letter.retries, letter.total_attempts), (1, 0, 1));
    assert_eq!(letter.next_retry_at, None);
}

pub(in crate::conformance) async fn a_dead_item_keeps_its_history(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let orders = fixture
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead_queue.clone());
            settings.partitions = 3;
            settings.max_attempts = 2;
        })
        .await;
    fixture.produce(&orders, &["other"]).await;
    let created_at = fixture.now();
    let produced = fixture.store().produce(redrive_model::Produce::new(orders.clone(), vec![item("a")])).await.unwrap();
    // The item produced last is in the partition that is leased last.
    let mut died_as = None;
    for step in ["first error", "last error"] {
        fixture.advance(MINUTE);
        let both = [fixture.lease(&orders, 1).await, fixture.lease(&orders, 1).await];
        for leased in both {
            let id = leased.items[0].info.id;
            if payload(&leased.items[0]) == "other" {
                fixture.settle(&orders, id, SettleAction::Release).await.unwrap();
            } else {
                died_as = Some(id);
                let verb = crate::conformance::samples::failed(step, redrive_core::Category::Network);
                fixture.settle(&orders, id, verb).await.unwrap();
            }
        }
    }
    let record = only_letter(fixture, &dead_queue).await;
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
    let origin = record.context.expect("a capture context").origin;
    assert_eq!((&*origin.transport, &*origin.name), ("queue", "orders"));
    let errors: Vec<_> = record.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, ["first error", "last error"]);
}

pub(in crate::conformance) async fn a_message_id_becomes_the_source_id_of_the_letter(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    give_up(fixture, &orders).await;
    assert_eq!(fixture.only_item(&dead_queue).await.source_id.as_deref(), Some("m-1"));
    fixture.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(fixture.numbers(&orders).await.0, 1, "the message id is free in the old queue");
}

pub(in crate::conformance) async fn a_message_that_dies_again_while_its_letter_lives_is_dropped(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.partitions = 4).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    for _ in 0..2 {
        fixture.produce_one(&orders, item_named("same", "m-1")).await;
        give_up(fixture, &orders).await;
    }
    assert_eq!(fixture.numbers(&dead_queue).await.0, 1, "over all partitions of the dead queue");
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Duplicate), 1);
}

pub(in crate::conformance) async fn messages_of_two_queues_with_one_id_are_two_letters(fixture: &StoreFixture) {
    let (first, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    let second = fixture.queue_with("second", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    let die = async |queue: &QueueName| {
        fixture.produce_one(queue, item_named("order", "m-1")).await;
        give_up(fixture, queue).await
    };
    die(&first).await;
    let died_as = die(&second).await;
    let mut letters = Vec::new();
    for item in fixture.items(&dead_queue, 0).await {
        letters.push(fixture.record(&dead_queue, item.info.letter.expect("a letter").id).await);
    }
    let source_ids = letters.iter().map(|letter| letter.info.source_id.as_deref().expect("a source id"));
    assert_eq!(source_ids.collect::<Vec<_>>(), ["m-1", &died_as.to_string()]);
    let origin = |letter: &FullLetter| letter.context.as_ref().expect("a context").origin.clone();
    let names = letters.iter().map(|letter| origin(letter).name.to_string());
    assert_eq!(names.collect::<Vec<_>>(), [first.as_str(), second.as_str()]);
    assert!(letters.iter().all(|letter| origin(letter).message_id.as_deref() == Some("m-1")));
    // Either message dies once more while its letter lives, the second one also after the other letter is archived.
    let duplicates = async |queue: &QueueName| fixture.stats(queue).await.counts.ended(EndReason::Duplicate);
    die(&first).await;
    die(&second).await;
    assert_eq!((duplicates(&first).await, duplicates(&second).await), (1, 1));
    fixture.archive(&dead_queue, letters[0].info.letter.as_ref().expect("a letter").id).await;
    die(&second).await;
    assert_eq!(duplicates(&second).await, 2);
}

pub(in crate::conformance) async fn a_message_is_no_duplicate_of_a_plain_item_with_its_id(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce_one(&dead_queue, item_named("plain", "m-1")).await;
    fixture.produce_one(&orders, item_named("order", "m-1")).await;
    give_up(fixture, &orders).await;
    assert_eq!(payloads(&fixture.items(&dead_queue, 0).await), ["plain", "order"]);
}

pub(in crate::conformance) async fn a_source_id_is_free_when_its_letter_is_completed(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    give_up(fixture, &orders).await;
    let held = fixture.lease(&dead_queue, 1).await;
    fixture.settle_leased(&dead_queue, &held, complete()).await;
    fixture.produce_one(&orders, item_named("b", "m-1")).await;
    give_up(fixture, &orders).await;
    let second = only_letter(fixture, &dead_queue).await;
    assert_eq!(payload(&second), "b");
    assert_eq!(second.info.letter.expect("a letter").generation, 2, "the first letter still exists");
}

pub(in crate::conformance) async fn dead_items_go_through_the_dead_queues_placement(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.partitions = 3).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce_many(&orders, 9).await;
    let held = fixture.lease(&orders, 9).await;
    fixture.settle_leased(&orders, &held, dead()).await;
    let totals: Vec<_> = fixture.stats(&dead_queue).await.partitions.iter().map(|partition| partition.total).collect();
    assert_eq!(totals, [3, 3, 3]);
    for _ in 0..9 {
        let held = fixture.lease(&dead_queue, 1).await;
        fixture.settle_leased(&dead_queue, &held, complete()).await;
    }
    fixture.assert_nothing_to_lease(&dead_queue).await;
}

pub(in crate::conformance) async fn a_dead_queue_may_retry_dead_items(fixture: &StoreFixture) {
    let dead_queue = fixture
        .queue_with("dead", |settings| {
            settings.letters.moved_policy = Some(RetryPolicy::Linear.into());
            settings.letters.moved_max_retries = Some(7);
        })
        .await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce(&orders, &["a"]).await;
    give_up(fixture, &orders).await;
    fixture.assert_nothing_to_lease(&dead_queue).await;
    fixture.advance(Span::from_mins(5).saturating_sub(INSTANT));
    assert!(fixture.claim(&dead_queue, 1).await.is_empty());
    fixture.advance(INSTANT);
    let letter = fixture.claim_one(&dead_queue).await.info.letter.expect("a letter");
    assert_eq!((letter.policy, letter.max_retries), (RetryPolicy::Linear, 7));
    assert_eq!(&*letter.destination, "orders", "retries are for the queue in which it died");
}

pub(in crate::conformance) async fn a_dead_queue_may_retry_dead_items_by_their_category(fixture: &StoreFixture) {
    let by_category = |settings: &mut QueueSettings| settings.letters.moved_policy = Some(MovedPolicy::Category);
    let cases = [(Category::Resource, RetryPolicy::Linear), (Category::Validation, RetryPolicy::Never)];
    for (category, policy) in cases {
        let dead_queue = fixture.queue_with(&format!("{category}-dead"), by_category).await;
        let dead_letters_to = |settings: &mut QueueSettings| settings.dead_queue = Some(dead_queue.clone());
        let orders = fixture.queue_with(category.as_str(), dead_letters_to).await;
        fixture.produce(&orders, &["a"]).await;
        let held = fixture.lease_one(&orders).await;
        let attempt = Some(Box::new(attempt("it failed", category)));
        let dead = SettleAction::Dead { attempt, why: DeadCause::Permanent };
        fixture.settle(&orders, held.info.id, dead).await.unwrap();
        let found = fixture.items(&dead_queue, 0).await.into_iter().chain(fixture.scheduled(&dead_queue, 0).await);
        let letter = found.filter_map(|item| item.info.letter).next().unwrap();
        assert_eq!((letter.policy, letter.policy_source), (policy, PolicySource::Derived), "{category}");
        assert_eq!(letter.next_retry_at.is_some(), policy != RetryPolicy::Never, "{category}");
    }
}

pub(in crate::conformance) async fn letters_expire_if_the_queue_is_configured_so(fixture: &StoreFixture) {
    let settings = |settings: &mut QueueSettings| {
        settings.expire_timeout = HOUR;
        settings.letters.letters_expire = Some(true);
    };
    let dead_queue = fixture.queue_with("dead", settings).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce(&orders, &["a"]).await;
    give_up(fixture, &orders).await;
    fixture.advance(HOUR);
    assert_eq!(fixture.numbers(&dead_queue).await.0, 1);
    fixture.advance(INSTANT);
    assert_eq!(fixture.numbers(&dead_queue).await.0, 0);
    assert_eq!(fixture.stats(&dead_queue).await.counts.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn letters_do_not_expire_by_default(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.expire_timeout = HOUR).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce(&orders, &["a"]).await;
    give_up(fixture, &orders).await;
    fixture.capture(&dead_queue, crate::conformance::samples::failure_for_good("f-1")).await;
    fixture.advance(Span::from_days(10_000));
    assert_eq!(fixture.numbers(&dead_queue).await.0, 2);
    assert!(fixture.items(&dead_queue, 0).await.iter().all(|item| item.info.expires_at.is_none()));
}

pub(in crate::conformance) async fn a_size_limit_does_not_apply_to_moved_items(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce(&orders, &["a", "b", "c"]).await;
    for _ in 0..3 {
        give_up(fixture, &orders).await;
    }
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 3);
}

pub(in crate::conformance) async fn a_dead_queue_configured_later_applies_at_once(fixture: &StoreFixture) {
    let (orders, dead_queue) = (fixture.queue("orders").await, fixture.queue("dead").await);
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    let settings = fixture.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(dead_queue.clone())), ..UpdateQueue::of(settings.name.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(fixture.numbers(&dead_queue).await.0, 1);
}

// A missing dead queue

/// An item that died while its dead queue was missing, and the id under which it died.
async fn stranded(fixture: &StoreFixture) -> (QueueName, QueueName, ItemId) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 3).await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    fixture.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    let id = give_up(fixture, &orders).await;
    (orders, dead_queue, id)
}

pub(in crate::conformance) async fn a_dead_item_waits_for_a_missing_dead_queue(fixture: &StoreFixture) {
    let (orders, dead_queue, id) = stranded(fixture).await;
    let stats = fixture.stats(&orders).await;
    assert_eq!((stats.partitions[0].total, stats.partitions[0].stranded), (1, 1));
    assert_eq!(fixture.only_item(&orders).await.state, ItemState::Stranded);
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id), "it is no longer leased");
    fixture.advance(HOUR);
    assert_eq!(fixture.numbers(&orders).await.0, 1, "it waits without a time limit");
    fixture.store().create_queue(CreateQueue { settings: QueueSettings::new(dead_queue.clone()) }).await.unwrap();
    fixture.advance(MINUTE);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    let letter = only_letter(fixture, &dead_queue).await;
    assert_eq!((payload(&letter).as_str(), letter.info.source_id.as_deref()), ("a", Some("m-1")));
    assert_eq!(death(&letter).attempts, 1);
    fixture.lease_one(&dead_queue).await;
}

pub(in crate::conformance) async fn every_kind_of_death_waits_for_the_dead_queue(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture
        .queue_and_dead(|settings| {
            settings.max_attempts = 1;
            settings.expire_timeout = HOUR;
        })
        .await;
    fixture.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    fixture.produce(&orders, &["given up", "spent", "lost", "expired"]).await;
    let held = fixture.lease(&orders, 3).await;
    fixture.settle(&orders, held.items[0].info.id, dead()).await.unwrap();
    fixture.settle(&orders, held.items[1].info.id, retry()).await.unwrap();
    fixture.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(fixture.stats(&orders).await.partitions[0].stranded, 4, "none is dropped");
    fixture.queue("dead").await;
    fixture.advance(MINUTE);
    let mut there = payloads(&fixture.items(&dead_queue, 0).await);
    there.sort();
    assert_eq!(there, ["expired", "given up", "lost", "spent"]);
}

pub(in crate::conformance) async fn a_stranded_item_keeps_its_reason(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    give_up(fixture, &orders).await;
    fixture.advance(DAY.saturating_mul(2));
    fixture.queue("dead").await;
    fixture.advance(MINUTE);
    let letter = only_letter(fixture, &dead_queue).await;
    assert_eq!(death(&letter).reason, DeathReason::GivenUp);
}

pub(in crate::conformance) async fn a_stranded_item_follows_the_current_settings(fixture: &StoreFixture) {
    let (orders, _, _) = stranded(fixture).await;
    let other = fixture.queue("other").await;
    let settings = fixture.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let update = UpdateQueue { dead_queue: Some(Some(other.clone())), ..UpdateQueue::of(settings.name.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    fixture.advance(MINUTE);
    assert_eq!(payload(&only_letter(fixture, &other).await), "a");
}

pub(in crate::conformance) async fn a_stranded_item_is_cleared_with_the_others(fixture: &StoreFixture) {
    let (orders, _, _) = stranded(fixture).await;
    let clear = Clear { queue: orders.clone(), ready: true, destructive: false, scheduled: false };
    assert_eq!(fixture.store().clear(clear).await.unwrap(), 1);
    fixture.queue("dead").await;
    fixture.advance(MINUTE);
    assert_eq!(fixture.numbers(&crate::conformance::samples::name("dead")).await.0, 0);
}

pub(in crate::conformance) async fn a_stranded_item_holds_its_message_id(fixture: &StoreFixture) {
    let (orders, _, _) = stranded(fixture).await;
    let there = fixture.only_item(&orders).await.id;
    assert_eq!(fixture.produce_one(&orders, item_named("again", "m-1")).await, there);
}
