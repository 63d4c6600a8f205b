//! Closing and reopening a store. (After every case the visible state is compared before and after a restart; these
//! cases check effects that show only later.)

use std::sync::Arc;

use redrive_core::{CaptureReason, Priority, QueueName, Span, Status};
use redrive_model::{
    ClaimHolder, Content, CreateQueue, Cursor, DeleteQueue, Edit, EndReason, GetConservation, GetKey, KeyCondition,
    KeyWrite, NewItem, NewLetter, Produce, QueueSettings, ReadChanges, Rejection, SettleAction, WriteKeys,
};

use super::waiting::disconnect_before_reading;
use crate::conformance::fixture::{StoreFixture, lease_of};
use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, complete, dead, failure, failure_due, failure_for_good, failure_of_offset, item_at,
    item_named, item_of, payload, payloads, rejection, retry,
};

pub(in crate::conformance) async fn a_lease_survives(fixture: &StoreFixture) {
    let orders = fixture.orders(&["kept", "lost"]).await;
    let held = fixture.lease(&orders, 2).await;
    if !fixture.reopen().await {
        return;
    }
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.complete(&orders, held.items[0].info.id).await.expect("its holder still has it");
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let again = fixture.lease_one(&orders).await;
    assert_eq!((payload(&again).as_str(), again.info.attempts), ("lost", 2));
}

pub(in crate::conformance) async fn answers_unread_before_closing_release_their_items(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let store = fixture.store();
    disconnect_before_reading(fixture, &orders, store.lease(lease_of(&orders, 1, HOUR)), async {
        disconnect_before_reading(fixture, &others, store.lease(lease_of(&others, 1, HOUR)), async {
            fixture.produce(&orders, &["a"]).await;
            fixture.produce(&others, &["b"]).await;
        })
        .await;
    })
    .await;
    drop(store);
    let was_closed = fixture.reopen().await;
    for queue in [orders, others] {
        if was_closed {
            let numbers = fixture.numbers(&queue).await;
            assert_eq!(numbers, (1, 0, 0), "the lease of an unread reply in {queue} was not released");
        }
        let leased = fixture.wait(&queue, 1).await.reply().await;
        assert_eq!(leased.items[0].info.attempts, 1, "no attempt was counted for the unread lease");
    }
}

pub(in crate::conformance) async fn a_schedule_survives(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("a", fixture.after(HOUR))).await;
    if !fixture.reopen().await {
        return;
    }
    let waiter = fixture.wait(&orders, 1).await;
    fixture.advance(HOUR.saturating_sub(INSTANT));
    waiter.assert_waits(fixture).await;
    // Nothing is early, even if the store was closed until then.
    waiter.disconnect(fixture).await;
    fixture.reopen().await;
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(INSTANT);
    assert_eq!(payload(&fixture.lease_one(&orders).await), "a");
}

pub(in crate::conformance) async fn transitions_due_meanwhile_happen_at_once(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["lost", "expired"]).await;
    fixture.produce_one(&orders, item_at("due", fixture.after(DAY.saturating_mul(2)))).await;
    fixture.lease(&orders, 1).await;
    // The clock advances without a request.
    let store = fixture.store();
    store.close().await.unwrap();
    fixture.advance(DAY.saturating_mul(2));
    if !fixture.reopen().await {
        fixture.close().await;
        return;
    }
    let mut died = payloads(&fixture.items(&dead_queue, 0).await);
    died.sort();
    assert_eq!(died, ["expired", "lost"]);
    assert_eq!(payload(&fixture.lease_one(&orders).await), "due");
}

pub(in crate::conformance) async fn ids_go_on_increasing(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let before = fixture.produce(&orders, &["a"]).await[0];
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, complete()).await;
    if !fixture.reopen().await {
        return;
    }
    let same_second = fixture.produce(&orders, &["b"]).await[0];
    assert!(same_second > before);
    fixture.clock.set(fixture.now().saturating_sub(DAY));
    fixture.reopen().await;
    let stepped_back = fixture.produce(&orders, &["c"]).await[0];
    assert!(stepped_back > same_second);
    assert_eq!(payloads(&fixture.lease(&orders, 2).await.items), ["b", "c"]);
}

pub(in crate::conformance) async fn stale_ids_stay_stale(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let held = fixture.lease(&orders, 2).await;
    let [done, retried] = [held.items[0].info.id, held.items[1].info.id];
    fixture.complete(&orders, done).await.unwrap();
    fixture.settle(&orders, retried, retry()).await.unwrap();
    if !fixture.reopen().await {
        return;
    }
    fixture.produce(&orders, &["c"]).await;
    fixture.lease(&orders, 2).await;
    for id in [done, retried] {
        assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    }
}

