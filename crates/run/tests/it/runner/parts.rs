//! Work with named parts: the next attempt gets those that failed.

use redrive_core::{Failure, Outcome, Span, Status};
use redrive_model::NewLetter;

use crate::rig::{World, item, policy, run, transient, unbroken};

fn failed(parts: &[&str]) -> Failure {
    Failure { parts: parts.iter().map(|part| (*part).to_owned()).collect(), ..transient() }
}

fn of_parts(mut letter: NewLetter, parts: &[&str]) -> NewLetter {
    letter.context.parts = parts.iter().map(|part| (*part).to_owned()).collect();
    letter
}

#[test]
fn a_letters_next_attempt_gets_only_the_parts_that_failed() {
    run(async {
        let world = World::new().await;
        let id = world.capture([of_parts(world.letter("a", "there"), &["x", "y", "z"])]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        let first = desk.next().await;
        assert_eq!(first.call.parts, ["x", "y", "z"]);
        first.fail(failed(&["z", "x"]));
        let second = desk.next().await;
        assert_eq!(second.call.parts, ["z", "x"]);
        second.fail(failed(&["x"]));
        let third = desk.next().await;
        assert_eq!(third.call.parts, ["x"]);
        third.done();
        world.until_status(id, Status::Completed).await;
        let ledger = world.record(id).await.attempts;
        let told: Vec<_> = ledger.iter().map(|it| (it.outcome, it.failed_parts.join(","))).collect();
        assert_eq!(
            told,
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
fn all_parts_failed_is_a_failure_and_unknown_parts_are_nobodys() {
    run(async {
        let world = World::new().await;
        let id = world.capture([of_parts(world.letter("a", "there"), &["x", "y"])]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        desk.next().await.fail(failed(&["y", "x"]));
        let second = desk.next().await;
        assert_eq!(second.call.parts.len(), 2);
        second.fail(failed(&["y", "what"]));
        let third = desk.next().await;
        assert_eq!(third.call.parts, ["y"]);
        third.done();
        world.until_status(id, Status::Completed).await;
        let ledger = world.record(id).await.attempts;
        assert_eq!((ledger[1].outcome, ledger[2].outcome), (Outcome::Failure, Outcome::Partial));
        assert_eq!(ledger[2].failed_parts, ["y"]);
        running.stop(Span::ZERO).await;
    });
}

/// Told twice, it is still one part that failed.
#[test]
fn a_part_that_is_named_twice_failed_once() {
    run(async {
        let world = World::new().await;
        let id = world.capture([of_parts(world.letter("a", "there"), &["x", "y"])]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        desk.next().await.fail(failed(&["y", "y"]));
        let second = desk.next().await;
        assert_eq!(second.call.parts, ["y"]);
        second.done();
        world.until_status(id, Status::Completed).await;
        assert_eq!(world.record(id).await.attempts[1].outcome, Outcome::Partial);
        running.stop(Span::ZERO).await;
    });
}

/// The ledger folds its middle; what is left to do must not be forgotten with it.
#[test]
fn parts_that_are_done_stay_done_however_many_attempts_follow() {
    run(async {
        let world = World::new().await;
        let letter = NewLetter { max_retries: 100, ..of_parts(world.letter("a", "there"), &["x", "y"]) };
        let id = world.capture([letter]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        // x is done with the second attempt, y fails many times after that.
        desk.next().await.fail(transient());
        desk.next().await.fail(failed(&["y"]));
        for round in 0..40 {
            let seen = desk.next().await;
            assert_eq!(seen.call.parts, ["y"], "round {round}");
            seen.fail(transient());
        }
        desk.next().await.done();
        world.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn an_items_failed_parts_are_in_its_ledger_and_its_next_attempt_gets_only_those() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let first = desk.next().await;
        assert!(first.call.parts.is_empty(), "nobody has named any");
        first.fail(failed(&["x", "y"]));
        world.calm().await;
        world.advance(Span::from_secs(10));
        let second = desk.next().await;
        assert_eq!(second.call.parts, ["x", "y"]);
        second.fail(failed(&["y"]));
        world.calm().await;
        world.advance(Span::from_secs(10));
        let third = desk.next().await;
        assert_eq!(third.call.parts, ["y"]);
        third.fail(failed(&["y"]));
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        let told: Vec<_> = letter.attempts.iter().map(|it| (it.outcome, it.failed_parts.join(","))).collect();
        assert_eq!(
            told,
            [
                (Outcome::Partial, "x,y".to_owned()),
                (Outcome::Partial, "y".to_owned()),
                (Outcome::Failure, "y".to_owned())
            ]
        );
        running.stop(Span::ZERO).await;
    });
}
