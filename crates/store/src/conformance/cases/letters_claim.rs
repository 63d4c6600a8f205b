//! Retrying letters: claims, outcomes and their records.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Span, Status, Time, Trigger};
use redrive_model::{
    Attempt, Cause, DeadCause, EndReason, Event, Extend, ItemState, NewLetter, Rejection, RetryAt, SettleAction,
    StoredItem,
};

use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, SECOND, attempt, complete, failed, failure, failure_due, failure_for_good, payload,
    payloads, rejection, retry, retry_at,
};

fn letter(stored: &StoredItem) -> &redrive_model::LetterInfo {
    stored.info.letter.as_ref().expect("a letter")
}

/// Claims the only due letter and reports a failure.
async fn fail_once(fixture: &StoreFixture, queue: &QueueName) {
    let held = fixture.claim_one(queue).await;
    fixture.settle(queue, held.info.id, failed("again", Category::Network)).await.unwrap();
}

// Claims

pub(in crate::conformance) async fn a_letter_is_never_claimed_early(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert!(fixture.claim(&dead_queue, 1).await.is_empty());
    fixture.advance(INSTANT);
    let held = fixture.claim_one(&dead_queue).await;
    assert_eq!(payload(&held), "the work of f-1");
    assert_eq!(held.info.state, ItemState::Leased { deadline: fixture.after(MINUTE) });
    assert_eq!((letter(&held).status, letter(&held).trigger), (Status::Retrying, Trigger::Automatic));
    assert_eq!((held.info.attempts, letter(&held).next_retry_at), (1, None));
    assert!(fixture.claim(&dead_queue, 1).await.is_empty(), "one claim at a time");
}

pub(in crate::conformance) async fn a_claim_gives_a_new_id(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let captured = fixture.capture(&dead_queue, failure_due("f-1")).await;
    let before = fixture.record(&dead_queue, captured.letter).await.info.id;
    let held = fixture.claim_one(&dead_queue).await;
    assert!(held.info.id > before);
    assert_eq!(letter(&held).id, captured.letter, "the letter's own id stays");
}

pub(in crate::conformance) async fn earlier_due_letters_come_first(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, NewLetter { policy: RetryPolicy::Linear, ..failure("third") }).await;
    fixture.capture(&dead_queue, failure("second")).await;
    fixture.capture(&dead_queue, failure_due("first")).await;
    fixture.advance(HOUR);
    let all = payloads(&fixture.claim_all(&dead_queue).await);
    assert_eq!(all, ["the work of first", "the work of second", "the work of third"]);
}

pub(in crate::conformance) async fn excluded_destinations_are_skipped(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for destination in ["a", "b", "c"] {
        let new = NewLetter { destination: destination.into(), ..failure_due(destination) };
        fixture.capture(&dead_queue, new).await;
    }
    let claimed = fixture.claim_but(&dead_queue, 1, &["a", "c"]).await;
    assert_eq!(payloads(&claimed), ["the work of b"]);
    assert!(fixture.claim_but(&dead_queue, 1, &["a", "c"]).await.is_empty());
    assert_eq!(fixture.claim_all(&dead_queue).await.len(), 2, "they were not lost");
}

pub(in crate::conformance) async fn a_claim_can_be_limited_to_one_destination(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (destination, name) in [("a", "a"), ("b", "b-1"), ("b", "b-2"), ("c", "c")] {
        fixture.capture(&dead_queue, NewLetter { destination: destination.into(), ..failure_due(name) }).await;
    }
    assert_eq!(payloads(&fixture.claim_only(&dead_queue, 1, "b").await), ["the work of b-1"]);
    assert_eq!(payloads(&fixture.claim_only(&dead_queue, 5, "b").await), ["the work of b-2"]);
    assert!(fixture.claim_only(&dead_queue, 5, "b").await.is_empty(), "letters of other destinations are not claimed");
    assert_eq!(fixture.claim_all(&dead_queue).await.len(), 2, "they were not lost");
}

