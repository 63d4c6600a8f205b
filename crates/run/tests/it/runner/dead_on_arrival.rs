//! Work that is handed over without being tried again.

use redrive_core::{Category, Outcome, Span, Status, Trigger};
use redrive_model::{Attempt, ClaimById, DeathReason, Lease, LeaseSpec, Leased, SettleAction};
use redrive_store::Store;

use crate::rig::{LEASE, World, dead, item, named, policy, run, unbroken, until};

async fn leased_by_hand(world: &World) -> Leased {
    let spec = LeaseSpec { batch: 1, lease: None };
    let request = Lease { queue: named("orders"), client_id: None, spec, wait: Span::ZERO };
    world.store.local.lease(request).await.unwrap()
}

fn failed(error: &str) -> Option<Box<Attempt>> {
    let mut attempt = Attempt::new(Trigger::Automatic, Outcome::Failure);
    attempt.error = error.to_owned();
    attempt.category = Some(Category::Transient);
    Some(Box::new(attempt))
}

#[test]
fn condemned_work_is_handed_over_and_its_handler_does_not_run() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let leased = leased_by_hand(&world).await;
        let ids = leased.items.iter().map(|item| item.info.id).collect();
        let condemn = SettleAction::RedeliverForHandOver { attempt: failed("for good") };
        world.store.local.settle_all(named("orders"), None, ids, condemn).await.unwrap();
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        world.until_dead(1).await;
        assert!(desk.at_once().is_none());
        let letter = world.the_letter().await;
        assert_eq!((letter.attempts.len(), letter.attempts[0].error.as_str()), (1, "for good"));
        assert_eq!(letter.context.unwrap().death.unwrap().reason, DeathReason::GivenUp);
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.dead_lettered, report.done), (1, 0));
        world.conserved().await;
    });
}

#[test]
fn a_condemned_letter_is_given_up_and_its_handler_does_not_run() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let claim = ClaimById { queue: dead(), letters: vec![id.into()], lease: LEASE, trigger: Trigger::Automatic };
        let claimed = world.store.local.claim_by_id(claim).await.unwrap();
        let condemn = SettleAction::RedeliverForHandOver { attempt: failed("for good") };
        world.store.local.settle_all(dead(), None, vec![claimed.letters[0].info.id], condemn).await.unwrap();
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        world.until_status(id, Status::Exhausted).await;
        assert!(desk.at_once().is_none());
        let info = world.info(id).await.letter.unwrap();
        assert_eq!(info.retries, 1, "the attempt that condemned it, and none for the hand-over");
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
    });
}

/// Its holders crashed three times. Whoever claims it a fourth time does not let it try again.
#[test]
fn work_whose_attempts_were_all_lost_goes_to_the_dead_queue_without_running() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        for attempt in 1..=3 {
            let leased = leased_by_hand(&world).await;
            assert_eq!(leased.items[0].info.attempts, attempt);
            world.advance(LEASE.saturating_add(Span::from_micros(1)));
            world.calm().await;
        }
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        world.until_dead(1).await;
        assert!(desk.at_once().is_none(), "it killed three holders");
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
        world.conserved().await;
    });
}

/// The claim that finds out is not an attempt.
#[test]
fn work_that_was_spent_when_it_was_claimed_has_made_as_many_attempts_as_it_made() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        for _ in 1..=3 {
            leased_by_hand(&world).await;
            world.advance(LEASE.saturating_add(Span::from_micros(1)));
            world.calm().await;
        }
        let (running, _desk) = world.start(policy(), unbroken(1)).await;
        world.until_dead(1).await;
        let context = world.the_letter().await.context.unwrap();
        assert_eq!(context.death.unwrap().attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_queues_own_limit_ends_work_that_kills_its_holders() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        world.produce([item("a")]).await;
        for _ in 1..=3 {
            leased_by_hand(&world).await;
            world.advance(LEASE.saturating_add(Span::from_micros(1)));
            world.calm().await;
        }
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        world.until_dead(1).await;
        let death = world.the_letter().await.context.unwrap().death.unwrap();
        assert_eq!((death.attempts, death.reason), (3, DeathReason::MaxAttempts));
        assert!(desk.at_once().is_none());
        assert_eq!(running.stop(Span::ZERO).await, redrive_run::RunReport::default());
    });
}

/// Crashes and failures share one budget.
#[test]
fn a_crash_before_the_runner_leaves_one_attempt_less() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        leased_by_hand(&world).await;
        world.advance(LEASE.saturating_add(Span::from_micros(1)));
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        for attempt in 2..=3 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            seen.fail(crate::rig::transient());
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        until("its letter", || async { world.dead_letters().await.len() == 1 }).await;
        assert_eq!(world.the_letter().await.context.unwrap().death.unwrap().attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

/// Without a dead queue what dies is gone, and counted as that.
#[test]
fn work_that_fails_for_good_without_a_dead_queue_is_dropped_and_counted() {
    run(async {
        let world = World::with(|orders| orders.dead_queue = None).await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        desk.next().await.fail(crate::rig::permanent());
        world.until_empty().await;
        running.stop(Span::ZERO).await;
        world.conserved().await;
    });
}
