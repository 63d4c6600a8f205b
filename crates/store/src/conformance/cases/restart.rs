//! A store that was closed and opened again. (After every case, everything that can be seen is compared with what it
//! was before; here is what shows only later.)

use redrive_core::{Priority, QueueName, Span, Status};
use redrive_model::{
    ClaimHolder, CreateQueue, Cursor, DeleteQueue, EndReason, GetConservation, GetKey, GetQueue, KeyCondition,
    KeyWrite, NewItem, NewLetter, Produce, QueueSettings, ReadChanges, Rejection, SettleAction, WriteKeys,
};

use super::waiting::vanish_before_reading;
use crate::conformance::bed::{Bed, lease_of};
use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, complete, dead, failure, failure_due, failure_for_good, failure_of_offset, item_at,
    item_named, item_of, payload, payloads, refusal, retry,
};

pub(in crate::conformance) async fn a_lease_survives(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["kept", "lost"]).await;
    let held = bed.lease(&orders, 2).await;
    if !bed.reopen().await {
        return;
    }
    bed.assert_nothing_to_lease(&orders).await;
    bed.complete(&orders, held.items[0].info.id).await.expect("its holder still has it");
    bed.advance(MINUTE.saturating_add(INSTANT));
    let again = bed.lease_one(&orders).await;
    assert_eq!((payload(&again).as_str(), again.info.attempts), ("lost", 2));
}

pub(in crate::conformance) async fn answers_that_nobody_read_before_the_end_give_their_items_back(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    let store = bed.store();
    vanish_before_reading(bed, &orders, store.lease(lease_of(&orders, 1, HOUR)), async {
        vanish_before_reading(bed, &others, store.lease(lease_of(&others, 1, HOUR)), async {
            bed.produce(&orders, &["a"]).await;
            bed.produce(&others, &["b"]).await;
        })
        .await;
    })
    .await;
    drop(store);
    let was_closed = bed.reopen().await;
    for queue in [orders, others] {
        if was_closed {
            assert_eq!(bed.numbers(&queue).await, (1, 0, 0), "an item of {queue} is held by nobody");
        }
        let leased = bed.wait(&queue, 1).await.got().await;
        assert_eq!(leased.items[0].info.attempts, 1, "nobody has tried it");
    }
}

pub(in crate::conformance) async fn a_schedule_survives(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_at("a", bed.after(HOUR))).await;
    if !bed.reopen().await {
        return;
    }
    let waiter = bed.wait(&orders, 1).await;
    bed.advance(HOUR.saturating_sub(INSTANT));
    waiter.assert_waits(bed).await;
    // Nothing is early, also when the store was closed until then.
    waiter.vanish(bed).await;
    bed.reopen().await;
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(INSTANT);
    assert_eq!(payload(&bed.lease_one(&orders).await), "a");
}

pub(in crate::conformance) async fn what_fell_due_meanwhile_happens_at_once(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["lost", "expired"]).await;
    bed.produce_one(&orders, item_at("due", bed.after(DAY.saturating_mul(2)))).await;
    bed.lease(&orders, 1).await;
    // The clock moves while nobody looks.
    let store = bed.store();
    store.close().await.unwrap();
    bed.advance(DAY.saturating_mul(2));
    if !bed.reopen().await {
        bed.close().await;
        return;
    }
    let mut died = payloads(&bed.items(&dead_queue, 0).await);
    died.sort();
    assert_eq!(died, ["expired", "lost"]);
    assert_eq!(payload(&bed.lease_one(&orders).await), "due");
}

pub(in crate::conformance) async fn ids_go_on_increasing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let before = bed.produce(&orders, &["a"]).await[0];
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, complete()).await;
    if !bed.reopen().await {
        return;
    }
    let same_second = bed.produce(&orders, &["b"]).await[0];
    assert!(same_second > before);
    bed.clock.set(bed.now().saturating_sub(DAY));
    bed.reopen().await;
    let stepped_back = bed.produce(&orders, &["c"]).await[0];
    assert!(stepped_back > same_second);
    assert_eq!(payloads(&bed.lease(&orders, 2).await.items), ["b", "c"]);
}

pub(in crate::conformance) async fn stale_ids_stay_stale(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    let held = bed.lease(&orders, 2).await;
    let [done, retried] = [held.items[0].info.id, held.items[1].info.id];
    bed.complete(&orders, done).await.unwrap();
    bed.settle(&orders, retried, retry()).await.unwrap();
    if !bed.reopen().await {
        return;
    }
    bed.produce(&orders, &["c"]).await;
    bed.lease(&orders, 2).await;
    for id in [done, retried] {
        assert_eq!(refusal(bed.complete(&orders, id).await), Rejection::NoSuchItem(id));
    }
}

