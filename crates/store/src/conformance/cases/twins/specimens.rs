//! Items in every phase: plain, letters, spent, expired, for their hand-over only.

use std::sync::Arc;

use redrive_core::{QueueName, RetryPolicy, Span, Time};
use redrive_model::{
    Content, DeadCause, DeathReason, DeleteQueue, Import, ImportItem, Item, NewItem, NewLetter, Phase, RetryAt,
    SettleAction, UpdateQueue,
};

use super::Rulebook;
use crate::conformance::bed::Bed;
use crate::conformance::words::{HOUR, MINUTE, SECOND, START, failure, payload, retry_at};

/// When the verbs are called: what expires earlier has expired, and what is leased or scheduled still is.
pub(super) const NOW: Time = START.saturating_add(Span::from_secs(40));
/// When leases end and scheduled items are due.
const LATER: Time = START.saturating_add(MINUTE);
const ATTEMPTS_MAX: u32 = 3;
/// Shorter than what is left of any lease.
pub(super) const BRIEF: Span = Span::from_secs(10);

/// Where the specimens are.
pub(super) struct Places {
    /// Its dead go to `dead`.
    pub(super) orders: QueueName,
    pub(super) dead: QueueName,
    /// Its dead queue is missing.
    pub(super) lost: QueueName,
    pub(super) missing: QueueName,
}

/// Makes all of them; it is [`NOW`] afterwards.
pub(super) async fn make(bed: &Bed) -> (Places, Rulebook<'_>) {
    let places = queues(bed).await;
    plain_items(bed, &places.orders).await;
    letters(bed, &places.dead).await;
    letters_that_expire(bed, &places.dead).await;
    stranded_items(bed, &places.lost).await;
    bed.clock.set(NOW);
    // The store does what is due before it answers.
    bed.stats(&places.orders).await;
    let mut book = Rulebook::new(bed).await;
    // Of a stranded item, only its phase is shown.
    for (name, reason) in [
        ("stranded, given up", DeathReason::GivenUp),
        ("stranded, spent", DeathReason::MaxAttempts),
        ("stranded, expired", DeathReason::Expired),
        ("stranded, for its hand-over", DeathReason::GivenUp),
    ] {
        let item = &mut book.items.get_mut(name).unwrap().item;
        item.at = NOW.saturating_add(Span::from_secs(5));
        item.rare_mut().death = Some(reason);
    }
    assert_complete(&book);
    (places, book)
}

/// There is no phase without a specimen, but that of a damaged record: no caller can damage one.
fn assert_complete(book: &Rulebook<'_>) {
    let has = |is_it: &dyn Fn(&Item) -> bool| book.items.values().any(|ruled| is_it(&ruled.item));
    for phase in Phase::ALL.into_iter().filter(|phase| *phase != Phase::Damaged) {
        let is_of_letters = matches!(phase, Phase::Due | Phase::Finished);
        let is_plain = |item: &Item| item.phase == phase && item.letter().is_none();
        assert!(is_of_letters || has(&is_plain), "no plain item is {phase:?}");
        let is_letter = |item: &Item| item.phase == phase && item.letter().is_some();
        assert!(phase == Phase::Stranded || has(&is_letter), "no letter is {phase:?}");
        let is_over = phase == Phase::Finished;
        assert!(is_over || has(&|item| item.phase == phase && item.is_hand_over_only), "hand-over: {phase:?}");
        assert!(is_over || has(&|item| item.phase == phase && item.expires_at <= NOW), "expired: {phase:?}");
        let is_spent = |item: &Item| item.phase == phase && item.attempts >= ATTEMPTS_MAX;
        assert!(is_over || phase == Phase::Due || has(&is_spent), "spent: {phase:?}");
    }
}