pub(in crate::conformance) async fn message_ids_and_messages_are_still_known(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    let id = fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let letter = fixture.capture(&dead_queue, failure_of_offset("f-1", 42)).await.letter;
    let finished = fixture.capture(&dead_queue, failure_of_offset("f-2", 43)).await.letter;
    fixture.archive(&dead_queue, finished).await;
    if !fixture.reopen().await {
        return;
    }
    assert_eq!(fixture.produce_one(&orders, item_named("again", "m-1")).await, id);
    let same = NewLetter { source_id: "other".into(), ..failure_of_offset("f-1", 42) };
    assert_eq!(fixture.capture(&dead_queue, same).await.letter, letter);
    assert_eq!(fixture.capture(&dead_queue, failure_of_offset("f-2", 43)).await.letter, finished);
    assert_eq!(fixture.capture(&dead_queue, failure("f-2")).await.generation, 2);
}

pub(in crate::conformance) async fn the_payload_of_an_edited_letter_is_still_known(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_of_offset("f-1", 42)).await;
    let content = Some(Arc::new(Content::of_payload("corrected work")));
    let queue = dead_queue.clone();
    fixture
        .store()
        .edit(Edit { queue, letter, content, policy: None, max_retries: None, priority: None })
        .await
        .unwrap();
    fixture.reopen().await;
    let replayed = |payload: &'static str| {
        let mut new = failure_of_offset("f-1", 42);
        new.context.origin.replays = 1;
        NewLetter { content: Arc::new(Content::of_payload(payload)), ..new }
    };
    let rejected = fixture.try_capture(&dead_queue, vec![replayed("other work")]).await;
    assert_eq!(rejection(rejected), Rejection::OtherPayload { letter });
    let again = fixture.capture(&dead_queue, replayed("corrected work")).await;
    assert_eq!((again.letter, again.reason), (letter, CaptureReason::Merged));
}

pub(in crate::conformance) async fn a_claim_survives_and_is_lost_in_time(fixture: &StoreFixture) {
    let (dead_queue, letter, held) = fixture.claimed(failure_due("f-1")).await;
    if !fixture.reopen().await {
        return;
    }
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Retrying);
    assert!(fixture.claim(&dead_queue, 1).await.is_empty());
    fixture.settle(&dead_queue, held.info.id, SettleAction::Release).await.expect("its holder still has it");
    fixture.claim_one(&dead_queue).await;
    fixture.reopen().await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.retries, info.is_outcome_unknown), (1, true));
}

pub(in crate::conformance) async fn the_holder_of_a_letter_survives(fixture: &StoreFixture) {
    let (dead_queue, claimed) = fixture.captured(failure_due("claimed")).await;
    fixture.claim_one(&dead_queue).await;
    let by_hand = fixture.capture(&dead_queue, failure("by hand")).await.letter;
    fixture.claim_by_hand(&dead_queue, by_hand).await.unwrap();
    let leased = fixture.capture(&dead_queue, failure_for_good("leased")).await.letter;
    fixture.lease_one(&dead_queue).await;
    for _ in 0..2 {
        for (letter, holder) in
            [(claimed, ClaimHolder::Server), (by_hand, ClaimHolder::Server), (leased, ClaimHolder::Caller)]
        {
            let info = fixture.info(&dead_queue, letter).await;
            assert_eq!(info.before.map(|before| before.holder), Some(holder));
        }
        fixture.reopen().await;
    }
}

pub(in crate::conformance) async fn the_order_of_partitions_survives(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    for count in [1, 3, 2, 4] {
        fixture.produce_many(&orders, count).await;
    }
    let twin = fixture.queue_with("twin", |settings| settings.partitions = 3).await;
    for count in [1, 3, 2, 4] {
        fixture.produce_many(&twin, count).await;
    }
    let before = [fixture.lease(&twin, 1).await.partition, fixture.lease(&twin, 3).await.partition];
    let produced = fixture.produce_many(&twin, 1).await;
    if !fixture.reopen().await {
        return;
    }
    let after = [fixture.lease(&orders, 1).await.partition, fixture.lease(&orders, 3).await.partition];
    assert_eq!((after, fixture.produce_many(&orders, 1).await), (before, produced), "the restart changed the order");
}

pub(in crate::conformance) async fn the_rotation_of_priorities_survives(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for priority in [Priority::Low, Priority::Medium, Priority::High] {
        let items = (0..13).map(|_| item_of("a", priority)).collect();
        fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    }
    let mut counts = [0; 3];
    for turn in 0..13 {
        if turn % 4 == 3 && !fixture.reopen().await {
            return;
        }
        counts[fixture.lease_one(&orders).await.info.priority as usize] += 1;
    }
    assert_eq!(counts, [8, 4, 1]);
}

pub(in crate::conformance) async fn stranded_items_survive(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, dead()).await;
    if !fixture.reopen().await {
        return;
    }
    fixture.store().create_queue(CreateQueue { settings: QueueSettings::new(dead_queue.clone()) }).await.unwrap();
    fixture.advance(MINUTE);
    assert_eq!(payloads(&fixture.items(&dead_queue, 0).await), ["a"]);
}

pub(in crate::conformance) async fn a_deleted_queue_stays_deleted(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_many(&orders, 20).await;
    fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    if !fixture.reopen().await {
        return;
    }
    fixture.assert_no_queue(&orders).await;
    fixture.queue("orders").await;
    fixture.assert_nothing_to_lease(&orders).await;
}

