//! Work with named parts: the next attempt gets the parts that failed.

use redrive_core::{Failure, Outcome, Span, Status};
use redrive_model::NewLetter;

use crate::fixture::{policy, transient, with_fixture, without_breaker};

fn failed_parts(parts: &[&str]) -> Failure {
    Failure { parts: parts.iter().map(|part| (*part).to_owned()).collect(), ..transient() }
}

fn with_parts(mut letter: NewLetter, parts: &[&str]) -> NewLetter {
    letter.context.parts = parts.iter().map(|part| (*part).to_owned()).collect();
    letter
}

#[test]
fn a_letters_next_attempt_gets_only_the_parts_that_failed() {
    with_fixture(async |fixture| {
        let id = fixture.capture([with_parts(fixture.letter("a", "there"), &["x", "y", "z"])]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        let first = inbox.next().await;
        assert_eq!(first.call.parts, ["x", "y", "z"]);
        first.fail(failed_parts(&["z", "x"]));
        let second = inbox.next().await;
        assert_eq!(second.call.parts, ["z", "x"]);
        second.fail(failed_parts(&["x"]));
        let third = inbox.next().await;
        assert_eq!(third.call.parts, ["x"]);
        third.done();
        fixture.until_status(id, Status::Completed).await;
        let attempts = fixture.record(id).await.attempts;
        let outcomes: Vec<_> = attempts.iter().map(|it| (it.outcome, it.failed_parts.join(","))).collect();
        assert_eq!(
            outcomes,
            [
                (Outcome::Failure, String::new()),
                (Outcome::Partial, "z,x".to_owned()),
                (Outcome::Partial, "x".to_owned()),
                (Outcome::Success, String::new())
            ]
        );
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_failure_of_all_parts_is_not_partial_and_unknown_parts_are_ignored() {
    with_fixture(async |fixture| {
        let id = fixture.capture([with_parts(fixture.letter("a", "there"), &["x", "y"])]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        inbox.next().await.fail(failed_parts(&["y", "x"]));
        let second = inbox.next().await;
        assert_eq!(second.call.parts.len(), 2);
        second.fail(failed_parts(&["y", "what"]));
        let third = inbox.next().await;
        assert_eq!(third.call.parts, ["y"]);
        third.done();
        fixture.until_status(id, Status::Completed).await;
        let attempts = fixture.record(id).await.attempts;
        assert_eq!((attempts[1].outcome, attempts[2].outcome), (Outcome::Failure, Outcome::Partial));
        assert_eq!(attempts[2].failed_parts, ["y"]);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_part_that_is_reported_twice_counts_once() {
    with_fixture(async |fixture| {
        let id = fixture.capture([with_parts(fixture.letter("a", "there"), &["x", "y"])]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        inbox.next().await.fail(failed_parts(&["y", "y"]));
        let second = inbox.next().await;
        assert_eq!(second.call.parts, ["y"]);
        second.done();
        fixture.until_status(id, Status::Completed).await;
        assert_eq!(fixture.record(id).await.attempts[1].outcome, Outcome::Partial);
        running.stop(Span::ZERO).await;
    });
}

/// A letter keeps only its first and newest attempts; the remaining parts must survive that.
#[test]
fn completed_parts_are_not_repeated_however_many_attempts_follow() {
    with_fixture(async |fixture| {
        let letter = NewLetter { max_retries: 100, ..with_parts(fixture.letter("a", "there"), &["x", "y"]) };
        let id = fixture.capture([letter]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        // The second attempt completes x; y fails many times after that.
        inbox.next().await.fail(transient());
        inbox.next().await.fail(failed_parts(&["y"]));
        for round in 0..40 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.parts, ["y"], "round {round}");
            pending.fail(transient());
        }
        inbox.next().await.done();
        fixture.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn the_next_attempt_of_an_item_gets_only_its_failed_parts() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        let first = inbox.next().await;
        assert!(first.call.parts.is_empty(), "no part has failed yet");
        first.fail(failed_parts(&["x", "y"]));
        fixture.advance_when_idle(Span::from_secs(10)).await;
        let second = inbox.next().await;
        assert_eq!(second.call.parts, ["x", "y"]);
        second.fail(failed_parts(&["y"]));
        fixture.advance_when_idle(Span::from_secs(10)).await;
        let third = inbox.next().await;
        assert_eq!(third.call.parts, ["y"]);
        third.fail(failed_parts(&["y"]));
        let letter = fixture.first_letter().await;
        let outcomes: Vec<_> = letter.attempts.iter().map(|it| (it.outcome, it.failed_parts.join(","))).collect();
        assert_eq!(
            outcomes,
            [
                (Outcome::Partial, "x,y".to_owned()),
                (Outcome::Partial, "y".to_owned()),
                (Outcome::Failure, "y".to_owned())
            ]
        );
        running.stop(Span::ZERO).await;
    });
}