pub(in crate::conformance) async fn message_ids_and_messages_are_still_known(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    let id = bed.produce_one(&orders, item_named("a", "m-1")).await;
    let letter = bed.capture(&dead_queue, failure_of_offset("f-1", 42)).await.letter;
    let finished = bed.capture(&dead_queue, failure_of_offset("f-2", 43)).await.letter;
    bed.archive(&dead_queue, finished).await;
    if !bed.reopen().await {
        return;
    }
    assert_eq!(bed.produce_one(&orders, item_named("again", "m-1")).await, id);
    assert_eq!(bed.capture(&dead_queue, failure_of_offset("other", 42)).await.letter, letter);
    assert_eq!(bed.capture(&dead_queue, failure_of_offset("f-2", 43)).await.letter, finished);
    assert_eq!(bed.capture(&dead_queue, failure("f-2")).await.generation, 2);
}

pub(in crate::conformance) async fn a_claim_survives_and_is_lost_in_time(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    if !bed.reopen().await {
        return;
    }
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Retrying);
    assert!(bed.claim(&dead_queue, 1).await.is_empty());
    bed.settle(&dead_queue, held.info.id, SettleAction::Release).await.expect("its holder still has it");
    bed.claim_one(&dead_queue).await;
    bed.reopen().await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.retries, info.is_outcome_unknown), (1, true));
}

pub(in crate::conformance) async fn who_holds_a_letter_survives(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let claimed = bed.capture(&dead_queue, failure_due("claimed")).await.letter;
    bed.claim_one(&dead_queue).await;
    let by_hand = bed.capture(&dead_queue, failure("by hand")).await.letter;
    bed.claim_by_hand(&dead_queue, by_hand).await.unwrap();
    let leased = bed.capture(&dead_queue, failure_for_good("leased")).await.letter;
    bed.lease_one(&dead_queue).await;
    for _ in 0..2 {
        for (letter, holder) in
            [(claimed, ClaimHolder::Server), (by_hand, ClaimHolder::Server), (leased, ClaimHolder::Caller)]
        {
            let info = bed.info(&dead_queue, letter).await;
            assert_eq!(info.before.map(|before| before.holder), Some(holder));
        }
        bed.reopen().await;
    }
}

pub(in crate::conformance) async fn the_order_of_partitions_survives(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    for count in [1, 3, 2, 4] {
        bed.produce_many(&orders, count).await;
    }
    let twin = bed.queue_with("twin", |settings| settings.partitions = 3).await;
    for count in [1, 3, 2, 4] {
        bed.produce_many(&twin, count).await;
    }
    let before = [bed.lease(&twin, 1).await.partition, bed.lease(&twin, 3).await.partition];
    let produced = bed.produce_many(&twin, 1).await;
    if !bed.reopen().await {
        return;
    }
    let after = [bed.lease(&orders, 1).await.partition, bed.lease(&orders, 3).await.partition];
    assert_eq!((after, bed.produce_many(&orders, 1).await), (before, produced), "as if nothing had happened");
}

pub(in crate::conformance) async fn the_turns_of_priorities_survive(bed: &Bed) {
    let orders = bed.queue("orders").await;
    for priority in [Priority::Low, Priority::Medium, Priority::High] {
        let items = (0..13).map(|_| item_of("a", priority)).collect();
        bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    }
    let mut counts = [0; 3];
    for turn in 0..13 {
        if turn % 4 == 3 && !bed.reopen().await {
            return;
        }
        counts[bed.lease_one(&orders).await.info.priority as usize] += 1;
    }
    assert_eq!(counts, [8, 4, 1]);
}

pub(in crate::conformance) async fn stranded_items_survive(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce(&orders, &["a"]).await;
    bed.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: true }).await.unwrap();
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, dead()).await;
    if !bed.reopen().await {
        return;
    }
    bed.store().create_queue(CreateQueue { settings: QueueSettings::new(dead_queue.clone()) }).await.unwrap();
    bed.advance(MINUTE);
    assert_eq!(payloads(&bed.items(&dead_queue, 0).await), ["a"]);
}

pub(in crate::conformance) async fn a_deleted_queue_stays_deleted(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_many(&orders, 20).await;
    bed.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    if !bed.reopen().await {
        return;
    }
    assert_eq!(
        refusal(bed.store().queue(GetQueue { name: orders.clone() }).await),
        Rejection::NoSuchQueue(orders.clone())
    );
    bed.queue("orders").await;
    bed.assert_nothing_to_lease(&orders).await;
}

