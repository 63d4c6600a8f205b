//! Work that becomes a dead letter without another attempt.

use redrive_core::{Category, Outcome, Span, Status, Time, Trigger};
use redrive_model::{Attempt, ClaimById, DeathReason, Lease, LeaseSpec, Leased, SettleAction};
use redrive_store::Store;

use crate::fixture::{
    CallInbox, Fixture, LEASE, dead, item, policy, queue_name, run, wait_until, with_attempts, with_fixture,
    without_breaker,
};

async fn lease_one(fixture: &Fixture) -> Leased {
    let spec = LeaseSpec { batch: 1, lease: None, notes_receipt: false };
    let request = Lease { queue: queue_name("orders"), client_id: None, spec, wait: Span::ZERO };
    fixture.store.local.lease(request).await.unwrap()
}

/// Leases the item as often as given, and lets each lease expire.
async fn lose_attempts(fixture: &Fixture, attempts: u32) {
    for attempt in 1..=attempts {
        let leased = lease_one(fixture).await;
        assert_eq!(leased.items[0].info.attempts, attempt);
        fixture.advance(LEASE.saturating_add(Span::from_micros(1)));
        fixture.until_idle().await;
    }
}

fn failed_attempt(error: &str) -> Option<Box<Attempt>> {
    let mut attempt = Attempt::new(Trigger::Automatic, Outcome::Failure);
    attempt.error = error.to_owned();
    attempt.category = Some(Category::Transient);
    Some(Box::new(attempt))
}

#[test]
fn work_redelivered_for_its_hand_over_becomes_a_letter_and_its_handler_does_not_run() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let leased = lease_one(&fixture).await;
        let ids = leased.items.iter().map(|item| item.info.id).collect();
        let redeliver = SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: failed_attempt("permanent") };
        fixture.store.local.settle_all(queue_name("orders"), None, ids, redeliver).await.unwrap();
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        fixture.until_letters(1).await;
        assert!(inbox.try_next().is_none());
        let letter = fixture.only_letter().await;
        assert_eq!((letter.attempts.len(), letter.attempts[0].error.as_str()), (1, "permanent"));
        assert_eq!(letter.context.unwrap().death.unwrap().reason, DeathReason::GivenUp);
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.dead_lettered, report.done), (1, 0));
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_letter_redelivered_for_its_hand_over_is_exhausted_and_its_handler_does_not_run() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let claim = ClaimById { queue: dead(), letters: vec![id.into()], lease: LEASE, trigger: Trigger::Automatic };
        let claimed = fixture.store.local.claim_by_id(claim).await.unwrap();
        let redeliver = SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: failed_attempt("permanent") };
        fixture.store.local.settle_all(dead(), None, vec![claimed.letters[0].info.id], redeliver).await.unwrap();
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        fixture.until_status(id, Status::Exhausted).await;
        assert!(inbox.try_next().is_none());
        let info = fixture.info(id).await.letter.unwrap();
        assert_eq!(info.retries, 1, "one for the failed attempt, none for the hand-over");
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
    });
}

/// Its holder crashes every time, and the decision has a defect: it must not run without an end.
#[test]
fn a_decision_that_panics_about_spent_work_does_not_run_it_again() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        lose_attempts(&fixture, 3).await;
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = fixture.runner(fixture.orders(), handler, policy(), without_breaker(1));
        let running = runner.deciding_by(|_, _| panic!("a defect of the decision")).start().await.unwrap();
        fixture.until_letters(1).await;
        assert!(inbox.try_next().is_none(), "the handler does not run");
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
    });
}

/// Its holders crashed three times, so a fourth attempt would exceed the limit.
#[test]
fn work_whose_attempts_were_all_lost_becomes_a_letter_without_running() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        lose_attempts(&fixture, 3).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        fixture.until_letters(1).await;
        assert!(inbox.try_next().is_none(), "three attempts were lost, so there is no fourth");
        assert_eq!(running.stop(Span::ZERO).await.dead_lettered, 1);
        fixture.assert_conserved().await;
    });
}

#[test]
fn the_claim_that_finds_exhausted_work_does_not_count_as_an_attempt() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        lose_attempts(&fixture, 3).await;
        let (running, _inbox) = fixture.start(policy(), without_breaker(1)).await;
        let context = fixture.first_letter().await.context.unwrap();
        assert_eq!(context.death.unwrap().attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn the_attempt_limit_of_the_queue_applies_to_work_whose_holders_crash() {
    with_attempts(3, async |fixture| {
        fixture.produce([item("a")]).await;
        lose_attempts(&fixture, 3).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        let death = fixture.first_letter().await.context.unwrap().death.unwrap();
        assert_eq!((death.attempts, death.reason), (3, DeathReason::MaxAttempts));
        assert!(inbox.try_next().is_none());
        assert_eq!(running.stop(Span::ZERO).await, redrive_run::RunReport::default());
    });
}

#[test]
fn crashes_and_failures_count_against_the_same_limit() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        lose_attempts(&fixture, 1).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        for attempt in 2..=3 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            pending.fail(crate::fixture::transient());
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        wait_until("the letter", || async { fixture.dead_letters().await.len() == 1 }).await;
        assert_eq!(fixture.only_letter().await.context.unwrap().death.unwrap().attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_that_fails_permanently_without_a_dead_queue_is_dropped_and_counted() {
    run(async {
        let fixture = Fixture::with_orders(|orders| orders.dead_queue = None).await;
        let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
        inbox.next().await.fail(crate::fixture::permanent());
        fixture.stop_when_empty(running).await;
        fixture.assert_conserved().await;
    });
}
