//! Claims while handlers work: kept, lost, taken away, given back.

use redrive_core::{Outcome, Span, Status};
use redrive_model::{Archive, Cause, GetItem, Lease, LeaseSpec, Leased, Purge, Restore};
use redrive_run::{Liveness, RunnerSettings};
use redrive_store::{Request, Store, StoreError};

use crate::rig::{Act, World, dead, item, named, policy, run, transient, unbroken, until};

fn slow(liveness: Liveness) -> RunnerSettings {
    RunnerSettings { timeout: Span::from_hours(10), liveness, ..unbroken(1) }
}

/// Somebody else who leases: what is there now, without waiting.
async fn other_lease(world: &World) -> Result<Leased, StoreError> {
    let spec = LeaseSpec { batch: 10, lease: None };
    world.store.local.lease(Lease { queue: named("orders"), client_id: None, spec, wait: Span::ZERO }).await
}

#[test]
fn a_claim_is_kept_for_as_long_as_its_handler_runs() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), slow(Liveness::Running)).await;
        let seen = desk.next().await;
        world.stroll(Span::from_mins(30), Span::from_secs(10)).await;
        assert_eq!(other_lease(&world).await, Err(StoreError::TimedOut), "nobody else gets it");
        let extensions = world.store.count("extend");
        assert!((60..=100).contains(&extensions), "every twenty seconds, not {extensions} times in half an hour");
        assert_eq!(running.health().await.oldest, Some(Span::from_mins(30)));
        seen.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost), (1, 0));
    });
}

#[test]
fn a_handler_that_shows_life_keeps_its_claim() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), slow(Liveness::Beats)).await;
        let seen = desk.next().await;
        for _ in 0..30 {
            seen.call.beat();
            world.stroll(Span::from_secs(20), Span::from_secs(10)).await;
        }
        assert_eq!(other_lease(&world).await, Err(StoreError::TimedOut), "nobody else gets it");
        seen.done();
        world.until_empty().await;
        assert_eq!(running.stop(Span::ZERO).await.done, 1);
    });
}

/// A handler that hangs loses its claim by itself; and it is stopped then, or two would do the same work.
#[test]
fn a_handler_that_shows_no_life_loses_its_claim_and_is_stopped() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), slow(Liveness::Beats)).await;
        let mut seen = desk.next().await;
        world.stroll(Span::from_secs(59), Span::from_secs(10)).await;
        assert!(!seen.is_dropped(), "the claim is its own for another second");
        // The runner's own next claim must not be faster.
        running.pause().await;
        world.stroll(Span::from_secs(2), Span::from_secs(1)).await;
        let other = other_lease(&world).await.unwrap();
        assert_eq!((other.items.len(), other.items[0].info.attempts), (1, 2));
        seen.dropped().await;
        world.calm().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried, report.done, report.aborted), (1, 0, 0, 0));
        assert_eq!(world.leased("orders").await, 1, "it is the other's still");
    });
}

/// No extension got through before the lease was over: somebody else has the item by now, or may have it.
#[test]
fn a_claim_that_was_lost_drops_the_handler_and_its_result() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), slow(Liveness::Running)).await;
        let mut seen = desk.next().await;
        running.pause().await;
        world.calm().await;
        world.store.rule(|request| match request {
            Request::Extend(_) => Act::Refuse(StoreError::Overloaded),
            _ => Act::Pass,
        });
        world.stroll(Span::from_secs(50), Span::from_secs(10)).await;
        assert!(!seen.is_dropped(), "an outage is no reason to stop the work");
        world.stroll(Span::from_secs(20), Span::from_secs(10)).await;
        seen.dropped().await;
        let other = other_lease(&world).await.unwrap();
        world.store.open();
        world.calm().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried, report.done), (1, 0, 0));
        let ids = other.items.iter().map(|item| item.info.id).collect();
        world.store.local.complete(named("orders"), 0, ids).await.unwrap();
        assert!(world.items("orders").await.is_empty() && world.dead_letters().await.is_empty());
        world.conserved().await;
    });
}

#[test]
fn a_result_that_comes_after_the_claim_has_ended_changes_nothing() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), slow(Liveness::Running)).await;
        let seen = desk.next().await;
        running.pause().await;
        world.calm().await;
        world.store.rule(|request| match request {
            Request::Extend(_) => Act::Refuse(StoreError::Overloaded),
            _ => Act::Pass,
        });
        world.stroll(Span::from_secs(70), Span::from_secs(10)).await;
        let other = other_lease(&world).await.unwrap();
        seen.fail(transient());
        world.calm().await;
        let info = &other.items[0].info;
        let today = world.store.local.item(GetItem { queue: named("orders"), id: info.id }).await.unwrap().info;
        assert_eq!((today.attempts, today.state), (2, info.state), "still the other's, and as it was");
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried), (1, 0));
    });
}

#[test]
fn an_archived_letter_cancels_its_attempt_and_the_result_changes_nothing() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), slow(Liveness::Running)).await;
        let mut seen = desk.next().await;
        world.store.local.archive(Archive { queue: dead(), letters: vec![id] }).await.unwrap();
        world.calm().await;
        world.advance(Span::from_secs(20));
        seen.dropped().await;
        seen.done();
        world.calm().await;
        let info = world.info(id).await.letter.unwrap();
        assert_eq!((info.status, info.total_attempts, info.retries), (Status::Archived, 1, 0));
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.done, report.retried), (1, 0, 0));
        world.conserved().await;
    });
}