pub(in crate::conformance) async fn priorities_of_letters_share_8_to_4_to_1(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for priority in [Priority::Low, Priority::Medium, Priority::High] {
        for number in 0..13 {
            let new = NewLetter { priority, ..failure_due(&format!("{priority}-{number}")) };
            fixture.capture(&dead_queue, new).await;
        }
    }
    let mut counts = [0; 3];
    for _ in 0..13 {
        let held = fixture.claim_one(&dead_queue).await;
        counts[held.info.priority as usize] += 1;
    }
    assert_eq!(counts, [8, 4, 1], "high, medium, low");
}

pub(in crate::conformance) async fn of_two_claims_one_wins(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    let claims = [fixture.claim_by_hand(&dead_queue, id).await, fixture.claim_by_hand(&dead_queue, id).await];
    let [first, second] = claims;
    assert!(first.is_ok());
    let conflict = Rejection::LetterConflict { letter: id, status: Status::Retrying, verb: "retried" };
    assert_eq!(rejection(second), conflict);
    assert!(fixture.claim(&dead_queue, 1).await.is_empty(), "an automatic claim does not get it either");
    fixture.assert_nothing_to_lease(&dead_queue).await;
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Claimed), 1);
}

pub(in crate::conformance) async fn of_many_claims_at_once_one_wins(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let mut waiters = Vec::new();
    for _ in 0..5 {
        waiters.push(fixture.wait_for_letters(&dead_queue, &[]).await);
    }
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    let first = waiters.remove(0).reply().await;
    assert_eq!(first.len(), 1, "the first claim");
    for waiter in waiters {
        waiter.assert_waits(fixture).await;
        waiter.disconnect(fixture).await;
    }
}

pub(in crate::conformance) async fn a_claim_is_extended_like_a_lease(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    let held = fixture.claim_one(&dead_queue).await.info.id;
    let extend =
        Extend { queue: dead_queue.clone(), partition: None, ids: vec![held], lease: Some(HOUR), may_shorten: false };
    assert_eq!(fixture.store().extend(extend).await, Ok(vec![Ok(fixture.after(HOUR))]));
    fixture.advance(HOUR);
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Retrying);
    fixture.complete(&dead_queue, held).await.unwrap();
}

// Outcomes

pub(in crate::conformance) async fn success_completes_a_letter(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    let record = Attempt::new(Trigger::Automatic, Outcome::Success);
    let verb = SettleAction::Complete { attempt: Some(Box::new(record.clone())) };
    fixture.settle(&dead_queue, held.info.id, verb.clone()).await.unwrap();
    let letter = fixture.record(&dead_queue, id).await;
    assert_eq!(letter.attempts.last(), Some(&record));
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.status, info.ended_at), (Status::Completed, Some(fixture.now())));
    assert_eq!((info.retries, info.total_attempts), (0, 2));
    assert_eq!(rejection(fixture.settle(&dead_queue, held.info.id, verb).await), Rejection::NoSuchItem(held.info.id));
    let stats = fixture.stats(&dead_queue).await;
    assert_eq!((stats.letters.live(), stats.counts.of(Event::LetterCompleted)), (0, 1));
}

pub(in crate::conformance) async fn a_completed_letter_is_kept_for_a_while(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.completed_retention = Some(HOUR)).await;
    let id = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
    fixture.complete_letter(&dead_queue).await;
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Completed);
    fixture.advance(SECOND);
    let get = redrive_model::GetLetter { queue: dead_queue.clone(), letter: id };
    assert_eq!(rejection(fixture.store().letter(get).await), Rejection::NoSuchLetter(id));
    let counts = fixture.stats(&dead_queue).await.counts;
    assert_eq!((counts.ended(EndReason::Completed), counts.ended(EndReason::Purged)), (1, 0));
}

pub(in crate::conformance) async fn failures_wait_longer_each_time_and_end_exhausted(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let policies = [
        (RetryPolicy::Exponential, [1, 2, 4, 8, 16, 32, 60, 60]),
        (RetryPolicy::Linear, [5, 10, 15, 20, 25, 30, 35, 40]),
    ];
    for (policy, minutes) in policies {
        let new = NewLetter { policy, max_retries: 8, ..failure(&policy.to_string()) };
        let id = fixture.capture(&dead_queue, new).await.letter;
        for (number, minutes) in minutes.into_iter().enumerate() {
            let info = fixture.info(&dead_queue, id).await;
            let due = fixture.after(Span::from_mins(minutes));
            assert_eq!((info.status, info.next_retry_at), (Status::Pending, Some(due)), "{policy} {number}");
            assert_eq!((info.retries as usize, info.total_attempts as usize), (number, number + 1));
            fixture.clock.set(due);
            fail_once(fixture, &dead_queue).await;
        }
        let info = fixture.info(&dead_queue, id).await;
        assert_eq!((info.status, info.next_retry_at), (Status::Exhausted, None));
        assert_eq!((info.retries, info.ended_at), (8, Some(fixture.now())));
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 2, "counted on entry, once each");
}

