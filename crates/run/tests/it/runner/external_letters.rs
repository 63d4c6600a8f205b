//! A source whose letters are captured by another system, and which can revoke deliveries.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{Answer, AttemptLimit, Span, Time};
use redrive_model::Content;
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError, Work, WorkId};
use redrive_store::{Clock, ManualClock};
use tokio::sync::{Semaphore, mpsc};

use crate::fixture::{
    CallInbox, START, permanent, policy, transient, wait_for, wait_until, with_fixture, without_breaker,
};

/// A source that hands its letters to another system, which at first does not accept them.
#[derive(Debug, Clone)]
struct ExternalLetters(Arc<ExternalState>);

#[derive(Debug)]
struct ExternalState {
    name: Arc<str>,
    clock: ManualClock,
    work_rx: tokio::sync::Mutex<mpsc::Receiver<Delivery<u32>>>,
    resolutions: Mutex<Vec<&'static str>>,
    rejections: AtomicUsize,
    /// A letter takes a permit: without one it waits.
    letters: Semaphore,
    /// When work is to be delivered again for its hand-over.
    redelivered_at: Mutex<Vec<Time>>,
}

impl ExternalLetters {
    fn new(clock: &ManualClock, rejections: usize) -> (Self, mpsc::Sender<Delivery<u32>>) {
        let (tx, rx) = mpsc::channel(10);
        let source = ExternalState {
            name: Arc::from("external"),
            clock: clock.clone(),
            work_rx: tokio::sync::Mutex::new(rx),
            resolutions: Mutex::default(),
            rejections: AtomicUsize::new(rejections),
            letters: Semaphore::new(Semaphore::MAX_PERMITS),
            redelivered_at: Mutex::default(),
        };
        (Self(Arc::new(source)), tx)
    }

    fn resolutions(&self) -> Vec<&'static str> {
        self.resolutions.lock().unwrap().clone()
    }
}

impl Deref for ExternalLetters {
    type Target = ExternalState;

    fn deref(&self) -> &ExternalState {
        &self.0
    }
}

#[async_trait]
impl Source for ExternalLetters {
    type Fence = u32;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(AttemptLimit::Unlimited)
    }

    /// Yields all work that there is, so that some may wait for a slot.
    async fn claim(&self, _claim: ClaimSpec) -> Result<Vec<Delivery<u32>>, SourceError> {
        let mut all = Vec::new();
        match self.work_rx.lock().await.recv_many(&mut all, 10).await {
            0 => Err(SourceError::Closed),
            _ => Ok(all),
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<u32>]) -> Vec<Result<(), SettleError>> {
        for settlement in settlements {
            match settlement.resolution {
                Resolution::DeadLetter(_) => self.letters.acquire().await.unwrap().forget(),
                Resolution::RedeliverForHandOver { at } => self.redelivered_at.lock().unwrap().push(at),
                _ => {}
            }
        }
        let answer = |settlement: &FinishedDelivery<u32>| {
            let (resolution, answer) = match settlement.resolution {
                Resolution::DeadLetter(_) if self.rejections.fetch_sub(1, Ordering::Relaxed) > 0 => {
                    ("rejected", Err(SettleError::HandOver("not reachable".to_owned())))
                }
                Resolution::DeadLetter(_) => ("dead", Ok(())),
                Resolution::RedeliverForHandOver { .. } => ("redelivered", Ok(())),
                Resolution::Ack { .. } => ("done", Ok(())),
                Resolution::Retry { .. } => ("retried", Ok(())),
                Resolution::Release => ("released", Ok(())),
                _ => ("other", Ok(())),
            };
            self.resolutions.lock().unwrap().push(resolution);
            answer
        };
        settlements.iter().map(answer).collect()
    }

    async fn extend(&self, fences: &[u32]) -> Vec<Result<Option<Time>, SettleError>> {
        let _now = self.clock.now();
        vec![Ok(None); fences.len()]
    }
}

fn delivery(fence: u32, is_hand_over_only: bool) -> Delivery<u32> {
    let work = Work {
        id: WorkId::Own(fence.to_string().into()),
        source: "key".into(),
        attempt: 1,
        deliveries: 1,
        since: START,
        destination: Arc::from("there"),
        ..crate::work::work(Content::of_payload("x"))
    };
    Delivery { fence, work: Arc::new(work), deadline: None, is_hand_over_only, unrun: None, cancel: None, due: None }
}

#[test]
fn work_whose_letter_is_rejected_is_redelivered_for_its_hand_over_and_its_handler_does_not_run() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 1);
        let (running, mut inbox) = fixture.start_over(source, policy(), without_breaker(1)).await;
        tx.send(delivery(1, false)).await.unwrap();
        inbox.next().await.fail(permanent());
        tx.send(delivery(2, true)).await.unwrap();
        tx.send(delivery(3, false)).await.unwrap();
        let last = inbox.next().await;
        assert_eq!(last.call.id.to_string(), "3", "the handler of redelivered work does not run");
        last.done();
        fixture.until_idle().await;
        drop(tx);
        let report = wait_for("the end", running.ended()).await;
        assert_eq!((report.hand_over_pending, report.dead_lettered, report.done), (1, 1, 1));
    });
}

