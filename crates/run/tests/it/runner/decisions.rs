//! Every decision of the policy, taken on the real path: from the store, through the runner, back to the store.

use redrive_core::{
    Answer, Backoff, Category, ErrorMatcher, Failure, Outcome, Policy, PolicyBuilder, RetryPolicy, Span, Status,
    Strategy, Time, Trigger,
};
use redrive_model::{DeathReason, ItemState};
use redrive_run::Handled;
use redrive_store::Clock;

use crate::rig::{START, World, item, permanent, policy, run, transient, unbroken, until};

const MICRO: Span = Span::from_micros(1);

fn ten_seconds() -> PolicyBuilder {
    Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::from_secs(10)))
}

#[test]
fn what_succeeds_is_gone_and_counted_as_completed() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        assert_eq!((seen.call.attempt, seen.call.deliveries, seen.payload()), (1, 1, "a".to_owned()));
        assert_eq!(
            (seen.call.id.to_string(), &*seen.call.destination, seen.call.trigger),
            ("a".to_owned(), "orders", Trigger::Automatic)
        );
        seen.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.finished(), report.lost), (1, 1, 0));
        assert!(world.dead_letters().await.is_empty());
        world.conserved().await;
    });
}

#[test]
fn a_retry_is_not_a_microsecond_early_and_not_late() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        desk.next().await.fail(transient());
        let due = START.saturating_add(Span::from_secs(10));
        until("a scheduled item", || async {
            world.items("orders").await.first().is_some_and(|item| item.info.state == ItemState::Scheduled { at: due })
        })
        .await;
        world.clock.set(due.saturating_sub(MICRO));
        world.calm().await;
        assert!(desk.at_once().is_none(), "one microsecond before its time");
        world.clock.set(due);
        let second = desk.next().await;
        assert_eq!((second.call.attempt, second.at), (2, due));
        second.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.done, report.dead_lettered), (1, 1, 0));
    });
}

#[test]
fn exhausted_work_is_a_letter_with_every_attempt_in_its_ledger() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        for attempt in 1..=3 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            // Each attempt takes two seconds.
            world.advance(Span::from_secs(2));
            seen.fail(transient());
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        world.until_dead(1).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered, report.done), (2, 1, 0));
        assert!(desk.at_once().is_none(), "there is no fourth attempt");
        assert!(world.items("orders").await.is_empty());

        let letter = world.the_letter().await;
        let info = letter.info.letter.as_deref().unwrap();
        assert_eq!((info.status, info.category, &*info.destination), (Status::Pending, Category::Transient, "orders"));
        assert_eq!(info.policy, RetryPolicy::Never, "a queue's dead letters wait for a person");
        assert_eq!(letter.content.payload, "a");
        let context = letter.context.unwrap();
        let death = context.death.unwrap();
        assert_eq!((death.attempts, death.reason), (3, DeathReason::GivenUp));
        assert_eq!(context.origin.message_id.as_deref(), Some("a"));
        assert_eq!(letter.attempts.len(), 3);
        for (number, attempt) in letter.attempts.iter().enumerate() {
            let started = START.saturating_add(Span::from_secs(12).saturating_mul(number as u64));
            assert_eq!(attempt.started_at, Some(started), "attempt {number}");
            assert_eq!(attempt.ended_at, Some(started.saturating_add(Span::from_secs(2))));
            assert_eq!((attempt.outcome, attempt.trigger, attempt.cause), (Outcome::Failure, Trigger::Automatic, None));
            assert_eq!((attempt.error.as_str(), attempt.category), ("out of order", Some(Category::Transient)));
            assert_eq!(attempt.rule.as_deref(), Some("http:503"));
        }
        world.conserved().await;
    });
}

#[test]
fn a_permanent_failure_is_a_letter_at_once() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        desk.next().await.fail(permanent());
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        assert_eq!((letter.attempts.len(), letter.context.unwrap().death.unwrap().attempts), (1, 1));
        assert_eq!(letter.info.letter.unwrap().category, Category::Permanent);
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
    });
}

#[test]
fn an_excluded_error_is_retried_however_often_and_costs_nothing() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        world.produce([item("a")]).await;
        let policy = ten_seconds().exclude(["rule:http:503".parse::<ErrorMatcher>().unwrap()]).build().unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        for delivery in 1..=20 {
            let seen = desk.next().await;
            assert_eq!((seen.call.attempt, seen.call.deliveries), (1, delivery));
            seen.fail(transient());
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        // What does count still has all of its attempts.
        for attempt in 1..=3 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            seen.fail(Failure::new("HTTP 502 Bad Gateway"));
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        assert_eq!(letter.context.unwrap().death.unwrap().attempts, 3);
        assert_eq!(running.stop(Span::ZERO).await.retried, 22);
    });
}

