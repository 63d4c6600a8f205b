//! A source whose letters are captured by another system, and which can revoke deliveries.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Time};
use redrive_model::{Content, Origin};
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError, Work, WorkId};
use redrive_store::{Clock, ManualClock};
use tokio::sync::mpsc;

use crate::fixture::{CallInbox, Fixture, START, permanent, policy, run, wait_for, without_breaker};

/// A source that hands its letters to another system, which at first does not accept them.
#[derive(Debug)]
struct ExternalLetters {
    name: Arc<str>,
    clock: ManualClock,
    work_rx: tokio::sync::Mutex<mpsc::Receiver<Delivery<u32>>>,
    resolutions: Mutex<Vec<&'static str>>,
    rejections: AtomicUsize,
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

    async fn claim(&self, _claim: ClaimSpec) -> Result<Vec<Delivery<u32>>, SourceError> {
        match self.work_rx.lock().await.recv().await {
            Some(delivery) => Ok(vec![delivery]),
            None => Err(SourceError::Closed),
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<u32>]) -> Vec<Result<(), SettleError>> {
        let answer = |settlement: &FinishedDelivery<u32>| {
            let (resolution, answer) = match settlement.resolution {
                Resolution::DeadLetter(_) if self.rejections.fetch_sub(1, Ordering::Relaxed) > 0 => {
                    ("rejected", Err(SettleError::HandOver("not reachable".to_owned())))
                }
                Resolution::DeadLetter(_) => ("dead", Ok(())),
                Resolution::RedeliverForHandOver => ("redelivered", Ok(())),
                Resolution::Ack { .. } => ("done", Ok(())),
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
        edition: None,
        origin: Arc::new(Origin::default()),
        content: Arc::new(Content::of_payload("x")),
        attempt: 1,
        deliveries: 1,
        since: START,
        trigger: redrive_core::Trigger::Automatic,
        destination: Arc::from("there"),
        parts: Vec::new(),
        terms: None,
        trace_id: None,
        request_id: None,
        submitted_by: None,
        metadata: std::collections::BTreeMap::new(),
    };
    Delivery { fence, work: Arc::new(work), deadline: None, is_hand_over_only, cancel: None, due: None }
}

#[test]
fn work_whose_letter_is_rejected_is_redelivered_for_its_hand_over_and_its_handler_does_not_run() {
    run(async {
        let fixture = Fixture::new().await;
        let (tx, rx) = mpsc::channel(10);
        let source = ExternalLetters {
            name: Arc::from("external"),
            clock: fixture.clock.clone(),
            work_rx: tokio::sync::Mutex::new(rx),
            resolutions: Mutex::default(),
            rejections: AtomicUsize::new(1),
        };
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let running = fixture.runner(source, handler, policy(), without_breaker(1)).start().await.unwrap();
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
        assert_eq!((report.condemned, report.dead_lettered, report.done), (1, 1, 1));
    });
}

#[test]
fn the_handler_of_a_revoked_delivery_is_dropped_immediately() {
    run(async {
        let fixture = Fixture::new().await;
        let (tx, rx) = mpsc::channel(10);
        let source = ExternalLetters {
            name: Arc::from("external"),
            clock: fixture.clock.clone(),
            work_rx: tokio::sync::Mutex::new(rx),
            resolutions: Mutex::default(),
            rejections: AtomicUsize::new(0),
        };
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let running = fixture.runner(source, handler, policy(), without_breaker(1)).start().await.unwrap();
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