#[test]
fn a_letter_that_was_archived_while_it_ran_and_restored_has_spent_that_attempt() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), slow(Liveness::Running)).await;
        let mut first = desk.next().await;
        world.store.local.archive(Archive { queue: dead(), letters: vec![id] }).await.unwrap();
        world.advance(Span::from_secs(20));
        first.dropped().await;
        world.store.local.restore(Restore { queue: dead(), letters: vec![id] }).await.unwrap();
        let second = desk.next().await;
        assert_eq!(second.call.attempt, 3);
        first.done();
        second.done();
        world.until_status(id, Status::Completed).await;
        assert_eq!(running.stop(Span::ZERO).await.done, 1);
    });
}

#[test]
fn a_purged_letter_cancels_its_attempt_and_stays_gone() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), slow(Liveness::Running)).await;
        let mut seen = desk.next().await;
        world.store.local.purge(Purge { queue: dead(), letters: vec![id] }).await.unwrap();
        world.advance(Span::from_secs(20));
        seen.dropped().await;
        world.calm().await;
        assert!(world.dead_letters().await.is_empty());
        assert_eq!(running.stop(Span::ZERO).await.lost, 1);
        world.conserved().await;
    });
}

/// One claim is stale: the others of the same call are extended all the same.
#[test]
fn one_claim_that_is_lost_takes_no_other_with_it() {
    run(async {
        let world = World::new().await;
        let ids = world.capture((0..5).map(|number| world.letter(&format!("l{number}"), "there"))).await;
        let settings = RunnerSettings { concurrency: 5, ..slow(Liveness::Running) };
        let (running, mut desk) = world.start_letters(policy(), settings).await;
        let mut calls = desk.some(5).await;
        world.store.local.archive(Archive { queue: dead(), letters: vec![ids[2]] }).await.unwrap();
        world.stroll(Span::from_mins(5), Span::from_secs(10)).await;
        for seen in &mut calls {
            assert_eq!(seen.is_dropped(), seen.call.id.to_string() == *ids[2].to_string());
        }
        for seen in calls {
            seen.done();
        }
        until("four of them to be done", || async {
            world
                .dead_letters()
                .await
                .iter()
                .filter(|it| it.info.letter.as_ref().unwrap().status == Status::Completed)
                .count()
                == 4
        })
        .await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost), (4, 1));
    });
}

/// A letter whose claim runs out by itself has lost an attempt, with a record of it.
#[test]
fn a_letters_lost_attempt_is_in_its_ledger() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), slow(Liveness::Beats)).await;
        let _first = desk.next().await;
        world.stroll(Span::from_secs(61), Span::from_secs(10)).await;
        let record = world.record(id).await;
        assert_eq!(record.attempts.last().unwrap().cause, Some(Cause::Lost));
        assert_eq!(record.attempts.last().unwrap().outcome, Outcome::Failure);
        assert!(record.info.letter.unwrap().is_outcome_unknown);
        running.stop(Span::ZERO).await;
    });
}

/// What a claim had taken when it was dropped goes back, and has spent nothing.
#[test]
fn a_claim_that_is_dropped_has_taken_nothing() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for round in 0..60 {
            running.resume().await;
            // The claim is answered at some moment between the produce and the pause.
            for _ in 0..round % 7 {
                tokio::task::yield_now().await;
            }
            world.produce([item("a")]).await;
            for _ in 0..round % 5 {
                tokio::task::yield_now().await;
            }
            running.pause().await;
            world.calm().await;
            let items = world.items("orders").await;
            match desk.at_once() {
                Some(seen) => {
                    assert_eq!(seen.call.attempt, 1, "round {round}");
                    seen.done();
                    world.until_empty().await;
                }
                None => {
                    assert_eq!(items.len(), 1);
                    assert_eq!((items[0].info.attempts, world.leased("orders").await), (0, 0), "round {round}");
                    running.resume().await;
                    let seen = desk.next().await;
                    assert_eq!(seen.call.attempt, 1, "round {round}");
                    seen.done();
                    world.until_empty().await;
                    running.pause().await;
                }
            }
        }
        running.stop(Span::ZERO).await;
    });
}

/// Were it read after the claim, whoever is stopped in between would hold letters that nobody works on.
#[test]
fn a_letters_story_comes_with_its_claim() {
    run(async {
        let world = World::new().await;
        let mut letter = world.letter("l", "there");
        letter.context.trace_id = Some("trace".to_owned());
        world.capture([letter]).await;
        world.store.rule(|request| match request {
            Request::GetLetter(_) => Act::Hang,
            _ => Act::Pass,
        });
        let (running, mut desk) = world.start_letters(policy(), unbroken(3)).await;
        let seen = desk.next().await;
        assert_eq!((seen.call.attempt, seen.call.trace_id.as_deref()), (2, Some("trace")));
        seen.done();
        world.calm().await;
        assert_eq!((running.stop(Span::ZERO).await.done, world.store.count("letter")), (1, 0));
    });
}
