//! Every decision of the policy, end to end: from the store, through the runner, back to the store.

use redrive_core::{
    Answer, Backoff, Category, ErrorMatcher, Failure, Outcome, Policy, PolicyBuilder, RetryPolicy, Span, Status,
    Strategy, Time, Trigger,
};
use redrive_model::{DeathReason, ItemState};
use redrive_run::{Handled, Work};
use redrive_store::Clock;

use crate::fixture::{
    CallInbox, START, item, permanent, policy, transient, wait_until, with_attempts, with_fixture, without_breaker,
};

const MICRO: Span = Span::from_micros(1);

fn ten_seconds() -> PolicyBuilder {
    Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::from_secs(10)))
}

#[test]
fn successful_work_is_removed_and_counted_as_done() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        assert_eq!((pending.call.attempt, pending.call.deliveries, pending.payload()), (1, 1, "a".to_owned()));
        assert_eq!(
            (pending.call.id.to_string(), &*pending.call.destination, pending.call.trigger),
            ("a".to_owned(), "orders", Trigger::Automatic)
        );
        pending.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.done, report.finished(), report.lost), (1, 1, 0));
        assert!(fixture.dead_letters().await.is_empty());
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_retry_starts_exactly_when_it_is_due() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(4)).await;
        inbox.next().await.fail(transient());
        let due = START.saturating_add(Span::from_secs(10));
        wait_until("a scheduled item", || async {
            fixture
                .items("orders")
                .await
                .first()
                .is_some_and(|item| item.info.state == ItemState::Scheduled { at: due })
        })
        .await;
        fixture.clock.set(due.saturating_sub(MICRO));
        fixture.assert_no_call(&mut inbox, "one microsecond before it is due").await;
        fixture.clock.set(due);
        let second = inbox.next().await;
        assert_eq!((second.call.attempt, second.at), (2, due));
        second.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.retried, report.done, report.dead_lettered), (1, 1, 0));
    });
}

#[test]
fn exhausted_work_becomes_a_letter_with_a_record_of_every_attempt() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(4)).await;
        for attempt in 1..=3 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            // Each attempt takes two seconds.
            fixture.advance(Span::from_secs(2));
            pending.fail(transient());
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        fixture.until_letters(1).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered, report.done), (2, 1, 0));
        assert!(inbox.try_next().is_none(), "there is no fourth attempt");
        assert!(fixture.items("orders").await.is_empty());

        let letter = fixture.only_letter().await;
        let info = letter.info.letter.as_deref().unwrap();
        assert_eq!((info.status, info.category, &*info.destination), (Status::Pending, Category::Transient, "orders"));
        assert_eq!(info.policy, RetryPolicy::Never, "dead letters of a queue are retried manually only");
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
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_permanent_failure_becomes_a_letter_immediately() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(4)).await;
        inbox.next().await.fail(permanent());
        let letter = fixture.first_letter().await;
        assert_eq!((letter.attempts.len(), letter.context.unwrap().death.unwrap().attempts), (1, 1));
        assert_eq!(letter.info.letter.unwrap().category, Category::Permanent);
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
    });
}

#[test]
fn an_excluded_error_is_retried_without_limit_and_spends_no_attempt() {
    with_attempts(3, async |fixture| {
        let policy = ten_seconds().exclude(["rule:http:503".parse::<ErrorMatcher>().unwrap()]).build().unwrap();
        let (running, mut inbox) = fixture.start_item(policy, without_breaker(1)).await;
        for delivery in 1..=20 {
            let pending = inbox.next().await;
            assert_eq!((pending.call.attempt, pending.call.deliveries), (1, delivery));
            pending.fail(transient());
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        // Other errors still have all their attempts.
        for attempt in 1..=3 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            pending.fail(Failure::new("HTTP 502 Bad Gateway"));
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        let letter = fixture.first_letter().await;
        assert_eq!(letter.context.unwrap().death.unwrap().attempts, 3);
        assert_eq!(running.stop(Span::ZERO).await.retried, 22);
    });
}

#[test]
fn an_included_error_becomes_a_letter_immediately() {
    with_fixture(async |fixture| {
        let policy = ten_seconds().include(["rule:http:503".parse::<ErrorMatcher>().unwrap()]).build().unwrap();
        let (running, mut inbox) = fixture.start_item(policy, without_breaker(1)).await;
        inbox.next().await.fail(transient());
        fixture.until_letters(1).await;
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
        assert_eq!(fixture.only_letter().await.info.letter.unwrap().category, Category::Transient);
    });
}

#[test]
fn the_predicate_takes_precedence_over_lists_and_the_attempt_limit() {
    with_fixture(async |fixture| {
        let policy = ten_seconds()
            .max_attempts(1)
            .predicate(|question| match question.failure.error.message.as_str() {
                "again" => Some(Answer::Retry),
                "enough" => Some(Answer::DeadLetter),
                _ => None,
            })
            .build()
            .unwrap();
        let (running, mut inbox) = fixture.start_item(policy, without_breaker(1)).await;
        for _ in 0..5 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, 1);
            pending.fail(Failure::new("again"));
            fixture.until_idle().await;
            // The failure is permanent, which has a longer backoff.
            fixture.advance(Span::from_hours(1));
        }
        inbox.next().await.fail(Failure::new("enough"));
        fixture.until_letters(1).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (5, 1));
    });
}

