//! A target of letter retries whose calls are answered by the test, one by one.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{BreakerConfig, Evidence, Failure, Policy, QueueName, Span};
use redrive_embedded::EmbeddedStore;
use redrive_model::{Annotate, KeyWrite};
use redrive_run::{Call, Handled, Handler, Processor, ProcessorSettings, RunnerSettings};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// The timeout of an attempt.
pub(crate) const ATTEMPT_TIMEOUT: Span = Span::from_secs(30);
/// The time that running attempts have to finish when the processor is stopped.
pub(crate) const DRAIN: Span = Span::from_secs(5);
/// The time after which a claim expires unless it is extended.
pub(crate) const CLAIM: Span = Span::from_secs(60);

/// The test's side of the target: receives the attempts.
pub(crate) struct Target {
    attempts: mpsc::Receiver<PendingAttempt>,
    handler: Arc<TargetHandler>,
}

/// A running attempt that waits for its result from the test.
pub(crate) struct PendingAttempt {
    pub(crate) call: Call,
    result: oneshot::Sender<AttemptResult>,
}

enum AttemptResult {
    Handled(Handled),
    Panic(&'static str),
}

/// The server's side of the target: forwards each call to the test and waits for its result.
#[derive(Debug)]
pub(super) struct TargetHandler {
    attempts: mpsc::Sender<PendingAttempt>,
    /// Letters whose manual claims fail because the store is overloaded.
    failing_claims: Mutex<Vec<String>>,
    /// Letters that get a note just before they are claimed for a manual retry.
    annotated_letters: Mutex<Vec<String>>,
    /// The failures that open a circuit breaker.
    breaker_threshold: u32,
}

impl Target {
    /// The threshold of its breakers is so high that no test opens one by accident.
    pub(super) fn new() -> (Arc<TargetHandler>, Self) {
        Self::with_breaker(1_000)
    }

    /// A target whose breaker opens after this many failures.
    pub(super) fn with_breaker(breaker_threshold: u32) -> (Arc<TargetHandler>, Self) {
        let (tx, attempts) = mpsc::channel(1_000);
        let (failing_claims, annotated_letters) = (Mutex::default(), Mutex::default());
        let handler = Arc::new(TargetHandler { attempts: tx, failing_claims, annotated_letters, breaker_threshold });
        (Arc::clone(&handler), Self { attempts, handler })
    }

    /// From now on manual claims of these letters fail, and those of all other letters succeed.
    pub(crate) fn fail_claims_of(&self, letters: &[&Value]) {
        let ids = letters.iter().map(|id| id.as_str().unwrap().to_owned());
        *self.handler.failing_claims.lock().unwrap() = ids.collect();
    }

    /// Adds a note to these letters just before they are claimed for a manual retry.
    pub(crate) fn annotate_before_claim(&self, letters: &[&Value]) {
        let ids = letters.iter().map(|id| id.as_str().unwrap().to_owned());
        *self.handler.annotated_letters.lock().unwrap() = ids.collect();
    }

    /// Waits for the next attempt.
    pub(crate) async fn next(&mut self) -> PendingAttempt {
        self.attempts.recv().await.unwrap()
    }

    /// The next attempt, if it has already started.
    pub(crate) fn try_next(&mut self) -> Option<PendingAttempt> {
        self.attempts.try_recv().ok()
    }
}

impl PendingAttempt {
    pub(crate) fn done(self) {
        self.finish(AttemptResult::Handled(Handled::DONE));
    }

    /// Fails the attempt with a transient error.
    pub(crate) fn fail(self) {
        self.answer(Handled::failed(unavailable()));
    }

    /// Fails only these parts of the attempt.
    pub(crate) fn fail_in(self, parts: &[&str]) {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        self.answer(Handled::failed(Failure { parts, ..unavailable() }));
    }

    pub(crate) fn answer(self, handled: Handled) {
        self.finish(AttemptResult::Handled(handled));
    }

    pub(crate) fn panic(self) {
        self.panic_with("the target panics");
    }

    pub(crate) fn panic_with(self, message: &'static str) {
        self.finish(AttemptResult::Panic(message));
    }

    fn finish(self, result: AttemptResult) {
        // A stopped attempt no longer receives its result; the tests that stop one check the letter instead.
        let _is_received = self.result.send(result);
    }
}

fn unavailable() -> Failure {
    Failure::new("unavailable").with_evidence(Evidence::http(503))
}

#[async_trait]
impl Handler for TargetHandler {
    async fn handle(&self, call: Call) -> Handled {
        let (tx, rx) = oneshot::channel();
        // A test that has dropped its target answers no attempt.
        if self.attempts.send(PendingAttempt { call, result: tx }).await.is_err() {
            return std::future::pending().await;
        }
        match rx.await {
            Ok(AttemptResult::Handled(handled)) => handled,
            Ok(AttemptResult::Panic(message)) => panic!("{message}"),
            Err(_dropped) => std::future::pending().await,
        }
    }

    fn target(&self) -> String {
        "test target".to_owned()
    }
}

/// The store as the processor sees it: changes or rejects manual claims as the test demands.
#[derive(Debug)]
struct InterceptedStore {
    store: EmbeddedStore,
    target: Arc<TargetHandler>,
}

#[async_trait]
impl Store for InterceptedStore {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if let Request::ClaimById(claim) = &operation {
            let failing = self.target.failing_claims.lock().unwrap().clone();
            if claim.letters.iter().any(|letter| failing.contains(&letter.id.to_string())) {
                return Err(StoreError::Overloaded);
            }
            let annotated_letters = self.target.annotated_letters.lock().unwrap().clone();
            for letter in claim.letters.iter().filter(|letter| annotated_letters.contains(&letter.id.to_string())) {
                let note = bytes::Bytes::from_static(b"{\"text\":\"wait\"}");
                self.store.annotate(Annotate { queue: claim.queue.clone(), letter: letter.id, note }).await?;
            }
        }
        self.store.submit(operation, along).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }

    fn is_durable(&self) -> bool {
        self.store.is_durable()
    }
}

/// The processor of a server: it retries the letters of `dead`, if there is a target.
pub(super) fn processor(
    store: &EmbeddedStore,
    clock: &ManualClock,
    target: Option<&Arc<TargetHandler>>,
) -> Arc<Processor> {
    let intercepted = |target: &Arc<TargetHandler>| -> Arc<dyn Store> {
        Arc::new(InterceptedStore { store: store.clone(), target: Arc::clone(target) })
    };
    let store = target.map_or_else(|| Arc::new(store.clone()) as Arc<dyn Store>, intercepted);
    let threshold = target.map_or(1_000, |target| target.breaker_threshold);
    let breaker = BreakerConfig::new(threshold, Span::from_secs(10), 1).unwrap();
    let runner = RunnerSettings {
        concurrency: 4,
        timeout: ATTEMPT_TIMEOUT,
        breaker: Some(breaker),
        drain: DRAIN,
        ..RunnerSettings::default()
    };
    let settings = ProcessorSettings {
        runner,
        lease: CLAIM,
        policy: Policy::builder().build().unwrap(),
        interval: Span::from_mins(1),
    };
    let mut processor = Processor::new(store, Arc::new(clock.clone()), settings);
    if let Some(target) = target {
        processor.add(QueueName::new("dead").unwrap(), Arc::clone(target) as Arc<dyn Handler>).unwrap();
    }
    Arc::new(processor)
}
