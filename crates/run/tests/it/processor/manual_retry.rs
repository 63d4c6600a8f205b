//! Retries that an operator asks for.

use std::sync::Arc;

use redrive_core::{Cause, LetterId, OnOutage, Outcome, RetryPolicy, Span, Status, Trigger};
use redrive_model::{
    Archive, CaptureContext, GetLetter, GetQueue, KeyWrite, LetterOverrides, NewLetter, OnLostDependency, Rejection,
    UpdateQueue,
};
use redrive_run::{ManualRetry, Processor, ProcessorError, ProcessorSettings, RunnerSettings};
use redrive_store::{Reply, Request, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::fixture::{INTERVAL, manual_letter, processor, spawn_retry, with_inbox};
use crate::fixture::{
    CallInbox, Fault, Fixture, LEASE, dead, policy, settings, transient, wait_for, wait_until, with_fixture,
    without_breaker,
};

#[test]
fn a_manual_retry_completes_its_letter_and_records_its_actor() {
    with_fixture(async |fixture| {
        let letter = manual_letter(&fixture).await;
        let (processor, mut inbox) = with_inbox(&fixture);
        let retried = spawn_retry(&processor, letter);
        let pending = inbox.next().await;
        assert_eq!((pending.call.trigger, pending.call.attempt), (Trigger::Manual, 2));
        pending.done();
        let retried = wait_for("the outcome", retried).await.unwrap().unwrap();
        assert!(retried.is_success());
        let attempt = retried.attempt.unwrap();
        assert_eq!(
            (attempt.actor.as_deref(), attempt.trigger, attempt.outcome),
            (Some("ann"), Trigger::Manual, Outcome::Success)
        );
    });
}

#[test]
fn a_failed_manual_retry_spends_a_retry_and_returns_the_error() {
    with_fixture(async |fixture| {
        let letter = manual_letter(&fixture).await;
        let (processor, mut inbox) = with_inbox(&fixture);
        for (retry, status) in
            [(1, Status::Pending), (2, Status::Pending), (3, Status::Exhausted), (4, Status::Exhausted)]
        {
            let retried = spawn_retry(&processor, letter);
            inbox.next().await.fail(transient());
            let retried = wait_for("the outcome", retried).await.unwrap().unwrap();
            assert!(!retried.is_success());
            assert_eq!(retried.status(), Some(status), "after {retry}");
            let attempt = retried.attempt.unwrap();
            assert_eq!((attempt.error.as_str(), attempt.actor.as_deref()), ("out of order", Some("ann")));
            assert_eq!(fixture.info(letter).await.letter.unwrap().retries, retry);
        }
    });
}

#[test]
fn a_second_manual_retry_of_the_same_letter_is_a_conflict() {
    with_fixture(async |fixture| {
        let letter = manual_letter(&fixture).await;
        let (processor, mut inbox) = with_inbox(&fixture);
        let first = spawn_retry(&processor, letter);
        let pending = inbox.next().await;
        let second = wait_for("the rejection", spawn_retry(&processor, letter)).await.unwrap().unwrap_err();
        let conflict = Rejection::LetterConflict { letter, status: Status::Retrying, verb: "retried" };
        assert_eq!(second, ProcessorError::Store(StoreError::Rejected(conflict)));
        pending.done();
        assert!(wait_for("the outcome", first).await.unwrap().unwrap().is_success());
    });
}

#[test]
fn a_manual_retry_is_rejected_while_the_breaker_is_open_unless_forced() {
    with_fixture(async |fixture| {
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let settings = ProcessorSettings { runner: settings(1), lease: LEASE, policy: policy(), interval: INTERVAL };
        let mut processor = Processor::new(fixture.store(), Arc::new(fixture.clock.clone()), settings);
        processor.add(dead(), Arc::new(handler)).unwrap();
        let processor = Arc::new(processor);
        let rejected_letter = manual_letter(&fixture).await;
        let other = NewLetter { policy: RetryPolicy::Never, ..fixture.letter("other", "y") };
        let other = fixture.capture([other]).await[0];
        processor.start(&dead()).await.unwrap();
        fixture.capture((0..5).map(|number| fixture.letter(&number.to_string(), "x"))).await;
        inbox.fail_next(5).await;
        wait_until("an open breaker", || async { !processor.health(&dead()).await.unwrap().unwrap().held.is_empty() })
            .await;
        // The first probe goes at once, and the next one waits: the clock does not move.
        inbox.next().await.fail(transient());
        let rejected = wait_for("the rejection", spawn_retry(&processor, rejected_letter)).await.unwrap();
        assert_eq!(rejected, Err(ProcessorError::BreakerOpen("x".into())));
        assert_eq!(fixture.info(rejected_letter).await.deliveries, 0, "the letter was not claimed");
        let elsewhere = spawn_retry(&processor, other);
        inbox.next().await.done();
        assert!(
            wait_for("the outcome", elsewhere).await.unwrap().unwrap().is_success(),
            "the breaker of its destination is closed"
        );
        let forced = tokio::spawn({
            let processor = Arc::clone(&processor);
            async move {
                let retry = ManualRetry { letter: rejected_letter.into(), actor: "ann", force: true };
                processor.retry_until(&dead(), retry, &CancellationToken::new()).await
            }
        });
        inbox.next().await.done();
        assert!(wait_for("the outcome", forced).await.unwrap().unwrap().is_success());
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        let stopped = fixture.capture([NewLetter { policy: RetryPolicy::Never, ..fixture.letter("s", "x") }]).await[0];
        let after_stop = spawn_retry(&processor, stopped);
        inbox.next().await.done();
        assert!(
            wait_for("the outcome", after_stop).await.unwrap().unwrap().is_success(),
            "a stopped processor has no breaker"
        );
    });
}

/// A letter has its own retries: a pause refunds none of them, whoever asked for the retry.
#[test]
fn a_manual_retry_in_an_outage_spends_a_retry_even_if_the_runner_pauses() {
    with_fixture(async |fixture| {
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = RunnerSettings { on_outage: OnOutage::Pause, ..settings(1) };
        let settings = ProcessorSettings { runner, lease: LEASE, policy: policy(), interval: INTERVAL };
        let mut processor = Processor::new(fixture.store(), Arc::new(fixture.clock.clone()), settings);
        processor.add(dead(), Arc::new(handler)).unwrap();
        let letter = manual_letter(&fixture).await;
        processor.start(&dead()).await.unwrap();
        let automatic = fixture.capture((0..5).map(|number| fixture.letter(&number.to_string(), "x"))).await;
        inbox.fail_next(5).await;
        let processor = Arc::new(processor);
        let health = || async { processor.health(&dead()).await.unwrap().unwrap() };
        wait_until("an open breaker", || async { !health().await.held.is_empty() }).await;
        // The first probe goes at once, and is not charged. The next one waits: the clock does not move.
        inbox.next().await.fail(transient());
        for retries in [1, 2, 3] {
            let forced = tokio::spawn({
                let processor = Arc::clone(&processor);
                async move {
                    let retry = ManualRetry { letter: letter.into(), actor: "ann", force: true };
                    processor.retry_until(&dead(), retry, &CancellationToken::new()).await
                }
            });
            inbox.next().await.fail(transient());
            assert!(!wait_for("the outcome", forced).await.unwrap().unwrap().is_success());
            assert_eq!(fixture.info(letter).await.letter.unwrap().retries, retries);
        }
        assert_eq!(fixture.status(letter).await, Status::Exhausted);
        for letter in automatic {
            assert_eq!(fixture.info(letter).await.letter.unwrap().retries, 1);
        }
        assert_eq!((health().await.is_paused_by_outage, health().await.refunded), (false, 0));
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

#[test]
fn a_letter_archived_during_its_retry_stays_archived() {
    with_fixture(async |fixture| {
        let letter = manual_letter(&fixture).await;
        let (processor, mut inbox) = with_inbox(&fixture);
        let retried = spawn_retry(&processor, letter);
        let pending = inbox.next().await;
        fixture.store().archive(Archive { queue: dead(), letters: vec![letter] }).await.unwrap();
        pending.done();
        let retried = wait_for("the outcome", retried).await.unwrap().unwrap();
        assert_eq!(retried.status(), Some(Status::Archived));
        assert!(!retried.is_success());
    });
}

/// Changes the letter settings of the dead queue.
async fn override_letters(fixture: &Fixture, change: impl FnOnce(&mut LetterOverrides)) {
    let mut letters = fixture.store().queue(GetQueue { name: dead() }).await.unwrap().letters;
    change(&mut letters);
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) };
    fixture.store().update_queue(update).await.unwrap();
}

/// The letter was archived, or the store does not answer: the claim cannot be extended, and the retry ends although its
/// handler has not.
#[test]
fn a_manual_retry_ends_when_its_claim_is_lost() {
    with_fixture(async |fixture| {
        let (processor, mut inbox) = with_inbox(&fixture);
        let archived = manual_letter(&fixture).await;
        let retried = spawn_retry(&processor, archived);
        let hanging = inbox.next().await;
        fixture.store().archive(Archive { queue: dead(), letters: vec![archived] }).await.unwrap();
        fixture.advance_in_steps(LEASE, Span::from_secs(5)).await;
        let retried = wait_for("the end", retried).await.unwrap().unwrap();
        assert_eq!((retried.status(), retried.attempt), (Some(Status::Archived), None));
        drop(hanging);
        let letter = fixture.capture([NewLetter { policy: RetryPolicy::Never, ..fixture.letter("b", "x") }]).await[0];
        let retried = spawn_retry(&processor, letter);
        let _hanging = inbox.next().await;
        fixture.store.inject_into("extend", Fault::Fail(StoreError::Overloaded));
        fixture.advance_in_steps(LEASE.saturating_add(Span::from_secs(10)), Span::from_secs(5)).await;
        let lost = wait_for("the end", retried).await.unwrap();
        assert_eq!(lost, Err(ProcessorError::ClaimLost));
    });
}

#[test]
fn a_manual_retry_that_completes_its_letter_is_a_success_without_a_retention() {
    with_fixture(async |fixture| {
        override_letters(&fixture, |letters| letters.completed_retention = Some(Span::ZERO)).await;
        let letter = manual_letter(&fixture).await;
        let (processor, mut inbox) = with_inbox(&fixture);
        let retried = spawn_retry(&processor, letter);
        inbox.next().await.done();
        let retried = wait_for("the outcome", retried).await.unwrap().unwrap();
        assert!(retried.is_success());
        assert_eq!(retried.attempt.unwrap().outcome, Outcome::Success);
        let gone = fixture.store().letter(GetLetter { queue: dead(), letter }).await;
        assert!(matches!(gone, Err(StoreError::Rejected(Rejection::NoSuchLetter(_)))), "{gone:?}");
    });
}

#[test]
fn a_rejected_manual_retry_spends_no_attempt() {
    with_fixture(async |fixture| {
        let letter = manual_letter(&fixture).await;
        let without_target = processor(&fixture, None);
        let error = without_target.retry(&dead(), letter, "ann").await.unwrap_err();
        assert_eq!(error.to_string(), "No retry callback configured; queue 'dead' has no target");
        assert_eq!(without_target.start(&dead()).await, Err(ProcessorError::NoTarget(dead())));
        let (processor, _inbox) = with_inbox(&fixture);
        fixture.store().archive(Archive { queue: dead(), letters: vec![letter] }).await.unwrap();
        let conflict = Rejection::LetterConflict { letter, status: Status::Archived, verb: "retried" };
        let error = processor.retry(&dead(), letter, "ann").await.unwrap_err();
        assert_eq!(error, ProcessorError::Store(StoreError::Rejected(conflict)));
        assert_eq!(fixture.info(letter).await.attempts, 0);
    });
}

/// A store in which a letter loses its dependency, and so is exhausted, just before it is read.
#[derive(Debug)]
struct DependencyLosingStore {
    store: Arc<dyn Store>,
    dependency: LetterId,
}

#[async_trait::async_trait]
impl Store for DependencyLosingStore {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if let Request::GetLetter(get) = &request
            && get.letter != self.dependency
        {
            self.store.archive(Archive { queue: dead(), letters: vec![self.dependency] }).await?;
            wait_until("the record of the lost dependency", || async {
                let record = self.store.letter(GetLetter { queue: dead(), letter: get.letter }).await.unwrap();
                record.info.letter.unwrap().status == Status::Exhausted
            })
            .await;
        }
        self.store.submit(request, along).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

#[test]
fn a_manual_retry_returns_its_own_attempt_even_if_others_were_recorded_after_it() {
    with_fixture(async |fixture| {
        override_letters(&fixture, |letters| letters.on_lost_dependency = Some(OnLostDependency::Exhaust)).await;
        let dependency = manual_letter(&fixture).await;
        let context = CaptureContext { depends_on: vec![dependency], ..CaptureContext::default() };
        let letter = fixture.capture([NewLetter { context, ..fixture.letter("b", "x") }]).await[0];
        let store = Arc::new(DependencyLosingStore { store: fixture.store(), dependency });
        let settings =
            ProcessorSettings { runner: without_breaker(4), lease: LEASE, policy: policy(), interval: INTERVAL };
        let mut processor = Processor::new(store, Arc::new(fixture.clock.clone()), settings);
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        processor.add(dead(), Arc::new(handler)).unwrap();
        let retried = spawn_retry(&Arc::new(processor), letter);
        inbox.next().await.fail(transient());
        let retried = wait_for("the outcome", retried).await.unwrap().unwrap();
        assert_eq!(retried.letter.attempts.last().unwrap().cause, Some(Cause::LostDependency));
        let attempt = retried.attempt.expect("the letter was tried");
        assert_eq!((attempt.error.as_str(), attempt.actor.as_deref()), ("out of order", Some("ann")));
    });
}