pub(in crate::conformance) async fn cleared_items_stay_cleared(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_many(&orders, 20).await;
    let held = bed.lease(&orders, 1).await;
    let clear = redrive_model::Clear { queue: orders.clone(), ready: true, destructive: false, scheduled: false };
    assert_eq!(bed.store().clear(clear).await.unwrap(), 19);
    bed.produce(&orders, &["new"]).await;
    if !bed.reopen().await {
        return;
    }
    assert_eq!(payloads(&bed.lease(&orders, 9).await.items), ["new"]);
    bed.settle_leased(&orders, &held, complete()).await;
}

pub(in crate::conformance) async fn keys_and_their_versions_survive(bed: &Bed) {
    let put = |value: &'static str, condition| KeyWrite { key: "a".into(), value: Some(value.into()), condition };
    bed.store().write_keys(WriteKeys { writes: vec![put("1", KeyCondition::Any)] }).await.unwrap();
    let before = bed.store().key(GetKey { key: "a".into() }).await.unwrap().expect("it was put");
    if !bed.reopen().await {
        return;
    }
    let after = bed.store().key(GetKey { key: "a".into() }).await.unwrap();
    assert_eq!(after, Some(before.clone()));
    bed.store().write_keys(WriteKeys { writes: vec![put("2", KeyCondition::Version(before.version))] }).await.unwrap();
    let refused =
        bed.store().write_keys(WriteKeys { writes: vec![put("3", KeyCondition::Version(before.version))] }).await;
    assert!(matches!(refusal(refused), Rejection::KeyChanged { .. }));
}

pub(in crate::conformance) async fn the_feed_and_its_readers_survive(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let read = async |after| {
        let changes = ReadChanges { cursor: "search".to_owned(), after, limit: 100, wait: redrive_core::Span::ZERO };
        bed.store().changes(changes).await.unwrap()
    };
    bed.store().cursor(Cursor::Register { name: "search".to_owned() }).await.unwrap();
    let first = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let seen = read(None).await.position;
    bed.store().cursor(Cursor::Advance { name: "search".to_owned(), position: seen }).await.unwrap();
    bed.capture(&dead_queue, failure("f-2")).await;
    let purge = redrive_model::Purge { queue: dead_queue.clone(), letters: vec![first] };
    bed.store().purge(purge).await.unwrap();
    let other = bed.queue("other").await;
    bed.capture(&other, failure("f-3")).await;
    bed.store().delete_queue(DeleteQueue { name: other, force: false }).await.unwrap();
    let before = read(None).await;
    assert_eq!(before.changes.len(), 3);
    if !bed.reopen().await {
        return;
    }
    let after = read(None).await;
    assert_eq!((after.position, after.depth), (before.position, before.depth));
    let kinds = |page: &redrive_model::FeedPage| page.changes.iter().map(std::mem::discriminant).collect::<Vec<_>>();
    assert_eq!(kinds(&after), kinds(&before));
    bed.capture(&dead_queue, failure("f-4")).await;
    assert_eq!(read(Some(after.position)).await.changes.len(), 1, "positions go on");
}

/// So much comes and goes that whatever a store does to tidy up, it does.
pub(in crate::conformance) async fn nothing_is_lost_in_long_traffic(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    let dead_queue = bed.queue("dead").await;
    let mut kept: Vec<String> = Vec::new();
    let mut letters = Vec::new();
    for round in 0..60u32 {
        produce_padded(bed, &orders, round).await;
        let first = bed.lease(&orders, 10).await;
        bed.settle_leased(&orders, &first, complete()).await;
        if round % 10 == 0 {
            let new = NewLetter { max_retries: 9, ..failure_due(&format!("f-{round}")) };
            letters.push((round, bed.capture(&dead_queue, new).await.letter));
        }
        if round % 20 == 19 {
            bed.reopen().await;
        }
        bed.advance(Span::from_secs(1));
    }
    for partition in 0..2 {
        kept.extend(bed.items(&orders, partition).await.iter().map(|item| payload(item)[..8].to_owned()));
    }
    let sum = bed.store().conservation(GetConservation).await.unwrap();
    assert_eq!(kept.len(), 120, "twelve come and ten go in each round");
    assert_eq!((sum.arrived, sum.ended), (60 * 12 + 6, 600));
    kept.sort();
    kept.dedup();
    assert_eq!(kept.len(), 120, "each is there once");
    for (round, letter) in letters {
        let record = bed.record(&dead_queue, letter).await;
        assert_eq!(payload(&record), format!("the work of f-{round}"));
        assert_eq!(record.attempts.len(), 1);
    }
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Completed), 600);
}

async fn produce_padded(bed: &Bed, queue: &QueueName, round: u32) {
    let items = (0..12).map(|number| NewItem::of_payload(format!("{round:04}{number:04}{}", "x".repeat(3_000))));
    bed.produce_items(queue, items.collect()).await;
}