pub(in crate::conformance) async fn an_immediate_letter_waits_a_cycle_after_each_failed_retry(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    assert_eq!(fixture.info(&dead_queue, id).await.next_retry_at, Some(fixture.now()), "at once after its capture");
    // An uncharged failure, a reported one, and a lost claim.
    let held = fixture.claim_one(&dead_queue).await;
    let free = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
    fixture.settle(&dead_queue, held.info.id, free).await.unwrap();
    assert_eq!(fixture.info(&dead_queue, id).await.next_retry_at, Some(fixture.after(MINUTE)));
    fixture.advance(MINUTE);
    fail_once(fixture, &dead_queue).await;
    assert_eq!(fixture.info(&dead_queue, id).await.next_retry_at, Some(fixture.after(MINUTE)));
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert!(fixture.claim_all(&dead_queue).await.is_empty(), "never early");
    fixture.advance(INSTANT);
    fixture.claim_one(&dead_queue).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.info(&dead_queue, id).await.next_retry_at, Some(fixture.after(MINUTE)), "lost");
    fixture.advance(MINUTE);
    fail_once(fixture, &dead_queue).await;
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Exhausted);
}

pub(in crate::conformance) async fn a_later_time_given_by_the_holder_is_kept(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    fixture.settle(&dead_queue, held.info.id, retry_at(fixture.after(HOUR))).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.status, info.next_retry_at), (Status::Pending, Some(fixture.after(HOUR))));
}

pub(in crate::conformance) async fn the_newest_failure_is_shown_and_the_first_is_kept(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure("f-1")).await;
    let failed_at = fixture.now();
    fixture.advance(MINUTE);
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, failed("disk full", Category::Resource)).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!(
        (info.category, info.policy),
        (Category::Resource, RetryPolicy::Exponential),
        "an explicit policy stays"
    );
    assert_eq!((info.first_failed_at, info.last_failed_at), (failed_at, fixture.now()));
    assert_eq!(fixture.stats(&dead_queue).await.failure_groups, 1, "the previous fault has no letters any more");
}

pub(in crate::conformance) async fn a_derived_policy_follows_the_newest_failure(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let new = NewLetter { policy_source: PolicySource::Derived, ..failure("f-1") };
    let id = fixture.capture(&dead_queue, new).await.letter;
    fixture.advance(MINUTE);
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, failed("bad input", Category::Validation)).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.policy, info.status, info.next_retry_at), (RetryPolicy::Never, Status::Pending, None));
}

pub(in crate::conformance) async fn a_partial_success_is_a_failure_with_its_parts(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    let record = Attempt {
        outcome: Outcome::Partial,
        failed_parts: vec!["eu".to_owned()],
        ..attempt("half of it", Category::Network)
    };
    let verb =
        SettleAction::Retry { at: RetryAt::Undecided(None), attempt: Some(Box::new(record.clone())), charged: true };
    fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
    let letter = fixture.record(&dead_queue, id).await;
    assert_eq!(letter.attempts.last(), Some(&record));
    assert_eq!(letter.info.letter.expect("a letter").retries, 1);
}

pub(in crate::conformance) async fn a_deferred_letter_spends_nothing(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Defer { until: fixture.after(HOUR) }).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.status, info.next_retry_at), (Status::Pending, Some(fixture.after(HOUR))));
    assert_eq!((info.retries, info.total_attempts), (0, 1));
    assert_eq!(fixture.record(&dead_queue, id).await.info.attempts, 0);
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert!(fixture.claim(&dead_queue, 1).await.is_empty(), "never early");
    fixture.advance(INSTANT);
    fixture.claim_one(&dead_queue).await;
}