/// The predicate of a policy does not know the work; this function does, and takes its place.
#[test]
fn a_decision_that_knows_the_work_precedes_the_policy() {
    with_fixture(async |fixture| {
        fixture.produce([item("keep"), item("give up"), item("give up, too")]).await;
        let policy = ten_seconds().max_attempts(1).predicate(|_| panic!("the decision has an answer")).build().unwrap();
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let decide = |work: &Work, _: &Failure| match &*work.content.payload {
            b"keep" => Some(Answer::Retry),
            _ => Some(Answer::DeadLetter),
        };
        let runner = fixture.runner(fixture.orders(), handler, policy, without_breaker(1)).deciding_by(decide);
        let running = runner.start().await.unwrap();
        inbox.fail_next(3).await;
        fixture.until_letters(2).await;
        for _ in 0..3 {
            fixture.advance(Span::from_secs(10));
            let again = inbox.next().await;
            assert_eq!((again.payload(), again.call.attempt), ("keep".to_owned(), 1), "no attempt is spent");
            again.fail(transient());
            fixture.until_idle().await;
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (4, 2));
    });
}

/// The predicate is user code and may panic.
#[test]
fn a_panic_in_the_predicate_fails_its_work_and_the_runner_continues() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let policy = ten_seconds()
            .predicate(|question| {
                assert_ne!(question.failure.error.message, "panic in the predicate");
                None
            })
            .build()
            .unwrap();
        let (running, mut inbox) = fixture.start(policy, without_breaker(1)).await;
        inbox.next().await.fail(Failure::new("panic in the predicate"));
        fixture.until_idle().await;
        assert!(!running.has_ended(), "the runner survives");
        fixture.produce([item("b")]).await;
        let mut pending = inbox.next().await;
        if pending.payload() == "a" {
            pending.done();
            pending = inbox.next().await;
        }
        assert_eq!(pending.payload(), "b");
        pending.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_becomes_a_letter_if_its_next_attempt_would_start_after_the_deadline() {
    with_fixture(async |fixture| {
        let policy = ten_seconds().max_attempts(100).deadline(Span::from_secs(25)).build().unwrap();
        let (running, mut inbox) = fixture.start_item(policy, without_breaker(1)).await;
        for attempt in 1..=3 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            pending.fail(transient());
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        fixture.until_letters(1).await;
        assert_eq!(fixture.only_letter().await.attempts.len(), 3);
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (2, 1));
    });
}

/// Time that work spends scheduled does not count.
#[test]
fn the_deadline_counts_from_when_the_work_was_first_due() {
    with_fixture(async |fixture| {
        let first_due = START.saturating_add(Span::from_hours(1));
        fixture.produce([redrive_model::NewItem { enqueue_at: Some(first_due), ..item("a") }]).await;
        let policy = ten_seconds().max_attempts(100).deadline(Span::from_mins(10)).build().unwrap();
        let (running, mut inbox) = fixture.start(policy, without_breaker(1)).await;
        fixture.clock.set(first_due);
        let pending = inbox.next().await;
        pending.fail(transient());
        fixture.until_idle().await;
        assert!(fixture.dead_letters().await.is_empty(), "the ten minutes start when the work is due");
        fixture.advance(Span::from_secs(10));
        inbox.next().await.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn a_retry_after_hint_extends_the_delay_and_never_shortens_it() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        for (hint, wait) in [(Span::from_secs(60), Span::from_secs(60)), (Span::from_secs(3), Span::from_secs(10))] {
            let failed_at = fixture.clock.now();
            inbox.next().await.fail(transient().with_retry_after(hint));
            fixture.until_idle().await;
            fixture.clock.set(failed_at.saturating_add(wait).saturating_sub(MICRO));
            fixture.assert_no_call(&mut inbox, &format!("before {wait} has passed")).await;
            fixture.clock.set(failed_at.saturating_add(wait));
        }
        inbox.next().await.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn deferred_work_is_delivered_at_its_time_and_spends_no_attempt() {
    with_attempts(3, async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        for _ in 0..5 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, 1);
            let until = fixture.clock.now().saturating_add(Span::from_mins(1));
            pending.answer(Handled::Deferred { until });
            fixture.until_idle().await;
            fixture.clock.set(until.saturating_sub(MICRO));
            fixture.assert_no_call(&mut inbox, "no further call").await;
            fixture.clock.set(until);
        }
        inbox.next().await.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.deferred, report.done), (5, 1));
    });
}