#[test]
fn an_included_error_is_a_letter_at_once() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let policy = ten_seconds().include(["rule:http:503".parse::<ErrorMatcher>().unwrap()]).build().unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        desk.next().await.fail(transient());
        world.until_dead(1).await;
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
        assert_eq!(world.the_letter().await.info.letter.unwrap().category, Category::Transient);
    });
}

#[test]
fn the_predicate_goes_before_lists_and_counts() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let policy = ten_seconds()
            .max_attempts(1)
            .predicate(|question| match question.failure.error.message.as_str() {
                "again" => Some(Answer::Retry),
                "enough" => Some(Answer::DeadLetter),
                _ => None,
            })
            .build()
            .unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        for _ in 0..5 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, 1);
            seen.fail(Failure::new("again"));
            world.calm().await;
            // Permanent by itself: it waits with patience.
            world.advance(Span::from_hours(1));
        }
        desk.next().await.fail(Failure::new("enough"));
        world.until_dead(1).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (5, 1));
    });
}

/// A user's function is the user's, and may be wrong. The runner and everybody else's work go on.
#[test]
fn a_predicate_that_panics_costs_one_attempt_and_not_the_runner() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let policy = ten_seconds()
            .predicate(|question| {
                assert_ne!(question.failure.error.message, "unthinkable");
                None
            })
            .build()
            .unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        desk.next().await.fail(Failure::new("unthinkable"));
        world.calm().await;
        assert!(!running.has_ended(), "the runner survives");
        world.produce([item("b")]).await;
        let mut seen = desk.next().await;
        if seen.payload() == "a" {
            seen.done();
            seen = desk.next().await;
        }
        assert_eq!(seen.payload(), "b");
        seen.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_is_given_up_when_its_next_attempt_would_begin_after_the_deadline() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let policy = ten_seconds().max_attempts(100).deadline(Span::from_secs(25)).build().unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        for attempt in 1..=3 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            seen.fail(transient());
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        world.until_dead(1).await;
        assert_eq!(world.the_letter().await.attempts.len(), 3);
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (2, 1));
    });
}

/// The deadline counts from when the work was first due. One that was scheduled has not been late by that.
#[test]
fn a_deadline_counts_from_when_the_work_was_first_due() {
    run(async {
        let world = World::new().await;
        let first_due = START.saturating_add(Span::from_hours(1));
        world.produce([redrive_model::NewItem { enqueue_at: Some(first_due), ..item("a") }]).await;
        let policy = ten_seconds().max_attempts(100).deadline(Span::from_mins(10)).build().unwrap();
        let (running, mut desk) = world.start(policy, unbroken(1)).await;
        world.clock.set(first_due);
        let seen = desk.next().await;
        seen.fail(transient());
        world.calm().await;
        assert!(world.dead_letters().await.is_empty(), "its ten minutes have just begun");
        world.advance(Span::from_secs(10));
        desk.next().await.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_hint_of_the_other_side_makes_the_delay_longer_and_never_shorter() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for (hint, wait) in [(Span::from_secs(60), Span::from_secs(60)), (Span::from_secs(3), Span::from_secs(10))] {
            let failed_at = world.clock.now();
            desk.next().await.fail(transient().with_retry_after(hint));
            world.calm().await;
            world.clock.set(failed_at.saturating_add(wait).saturating_sub(MICRO));
            world.calm().await;
            assert!(desk.at_once().is_none(), "before {wait} have passed");
            world.clock.set(failed_at.saturating_add(wait));
        }
        desk.next().await.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn deferred_work_comes_at_its_time_and_has_spent_nothing() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for _ in 0..5 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, 1);
            let until = world.clock.now().saturating_add(Span::from_mins(1));
            seen.answer(Handled::Deferred { until });
            world.calm().await;
            world.clock.set(until.saturating_sub(MICRO));
            world.calm().await;
            assert!(desk.at_once().is_none());
            world.clock.set(until);
        }
        desk.next().await.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.deferred, report.done), (5, 1));
    });
}