pub(in crate::conformance) async fn a_released_letter_is_due_as_it_was(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure("f-1")).await;
    let due = fixture.after(MINUTE);
    fixture.advance(HOUR);
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.status, info.next_retry_at, info.retries), (Status::Pending, Some(due), 0));
    assert_eq!(fixture.claim_one(&dead_queue).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_lost_claim_counts_and_is_recorded(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    fixture.advance(MINUTE);
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Retrying, "strictly after its time");
    fixture.advance(INSTANT);
    let letter = fixture.record(&dead_queue, id).await;
    assert_eq!(letter.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Lost));
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.status, info.retries, info.total_attempts), (Status::Pending, 1, 2));
    assert!(info.is_outcome_unknown);
    assert_eq!(rejection(fixture.complete(&dead_queue, held.info.id).await), Rejection::NoSuchItem(held.info.id));
}

pub(in crate::conformance) async fn a_claim_whose_holder_is_gone_is_lost_at_once(fixture: &StoreFixture) {
    let (dead_queue, id, held) = fixture.claimed(failure_due("f-1")).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Lost).await.unwrap();
    let letter = fixture.record(&dead_queue, id).await;
    assert_eq!(letter.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Lost));
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.status, info.retries, info.total_attempts), (Status::Pending, 1, 2));
    assert!(info.is_outcome_unknown);
    assert_eq!(rejection(fixture.complete(&dead_queue, held.info.id).await), Rejection::NoSuchItem(held.info.id));
}

pub(in crate::conformance) async fn lost_claims_exhaust_a_letter(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    for _ in 0..3 {
        fixture.claim_one(&dead_queue).await;
        fixture.advance(MINUTE.saturating_add(INSTANT));
        fixture.info(&dead_queue, id).await;
        fixture.advance(MINUTE);
    }
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Exhausted);
}

pub(in crate::conformance) async fn a_given_up_letter_waits_for_an_operator(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (why, status) in [(DeadCause::Permanent, Status::Pending), (DeadCause::Exhausted, Status::Exhausted)] {
        let id = fixture.capture(&dead_queue, failure_due(&status.to_string())).await.letter;
        let held = fixture.claim_one(&dead_queue).await;
        fixture.settle(&dead_queue, held.info.id, SettleAction::Dead { attempt: None, why }).await.unwrap();
        let info = fixture.info(&dead_queue, id).await;
        assert_eq!((info.status, info.next_retry_at, info.retries), (status, None, 1), "{why:?}");
    }
    assert_eq!(fixture.numbers(&dead_queue).await.0, 2, "it is never deleted");
}

pub(in crate::conformance) async fn a_letter_redelivered_for_hand_over_can_be_claimed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    let held = fixture.claim_one(&dead_queue).await;
    fixture
        .settle(&dead_queue, held.info.id, SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None })
        .await
        .unwrap();
    let again = fixture.claim_one(&dead_queue).await;
    assert!(again.info.is_hand_over_only, "delivered again, for its hand-over");
}

pub(in crate::conformance) async fn an_uncharged_retry_of_a_letter_spends_nothing(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    for _ in 0..5 {
        let held = fixture.claim_one(&dead_queue).await;
        let verb = SettleAction::Retry { at: RetryAt::Undecided(Some(Time::MIN)), attempt: None, charged: false };
        fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
    }
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.status, info.retries, info.total_attempts), (Status::Pending, 0, 1));
}

pub(in crate::conformance) async fn the_first_and_the_last_twenty_attempts_are_kept(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let new = NewLetter { max_retries: 100, ..failure_due("f-1") };
    let id = fixture.capture(&dead_queue, new).await.letter;
    for number in 1..=30 {
        let held = fixture.claim_one(&dead_queue).await;
        fixture.settle(&dead_queue, held.info.id, failed(&format!("error {number}"), Category::Network)).await.unwrap();
        fixture.advance(MINUTE);
    }
    let letter = fixture.record(&dead_queue, id).await;
    let errors: Vec<_> = letter.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    let newest: Vec<_> = (11..=30).map(|number| format!("error {number}")).collect();
    assert_eq!(errors[0], crate::conformance::samples::FAULT, "the first failure");
    assert_eq!(errors[1..], newest);
    assert_eq!(letter.info.letter.expect("a letter").total_attempts, 31, "the count is exact");
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 1, "failed retries create no letters");
}