pub(in crate::conformance) async fn cleared_items_stay_cleared(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_many(&orders, 20).await;
    let held = fixture.lease(&orders, 1).await;
    let clear = redrive_model::Clear { queue: orders.clone(), ready: true, destructive: false, scheduled: false };
    assert_eq!(fixture.store().clear(clear).await.unwrap(), 19);
    fixture.produce(&orders, &["new"]).await;
    if !fixture.reopen().await {
        return;
    }
    assert_eq!(payloads(&fixture.lease(&orders, 9).await.items), ["new"]);
    fixture.settle_leased(&orders, &held, complete()).await;
}

pub(in crate::conformance) async fn keys_and_their_versions_survive(fixture: &StoreFixture) {
    let put = |value: &'static str, condition| KeyWrite { key: "a".into(), value: Some(value.into()), condition };
    fixture.store().write_keys(WriteKeys { writes: vec![put("1", KeyCondition::Any)] }).await.unwrap();
    let before = fixture.store().key(GetKey { key: "a".into() }).await.unwrap().expect("it was put");
    if !fixture.reopen().await {
        return;
    }
    let after = fixture.store().key(GetKey { key: "a".into() }).await.unwrap();
    assert_eq!(after, Some(before.clone()));
    fixture
        .store()
        .write_keys(WriteKeys { writes: vec![put("2", KeyCondition::Version(before.version))] })
        .await
        .unwrap();
    let rejected =
        fixture.store().write_keys(WriteKeys { writes: vec![put("3", KeyCondition::Version(before.version))] }).await;
    assert!(matches!(rejection(rejected), Rejection::KeyChanged { .. }));
}

pub(in crate::conformance) async fn the_feed_and_its_readers_survive(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let read = async |after| {
        let changes = ReadChanges { cursor: "search".to_owned(), after, limit: 100, wait: redrive_core::Span::ZERO };
        fixture.store().changes(changes).await.unwrap()
    };
    fixture.store().cursor(Cursor::Register { name: "search".to_owned() }).await.unwrap();
    let first = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let seen = read(None).await.position;
    fixture.store().cursor(Cursor::Advance { name: "search".to_owned(), position: seen }).await.unwrap();
    fixture.capture(&dead_queue, failure("f-2")).await;
    let purge = redrive_model::Purge { queue: dead_queue.clone(), letters: vec![first] };
    fixture.store().purge(purge).await.unwrap();
    let other = fixture.queue("other").await;
    fixture.capture(&other, failure("f-3")).await;
    fixture.store().delete_queue(DeleteQueue { name: other, force: false }).await.unwrap();
    let before = read(None).await;
    assert_eq!(before.changes.len(), 3);
    if !fixture.reopen().await {
        return;
    }
    let after = read(None).await;
    assert_eq!((after.position, after.depth), (before.position, before.depth));
    let kinds = |page: &redrive_model::FeedPage| page.changes.iter().map(std::mem::discriminant).collect::<Vec<_>>();
    assert_eq!(kinds(&after), kinds(&before));
    fixture.capture(&dead_queue, failure("f-4")).await;
    assert_eq!(read(Some(after.position)).await.changes.len(), 1, "positions continue");
}

/// Enough traffic that a store does all its maintenance, such as checkpoints and compaction.
pub(in crate::conformance) async fn nothing_is_lost_in_long_traffic(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    let dead_queue = fixture.queue("dead").await;
    let mut kept: Vec<String> = Vec::new();
    let mut letters = Vec::new();
    for round in 0..60u32 {
        produce_padded(fixture, &orders, round).await;
        let first = fixture.lease(&orders, 10).await;
        fixture.settle_leased(&orders, &first, complete()).await;
        if round % 10 == 0 {
            let new = NewLetter { max_retries: 9, ..failure_due(&format!("f-{round}")) };
            letters.push((round, fixture.capture(&dead_queue, new).await.letter));
        }
        if round % 20 == 19 {
            fixture.reopen().await;
        }
        fixture.advance(Span::from_secs(1));
    }
    for partition in 0..2 {
        kept.extend(fixture.items(&orders, partition).await.iter().map(|item| payload(item)[..8].to_owned()));
    }
    let sum = fixture.store().conservation(GetConservation).await.unwrap();
    assert_eq!(kept.len(), 120, "twelve items are added and ten completed in each round");
    assert_eq!((sum.arrived, sum.ended), (60 * 12 + 6, 600));
    kept.sort();
    kept.dedup();
    assert_eq!(kept.len(), 120, "each item exists once");
    for (round, letter) in letters {
        let record = fixture.record(&dead_queue, letter).await;
        assert_eq!(payload(&record), format!("the work of f-{round}"));
        assert_eq!(record.attempts.len(), 1);
    }
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 600);
}

async fn produce_padded(fixture: &StoreFixture, queue: &QueueName, round: u32) {
    let items = (0..12).map(|number| NewItem::of_payload(format!("{round:04}{number:04}{}", "x".repeat(3_000))));
    fixture.produce_items(queue, items.collect()).await;
}