async fn queues(bed: &Bed) -> Places {
    let dead = bed
        .queue_with("dead", |settings| {
            settings.max_attempts = ATTEMPTS_MAX;
            settings.lease_timeout = BRIEF;
            settings.letters.letters_expire = Some(true);
            settings.letters.auto_archive = Some(Span::from_mins(30));
            settings.letters.completed_retention = Some(HOUR);
            settings.letters.archive_retention = Some(Span::from_hours(2));
        })
        .await;
    let missing = bed.queue("missing").await;
    let with_dead = |name: &'static str, dead: QueueName| {
        bed.queue_with(name, |settings| {
            settings.dead_queue = Some(dead);
            settings.max_attempts = ATTEMPTS_MAX;
        })
    };
    let orders = with_dead("orders", dead.clone()).await;
    let lost = with_dead("lost", missing.clone()).await;
    bed.store().delete_queue(DeleteQueue { name: missing.clone(), force: true }).await.unwrap();
    Places { orders, dead, lost, missing }
}

async fn plain_items(bed: &Bed, orders: &QueueName) {
    hand_over_items(bed, orders).await;
    let mut items = Vec::new();
    for (phase, lease_deadline, enqueue_at) in
        [("ready", None, None), ("leased", Some(LATER), None), ("scheduled", None, Some(LATER))]
    {
        // An item that is ready and has expired is gone at once: this is the last instant before that.
        let expires_at = if phase == "ready" { NOW } else { NOW.saturating_sub(SECOND) };
        let item = |kind: &str| ImportItem {
            content: Arc::new(Content::of_payload(format!("{phase}, {kind}"))),
            is_leased: lease_deadline.is_some(),
            lease_deadline,
            enqueue_at,
            ..ImportItem::default()
        };
        items.push(item("plain"));
        items.push(ImportItem { attempts: ATTEMPTS_MAX, ..item("spent") });
        items.push(ImportItem { expires_at: Some(expires_at), ..item("expired") });
        items.push(ImportItem { attempts: ATTEMPTS_MAX, expires_at: Some(expires_at), ..item("spent and expired") });
        items.push(ImportItem { source_id: Some(format!("{phase}, named").into()), ..item("named") });
    }
    // It dies while a live letter has its name.
    items.push(ImportItem {
        content: Arc::new(Content::of_payload("leased, spent, with the name of a letter")),
        source_id: Some("letter, ready".into()),
        is_leased: true,
        lease_deadline: Some(LATER),
        attempts: ATTEMPTS_MAX,
        ..ImportItem::default()
    });
    bed.store().import(Import { queue: orders.clone(), partition: 0, items }).await.unwrap();
}

/// While nothing else is in the queue: a lease gives what is there.
async fn hand_over_items(bed: &Bed, orders: &QueueName) {
    bed.produce(orders, &["ready, for its hand-over", "leased, for its hand-over", "scheduled, for its hand-over"])
        .await;
    let leased = bed.lease(orders, 3).await;
    bed.settle_leased(orders, &leased, redeliver()).await;
    let again = bed.lease(orders, 3).await;
    for item in &again.items {
        match payload(item).as_str() {
            "ready, for its hand-over" => bed.settle(orders, item.info.id, SettleAction::Release).await.unwrap(),
            "scheduled, for its hand-over" => bed.settle(orders, item.info.id, retry_at(LATER)).await.unwrap(),
            _ => {}
        }
    }
}

const fn redeliver() -> SettleAction {
    SettleAction::RedeliverForHandOver { attempt: None }
}

const fn retry() -> SettleAction {
    SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true }
}

fn letter(name: &str, policy: RetryPolicy) -> NewLetter {
    NewLetter { content: Arc::new(Content::of_payload(name.to_owned())), policy, max_retries: 10, ..failure(name) }
}

/// A letter for which only a person can ask.
async fn quiet(bed: &Bed, dead: &QueueName, name: &str) -> redrive_core::LetterId {
    bed.capture(dead, letter(name, RetryPolicy::Never)).await.letter
}