#[test]
fn the_handler_of_a_revoked_delivery_is_dropped_immediately() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 0);
        let (running, mut inbox) = fixture.start_over(source, policy(), without_breaker(1)).await;
        let cancel = redrive_run::Cancel::new();
        tx.send(Delivery { cancel: Some(cancel.clone()), ..delivery(1, false) }).await.unwrap();
        let mut pending = inbox.next().await;
        cancel.cancel();
        pending.dropped().await;
        // Its slot is free again.
        tx.send(delivery(2, false)).await.unwrap();
        inbox.next().await.done();
        fixture.until_idle().await;
        drop(tx);
        let report = wait_for("the end", running.ended()).await;
        assert_eq!((report.lost, report.done), (1, 1));
    });
}

#[test]
fn a_slow_hand_over_delays_no_other_result() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 0);
        source.letters.forget_permits(Semaphore::MAX_PERMITS);
        let (running, mut inbox) = fixture.start_over(source.clone(), policy(), without_breaker(4)).await;
        tx.send(delivery(1, false)).await.unwrap();
        inbox.next().await.fail(permanent());
        for fence in 2..30 {
            tx.send(delivery(fence, false)).await.unwrap();
            inbox.next().await.done();
        }
        wait_until("all results but the letter", || async { source.resolutions().len() == 28 }).await;
        assert!(source.resolutions().iter().all(|resolution| *resolution == "done"));
        source.letters.add_permits(1);
        wait_until("the letter", || async { source.resolutions().len() == 29 }).await;
        assert_eq!(source.resolutions().last(), Some(&"dead"));
        drop(tx);
        wait_for("the end", running.ended()).await;
    });
}

#[test]
fn a_failed_hand_over_waits_longer_each_time_and_is_shown_in_health() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 3);
        let (running, mut inbox) = fixture.start_over(source.clone(), policy(), without_breaker(1)).await;
        tx.send(delivery(1, false)).await.unwrap();
        inbox.next().await.fail(permanent());
        for (redeliveries, longest) in [(1, 100), (2, 200), (3, 400)] {
            wait_until("the redelivery", || async { source.redelivered_at.lock().unwrap().len() == redeliveries })
                .await;
            let wait = source.redelivered_at.lock().unwrap()[redeliveries - 1].since(fixture.clock.now());
            let longest = Span::from_millis(longest);
            assert!(wait <= longest && wait.saturating_mul(2) >= longest, "{wait} of {longest}");
            let health = running.health().await;
            assert_eq!(health.hand_over_trouble.as_ref().unwrap().error, "not reachable");
            assert!(!health.is_progressing() && health.settle_trouble.is_none());
            tx.send(delivery(1, true)).await.unwrap();
        }
        wait_until("the letter", || async { source.resolutions().last() == Some(&"dead") }).await;
        wait_until("the end of the trouble", || async { running.health().await.hand_over_trouble.is_none() }).await;
        drop(tx);
        wait_for("the end", running.ended()).await;
    });
}

#[test]
fn work_that_waits_for_a_slot_does_not_begin_after_its_claim_was_withdrawn() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 0);
        let cancel = redrive_run::Cancel::new();
        for fence in 1..=3 {
            tx.send(Delivery { cancel: Some(cancel.clone()), ..delivery(fence, false) }).await.unwrap();
        }
        let (running, mut inbox) = fixture.start_over(source.clone(), policy(), without_breaker(1)).await;
        let first = inbox.next().await;
        cancel.withdraw();
        // What has begun may end.
        first.done();
        wait_until("the results", || async { source.resolutions().len() == 3 }).await;
        assert_eq!(source.resolutions(), ["done", "released", "released"]);
        drop(tx);
        wait_for("the end", running.ended()).await;
    });
}

/// A decision may keep work whose attempts are spent; it cannot make work runnable that its source cannot decode.
#[test]
fn a_decision_that_keeps_spent_work_does_not_run_what_its_source_declares_failed() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 0);
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = fixture.runner(source.clone(), handler, policy(), without_breaker(1));
        let running = runner.deciding_by(|_, _| Some(Answer::Retry)).start().await.unwrap();
        let mut spent = Delivery { unrun: Some(Box::new(permanent())), ..delivery(1, false) };
        Arc::make_mut(&mut spent.work).attempt = 100;
        tx.send(spent).await.unwrap();
        wait_until("the retry", || async { source.resolutions() == ["retried"] }).await;
        assert!(inbox.try_next().is_none(), "the handler does not run");
        drop(tx);
        wait_for("the end", running.ended()).await;
    });
}

#[test]
fn work_that_its_source_declares_failed_goes_through_the_policy_without_its_handler() {
    with_fixture(async |fixture| {
        let (source, tx) = ExternalLetters::new(&fixture.clock, 0);
        let (running, _inbox) = fixture.start_over(source.clone(), policy(), without_breaker(1)).await;
        tx.send(Delivery { unrun: Some(Box::new(transient())), ..delivery(1, false) }).await.unwrap();
        wait_until("the retry", || async { source.resolutions() == ["retried"] }).await;
        tx.send(Delivery { unrun: Some(Box::new(permanent())), ..delivery(2, false) }).await.unwrap();
        wait_until("the letter", || async { source.resolutions() == ["retried", "dead"] }).await;
        drop(tx);
        let report = wait_for("the end", running.ended()).await;
        assert_eq!((report.retried, report.dead_lettered, report.done), (1, 1, 0));
    });
}
