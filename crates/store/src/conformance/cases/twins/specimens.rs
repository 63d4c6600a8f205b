//! Items in every phase: plain, letters, without attempts left, expired, for their hand-over only.

use std::sync::Arc;

use redrive_core::{Outcome, QueueName, RetryPolicy, Span, Time, Trigger};
use redrive_model::{
    Attempt, Content, DeadCause, DeathReason, DeleteQueue, Import, ImportItem, Item, NewItem, NewLetter, Phase,
    RetryAt, SettleAction, UpdateQueue,
};

use super::RuleModel;
use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::{HOUR, MINUTE, SECOND, START, failure, payload, retry_at};

/// The time of the operations: expired specimens have expired, and leased or scheduled ones still are.
pub(super) const NOW: Time = START.saturating_add(Span::from_secs(40));
/// The time at which leases expire and scheduled items are due.
const LATER: Time = START.saturating_add(MINUTE);
const ATTEMPTS_MAX: u32 = 3;
/// Shorter than the remaining time of any lease.
pub(super) const BRIEF: Span = Span::from_secs(10);

/// The queues of the specimens.
pub(super) struct TestQueues {
    /// Has the dead queue `dead`.
    pub(super) orders: QueueName,
    pub(super) dead: QueueName,
    /// Has a missing dead queue.
    pub(super) lost: QueueName,
    pub(super) missing: QueueName,
}

/// Creates all specimens and sets the clock to [`NOW`].
pub(super) async fn make(fixture: &StoreFixture) -> (TestQueues, RuleModel<'_>) {
    let queues = queues(fixture).await;
    plain_items(fixture, &queues.orders).await;
    letters(fixture, &queues.dead).await;
    letters_that_expire(fixture, &queues.dead).await;
    stranded_items(fixture, &queues.lost).await;
    fixture.clock.set(NOW);
    // The store does due transitions before it answers.
    fixture.stats(&queues.orders).await;
    let mut model = RuleModel::new(fixture).await;
    // The store shows only the phase of a stranded item.
    for (name, reason) in [
        ("stranded, given up", DeathReason::GivenUp),
        ("stranded, spent", DeathReason::MaxAttempts),
        ("stranded, expired", DeathReason::Expired),
        ("stranded, for its hand-over", DeathReason::GivenUp),
    ] {
        let item = &mut model.items.get_mut(name).unwrap().item;
        item.at = NOW.saturating_add(Span::from_secs(5));
        item.rare_mut().death = Some(reason);
    }
    // The store shows the attempts of an item once it is a letter.
    let unreported = Attempt::ended(Trigger::Automatic, Outcome::Failure, START);
    for (name, attempts) in [
        ("ready, for its hand-over", 1),
        ("leased, for its hand-over", 1),
        ("scheduled, for its hand-over", 2),
        ("stranded, given up", 1),
        ("stranded, for its hand-over", 2),
        ("stranded, spent", ATTEMPTS_MAX as usize),
    ] {
        model.items.get_mut(name).unwrap().shown.attempts = vec![unreported.clone(); attempts];
    }
    assert_complete(&model);
    (queues, model)
}

/// Checks that there is a specimen in each phase, except for damaged ones, which no caller can create.
fn assert_complete(model: &RuleModel<'_>) {
    let has = |is_it: &dyn Fn(&Item) -> bool| model.items.values().any(|modeled| is_it(&modeled.item));
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

async fn queues(fixture: &StoreFixture) -> TestQueues {
    let dead = fixture
        .queue_with("dead", |settings| {
            settings.max_attempts = ATTEMPTS_MAX;
            settings.lease_timeout = BRIEF;
            settings.letters.letters_expire = Some(true);
            settings.letters.auto_archive = Some(Span::from_mins(30));
            settings.letters.completed_retention = Some(HOUR);
            settings.letters.archive_retention = Some(Span::from_hours(2));
        })
        .await;
    let missing = fixture.queue("missing").await;
    let with_dead = |name: &'static str, dead: QueueName| {
        fixture.queue_with(name, |settings| {
            settings.dead_queue = Some(dead);
            settings.max_attempts = ATTEMPTS_MAX;
        })
    };
    let orders = with_dead("orders", dead.clone()).await;
    let lost = with_dead("lost", missing.clone()).await;
    fixture.store().delete_queue(DeleteQueue { name: missing.clone(), force: true }).await.unwrap();
    TestQueues { orders, dead, lost, missing }
}

async fn plain_items(fixture: &StoreFixture, orders: &QueueName) {
    hand_over_items(fixture, orders).await;
    let mut items = Vec::new();
    for (phase, lease_deadline, enqueue_at) in
        [("ready", None, None), ("leased", Some(LATER), None), ("scheduled", None, Some(LATER))]
    {
        // An item that is not leased is removed as soon as it has expired: this is the last instant before.
        let expires_at = if phase == "leased" { NOW.saturating_sub(SECOND) } else { NOW };
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
    // It dies while a live letter has its source id.
    items.push(ImportItem {
        content: Arc::new(Content::of_payload("leased, spent, with the source id of a letter")),
        source_id: Some("letter, ready".into()),
        is_leased: true,
        lease_deadline: Some(LATER),
        attempts: ATTEMPTS_MAX,
        ..ImportItem::default()
    });
    fixture.store().import(Import { queue: orders.clone(), partition: 0, items }).await.unwrap();
}

/// Called while the queue is empty, so that the leases return these items.
async fn hand_over_items(fixture: &StoreFixture, orders: &QueueName) {
    fixture
        .produce(orders, &["ready, for its hand-over", "leased, for its hand-over", "scheduled, for its hand-over"])
        .await;
    let leased = fixture.lease(orders, 3).await;
    fixture.settle_leased(orders, &leased, redeliver()).await;
    let again = fixture.lease(orders, 3).await;
    for item in &again.items {
        match payload(item).as_str() {
            "ready, for its hand-over" => fixture.settle(orders, item.info.id, SettleAction::Release).await.unwrap(),
            "scheduled, for its hand-over" => fixture.settle(orders, item.info.id, retry_at(LATER)).await.unwrap(),
            _ => {}
        }
    }
}

const fn redeliver() -> SettleAction {
    SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None }
}