#[test]
fn work_that_was_not_touched_is_offered_again_and_has_spent_nothing() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for delivery in 1..=7 {
            let seen = desk.next().await;
            assert_eq!((seen.call.attempt, seen.call.deliveries), (1, delivery));
            seen.answer(Handled::Untouched);
            // A handler that begins nothing is given a moment of peace.
            world.calm().await;
            world.advance(Span::from_secs(5));
        }
        desk.next().await.done();
        world.until_empty().await;
        assert_eq!(running.stop(Span::ZERO).await.deferred, 7);
    });
}

#[test]
fn an_error_that_says_a_breaker_refused_the_call_spends_nothing() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for _ in 0..6 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, 1);
            seen.fail(Failure::new("CircuitBreakerOpenError: request denied"));
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        desk.next().await.done();
        world.until_empty().await;
        assert!(world.dead_letters().await.is_empty());
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn what_a_strategy_does_not_want_leaves_no_letter_and_is_counted_as_dropped() {
    run(async {
        let world = World::new().await;
        world.produce([item("bad"), item("late")]).await;
        let policy = ten_seconds().max_attempts(1).strategy(Strategy::Selective).build().unwrap();
        let (running, mut desk) = world.start(policy, unbroken(2)).await;
        for seen in desk.some(2).await {
            let failure = if seen.payload() == "bad" { permanent() } else { transient() };
            seen.fail(failure);
        }
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.dropped, report.dead_lettered), (1, 1));
        assert_eq!(world.the_letter().await.content.payload, "late");
        world.conserved().await;
    });
}

// Letters

#[test]
fn a_letters_attempts_go_on_from_the_one_that_made_it() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        for attempt in 2..=4 {
            let seen = desk.next().await;
            assert_eq!((seen.call.attempt, seen.call.deliveries), (attempt, attempt));
            assert_eq!(seen.call.id.to_string(), &*id.to_string());
            seen.fail(transient());
        }
        world.until_status(id, Status::Exhausted).await;
        world.advance(Span::from_days(1));
        world.calm().await;
        assert!(desk.at_once().is_none(), "three retries, no fourth");
        let record = world.record(id).await;
        let info = record.info.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts, record.attempts.len()), (3, 4, 4));
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (2, 1));
    });
}

#[test]
fn a_letter_waits_as_its_own_policy_says() {
    run(async {
        let world = World::new().await;
        let mut new = world.letter("a", "there");
        new.policy = RetryPolicy::Exponential;
        let id = world.capture([new]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        let mut due = START;
        for minutes in [1, 2, 4] {
            due = due.saturating_add(Span::from_mins(minutes));
            world.clock.set(due.saturating_sub(MICRO));
            world.calm().await;
            assert!(desk.at_once().is_none(), "{minutes} minutes have not passed");
            world.clock.set(due);
            let seen = desk.next().await;
            assert_eq!(seen.at, due);
            seen.fail(transient());
            world.calm().await;
        }
        world.until_status(id, Status::Exhausted).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_letter_that_fails_for_good_waits_for_a_person() {
    run(async {
        let world = World::new().await;
        let mut new = world.letter("a", "there");
        new.policy_source = redrive_core::PolicySource::Derived;
        new.policy = RetryPolicy::Exponential;
        let id = world.capture([new]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        world.advance(Span::from_mins(1));
        desk.next().await.fail(permanent());
        world.until_status(id, Status::Pending).await;
        world.advance(Span::from_days(10));
        world.calm().await;
        assert!(desk.at_once().is_none());
        let info = world.info(id).await.letter.unwrap();
        assert_eq!((info.next_retry_at, info.retries, info.category), (None, 1, Category::Permanent));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_letter_that_succeeds_is_completed_with_its_attempt_on_record() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        desk.next().await.done();
        world.until_status(id, Status::Completed).await;
        let record = world.record(id).await;
        let info = record.info.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts), (0, 2));
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.outcome, newest.started_at), (Outcome::Success, Some(START)));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_deferred_letter_comes_at_its_time_and_has_spent_nothing() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        let until: Time = START.saturating_add(Span::from_mins(3));
        desk.next().await.answer(Handled::Deferred { until });
        world.calm().await;
        world.clock.set(until.saturating_sub(MICRO));
        world.calm().await;
        assert!(desk.at_once().is_none());
        world.clock.set(until);
        let seen = desk.next().await;
        assert_eq!((seen.call.attempt, seen.call.deliveries), (2, 3));
        seen.done();
        world.until_status(id, Status::Completed).await;
        assert_eq!(world.info(id).await.letter.unwrap().total_attempts, 2);
        running.stop(Span::ZERO).await;
    });
}