pub(in crate::conformance) async fn a_letters_revision_grows_with_every_change(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_due("f-1")).await;
    let mut revision = fixture.info(&dead_queue, id).await.revision;
    for verb in [SettleAction::Release, retry(), SettleAction::Defer { until: fixture.now() }, complete()] {
        let held = fixture.claim_one(&dead_queue).await;
        assert!(letter(&held).revision > revision);
        fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let now = fixture.info(&dead_queue, id).await.revision;
        assert!(now > letter(&held).revision);
        revision = now;
        fixture.advance(MINUTE);
    }
}

// Leases of the queue API on a dead queue

pub(in crate::conformance) async fn a_lease_returns_unscheduled_and_exhausted_letters_only(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure("scheduled")).await;
    fixture.capture(&dead_queue, failure_due("due")).await;
    fixture.capture(&dead_queue, failure_for_good("unscheduled")).await;
    fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await;
    fixture.capture(&dead_queue, failure_for_good("archived")).await;
    let archived = fixture.items(&dead_queue, 0).await.pop().expect("five");
    fixture.archive(&dead_queue, letter(&archived).id).await;
    fixture.advance(HOUR);
    let leased = fixture.lease(&dead_queue, 9).await.items;
    assert_eq!(payloads(&leased), ["the work of unscheduled", "the work of exhausted"]);
    for held in &leased {
        assert_eq!((letter(held).status, letter(held).trigger), (Status::Retrying, Trigger::Manual));
    }
    assert_eq!(fixture.claim_all(&dead_queue).await.len(), 2, "the others are for automatic claims");
}

pub(in crate::conformance) async fn a_leased_letter_is_completed_on_the_wire(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_for_good("f-1")).await;
    let leased = fixture.lease(&dead_queue, 1).await;
    fixture.settle_leased(&dead_queue, &leased, complete()).await;
    assert_eq!(fixture.status(&dead_queue, id).await, Status::Completed);
}

pub(in crate::conformance) async fn a_wire_retry_counts_and_its_time_only_delays_the_lease(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_for_good("f-1")).await;
    let held = fixture.lease_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, retry_at(fixture.after(HOUR))).await.unwrap();
    let info = fixture.info(&dead_queue, id).await;
    assert_eq!((info.status, info.retries, info.next_retry_at), (Status::Pending, 1, None));
    fixture.assert_nothing_to_lease(&dead_queue).await;
    fixture.advance(HOUR.saturating_sub(INSTANT));
    fixture.assert_nothing_to_lease(&dead_queue).await;
    fixture.advance(INSTANT);
    let held = fixture.lease_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(fixture.info(&dead_queue, id).await.retries, 2);
    fixture.lease_one(&dead_queue).await;
}

pub(in crate::conformance) async fn max_attempts_of_a_dead_queue_exhaust_and_never_delete(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.max_attempts = 2).await;
    let new = NewLetter { max_retries: 50, ..failure_for_good("f-1") };
    let id = fixture.capture(&dead_queue, new).await.letter;
    for status in [Status::Pending, Status::Exhausted, Status::Exhausted] {
        let held = fixture.lease_one(&dead_queue).await;
        fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
        assert_eq!(fixture.status(&dead_queue, id).await, status);
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 1);
}

pub(in crate::conformance) async fn a_never_letter_is_exhausted_by_failed_leases(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(failure_for_good("f-1")).await;
    for status in [Status::Pending, Status::Pending, Status::Exhausted, Status::Exhausted] {
        let held = fixture.lease_one(&dead_queue).await;
        fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
        let info = fixture.info(&dead_queue, id).await;
        assert_eq!((info.status, info.next_retry_at), (status, None));
    }
}

pub(in crate::conformance) async fn a_released_exhausted_letter_is_exhausted(fixture: &StoreFixture) {
    let (dead_queue, id) = fixture.captured(NewLetter { max_retries: 0, ..failure("f-1") }).await;
    for verb in [SettleAction::Release, SettleAction::Defer { until: fixture.after(HOUR) }] {
        let held = fixture.lease_one(&dead_queue).await;
        fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let info = fixture.info(&dead_queue, id).await;
        assert_eq!((info.status, info.retries, info.next_retry_at), (Status::Exhausted, 0, None));
    }
}