async fn letters(bed: &Bed, dead: &QueueName) {
    quiet(bed, dead, "letter, ready").await;
    let exhausted = NewLetter { max_retries: 0, ..letter("letter, exhausted", RetryPolicy::Immediate) };
    bed.capture(dead, exhausted).await;
    let claim = async |letter| bed.claim_by_hand(dead, letter).await.unwrap().info.id;

    claim(quiet(bed, dead, "letter, leased").await).await;
    let scheduled = claim(quiet(bed, dead, "letter, scheduled").await).await;
    bed.settle(dead, scheduled, retry_at(LATER)).await.unwrap();
    let handed_over = claim(quiet(bed, dead, "letter, ready, for its hand-over").await).await;
    bed.settle(dead, handed_over, redeliver()).await.unwrap();
    let leased = quiet(bed, dead, "letter, leased, for its hand-over").await;
    let held = claim(leased).await;
    bed.settle(dead, held, redeliver()).await.unwrap();
    claim(leased).await;

    for (name, is_leased) in [("letter, leased, spent", true), ("letter, ready, spent", false)] {
        let spent = quiet(bed, dead, name).await;
        for attempt in 1..=ATTEMPTS_MAX {
            let id = claim(spent).await;
            if attempt < ATTEMPTS_MAX || !is_leased {
                bed.settle(dead, id, retry()).await.unwrap();
            }
        }
    }

    let completed = claim(quiet(bed, dead, "letter, completed").await).await;
    bed.complete(dead, completed).await.unwrap();
    let archived = quiet(bed, dead, "letter, archived").await;
    bed.archive(dead, archived).await;
    let archived = quiet(bed, dead, "letter, archived while leased").await;
    claim(archived).await;
    bed.archive(dead, archived).await;

    // Each is claimed while no other is due.
    bed.capture(dead, letter("letter, leased automatically", RetryPolicy::Immediate)).await;
    bed.claim_one(dead).await;
    bed.capture(dead, letter("letter, due, for its hand-over", RetryPolicy::Immediate)).await;
    let automatic = bed.claim_one(dead).await.info.id;
    bed.settle(dead, automatic, redeliver()).await.unwrap();
    bed.capture(dead, letter("letter, due", RetryPolicy::Immediate)).await;
}

async fn letters_that_expire(bed: &Bed, dead: &QueueName) {
    let expire = async |at: Time| {
        let update = UpdateQueue { expire_timeout: Some(at.since(bed.now())), ..UpdateQueue::of(dead.clone()) };
        bed.store().update_queue(update).await.unwrap();
    };
    let before = START.saturating_add(Span::from_secs(35));
    expire(before).await;
    bed.capture(dead, letter("letter, due, expired", RetryPolicy::Immediate)).await;
    let leased = quiet(bed, dead, "letter, leased, expired").await;
    bed.claim_by_hand(dead, leased).await.unwrap();
    let scheduled = quiet(bed, dead, "letter, scheduled, expired").await;
    let id = bed.claim_by_hand(dead, scheduled).await.unwrap().info.id;
    bed.settle(dead, id, retry_at(LATER)).await.unwrap();
    expire(NOW).await;
    quiet(bed, dead, "letter, ready, expired").await;
    expire(START.saturating_add(Span::from_hours(24))).await;
}

async fn stranded_items(bed: &Bed, lost: &QueueName) {
    let given_up = SettleAction::Dead { attempt: None, why: DeadCause::Permanent };
    let lease_one = async || bed.lease_one(lost).await.info.id;
    bed.produce(lost, &["stranded, given up"]).await;
    bed.settle(lost, lease_one().await, given_up.clone()).await.unwrap();
    bed.produce(lost, &["stranded, for its hand-over"]).await;
    bed.settle(lost, lease_one().await, redeliver()).await.unwrap();
    bed.settle(lost, lease_one().await, given_up).await.unwrap();
    bed.produce(lost, &["stranded, spent"]).await;
    for _ in 0..ATTEMPTS_MAX {
        bed.settle(lost, lease_one().await, retry()).await.unwrap();
    }
    let expired = NewItem { expire_after: Some(SECOND), ..NewItem::of_payload("stranded, expired") };
    bed.produce_one(lost, expired).await;
}