#[test]
fn untouched_work_is_delivered_again_and_spends_no_attempt() {
    with_attempts(3, async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        for _ in 1..=7 {
            let pending = inbox.next().await;
            assert_eq!((pending.call.attempt, pending.call.deliveries), (1, 1));
            pending.answer(Handled::Untouched);
            // The runner pauses after a handler returned work untouched.
            fixture.advance_when_idle(Span::from_secs(5)).await;
        }
        inbox.next().await.done();
        assert_eq!(fixture.stop_when_empty(running).await.deferred, 7);
    });
}

#[test]
fn an_error_of_an_open_breaker_spends_no_attempt() {
    with_attempts(3, async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        for _ in 0..6 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, 1);
            pending.fail(Failure::new("CircuitBreakerOpenError: request denied"));
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        inbox.next().await.done();
        fixture.until_empty().await;
        assert!(fixture.dead_letters().await.is_empty());
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_that_the_strategy_skips_is_dropped_without_a_letter_and_counted() {
    with_fixture(async |fixture| {
        fixture.produce([item("bad"), item("late")]).await;
        let policy = ten_seconds().max_attempts(1).strategy(Strategy::Selective).build().unwrap();
        let (running, mut inbox) = fixture.start(policy, without_breaker(2)).await;
        for pending in inbox.take(2).await {
            let failure = if pending.payload() == "bad" { permanent() } else { transient() };
            pending.fail(failure);
        }
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.dropped, report.dead_lettered), (1, 1));
        assert_eq!(fixture.only_letter().await.content.payload, "late");
        fixture.assert_conserved().await;
    });
}

// Letters

#[test]
fn the_attempt_that_was_captured_is_the_first_of_a_letter() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        for attempt in 2..=4 {
            let pending = inbox.next().await;
            assert_eq!((pending.call.attempt, pending.call.deliveries), (attempt, attempt));
            assert_eq!(pending.call.id.to_string(), &*id.to_string());
            pending.fail(transient());
        }
        fixture.until_status(id, Status::Exhausted).await;
        fixture.advance(Span::from_days(1));
        fixture.assert_no_call(&mut inbox, "no fourth retry").await;
        let record = fixture.record(id).await;
        let info = record.info.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts, record.attempts.len()), (3, 4, 4));
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered), (2, 1));
    });
}

#[test]
fn the_policy_of_a_letter_sets_its_delays() {
    with_fixture(async |fixture| {
        let mut new = fixture.letter("a", "there");
        new.policy = RetryPolicy::Exponential;
        let id = fixture.capture([new]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        let mut due = START;
        for minutes in [1, 2, 4] {
            due = due.saturating_add(Span::from_mins(minutes));
            fixture.clock.set(due.saturating_sub(MICRO));
            fixture.assert_no_call(&mut inbox, &format!("{minutes} minutes have not passed")).await;
            fixture.clock.set(due);
            let pending = inbox.next().await;
            assert_eq!(pending.at, due);
            pending.fail(transient());
            fixture.until_idle().await;
        }
        fixture.until_status(id, Status::Exhausted).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_letter_that_fails_permanently_is_not_retried_automatically() {
    with_fixture(async |fixture| {
        let mut new = fixture.letter("a", "there");
        new.policy_source = redrive_core::PolicySource::Derived;
        new.policy = RetryPolicy::Exponential;
        let id = fixture.capture([new]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        fixture.advance(Span::from_mins(1));
        inbox.next().await.fail(permanent());
        fixture.until_status(id, Status::Pending).await;
        fixture.advance(Span::from_days(10));
        fixture.assert_no_call(&mut inbox, "no further call").await;
        let info = fixture.info(id).await.letter.unwrap();
        assert_eq!((info.next_retry_at, info.retries, info.category), (None, 1, Category::Permanent));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_successful_letter_is_completed_and_its_attempt_recorded() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        inbox.next().await.done();
        fixture.until_status(id, Status::Completed).await;
        let record = fixture.record(id).await;
        let info = record.info.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts), (0, 2));
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.outcome, newest.started_at), (Outcome::Success, Some(START)));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_deferred_letter_is_delivered_at_its_time_and_spends_no_attempt() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        let until: Time = START.saturating_add(Span::from_mins(3));
        inbox.next().await.answer(Handled::Deferred { until });
        fixture.until_idle().await;
        fixture.clock.set(until.saturating_sub(MICRO));
        fixture.assert_no_call(&mut inbox, "no further call").await;
        fixture.clock.set(until);
        let pending = inbox.next().await;
        assert_eq!((pending.call.attempt, pending.call.deliveries), (2, 3));
        pending.done();
        fixture.until_status(id, Status::Completed).await;
        assert_eq!(fixture.info(id).await.letter.unwrap().total_attempts, 2);
        running.stop(Span::ZERO).await;
    });
}