const fn retry() -> SettleAction {
    SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true }
}

fn letter(name: &str, policy: RetryPolicy) -> NewLetter {
    NewLetter { content: Arc::new(Content::of_payload(name.to_owned())), policy, max_retries: 10, ..failure(name) }
}

/// Captures a letter that is never due.
async fn unscheduled(fixture: &StoreFixture, dead: &QueueName, name: &str) -> redrive_core::LetterId {
    fixture.capture(dead, letter(name, RetryPolicy::Never)).await.letter
}

async fn letters(fixture: &StoreFixture, dead: &QueueName) {
    unscheduled(fixture, dead, "letter, ready").await;
    let exhausted = NewLetter { max_retries: 0, ..letter("letter, exhausted", RetryPolicy::Immediate) };
    fixture.capture(dead, exhausted).await;
    let claim = async |letter| fixture.claim_by_hand(dead, letter).await.unwrap().info.id;

    claim(unscheduled(fixture, dead, "letter, leased").await).await;
    let scheduled = claim(unscheduled(fixture, dead, "letter, scheduled").await).await;
    fixture.settle(dead, scheduled, retry_at(LATER)).await.unwrap();
    let handed_over = claim(unscheduled(fixture, dead, "letter, ready, for its hand-over").await).await;
    fixture.settle(dead, handed_over, redeliver()).await.unwrap();
    let leased = unscheduled(fixture, dead, "letter, leased, for its hand-over").await;
    let held = claim(leased).await;
    fixture.settle(dead, held, redeliver()).await.unwrap();
    claim(leased).await;

    for (name, is_leased) in [("letter, leased, spent", true), ("letter, ready, spent", false)] {
        let spent = unscheduled(fixture, dead, name).await;
        for attempt in 1..=ATTEMPTS_MAX {
            let id = claim(spent).await;
            if attempt < ATTEMPTS_MAX || !is_leased {
                fixture.settle(dead, id, retry()).await.unwrap();
            }
        }
    }

    let completed = claim(unscheduled(fixture, dead, "letter, completed").await).await;
    fixture.complete(dead, completed).await.unwrap();
    let archived = unscheduled(fixture, dead, "letter, archived").await;
    fixture.archive(dead, archived).await;
    let archived = unscheduled(fixture, dead, "letter, archived while leased").await;
    claim(archived).await;
    fixture.archive(dead, archived).await;

    // Each is claimed while no other letter is due.
    fixture.capture(dead, letter("letter, leased automatically", RetryPolicy::Immediate)).await;
    fixture.claim_one(dead).await;
    fixture.capture(dead, letter("letter, due, for its hand-over", RetryPolicy::Immediate)).await;
    let automatic = fixture.claim_one(dead).await.info.id;
    fixture.settle(dead, automatic, redeliver()).await.unwrap();
    fixture.capture(dead, letter("letter, due", RetryPolicy::Immediate)).await;
}

async fn letters_that_expire(fixture: &StoreFixture, dead: &QueueName) {
    let expire = async |at: Time| {
        let update = UpdateQueue { expire_timeout: Some(at.since(fixture.now())), ..UpdateQueue::of(dead.clone()) };
        fixture.store().update_queue(update).await.unwrap();
    };
    let before = START.saturating_add(Span::from_secs(35));
    expire(before).await;
    fixture.capture(dead, letter("letter, due, expired", RetryPolicy::Immediate)).await;
    let leased = unscheduled(fixture, dead, "letter, leased, expired").await;
    fixture.claim_by_hand(dead, leased).await.unwrap();
    let scheduled = unscheduled(fixture, dead, "letter, scheduled, expired").await;
    let id = fixture.claim_by_hand(dead, scheduled).await.unwrap().info.id;
    fixture.settle(dead, id, retry_at(LATER)).await.unwrap();
    expire(NOW).await;
    unscheduled(fixture, dead, "letter, ready, expired").await;
    expire(START.saturating_add(Span::from_hours(24))).await;
}

async fn stranded_items(fixture: &StoreFixture, lost: &QueueName) {
    let given_up = SettleAction::Dead { attempt: None, why: DeadCause::Permanent };
    let lease_one = async || fixture.lease_one(lost).await.info.id;
    fixture.produce(lost, &["stranded, given up"]).await;
    fixture.settle(lost, lease_one().await, given_up.clone()).await.unwrap();
    fixture.produce(lost, &["stranded, for its hand-over"]).await;
    fixture.settle(lost, lease_one().await, redeliver()).await.unwrap();
    fixture.settle(lost, lease_one().await, given_up).await.unwrap();
    fixture.produce(lost, &["stranded, spent"]).await;
    for _ in 0..ATTEMPTS_MAX {
        fixture.settle(lost, lease_one().await, retry()).await.unwrap();
    }
    let expired = NewItem { expire_after: Some(SECOND), ..NewItem::of_payload("stranded, expired") };
    fixture.produce_one(lost, expired).await;
}
