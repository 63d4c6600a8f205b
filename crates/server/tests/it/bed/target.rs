//! What letters are retried by: a target whose calls land with the test, which answers them one by one.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{BreakerConfig, Evidence, Failure, Policy, QueueName, Span};
use redrive_embedded::EmbeddedStore;
use redrive_model::{Annotate, KeyWrite};
use redrive_run::{Call, Handled, Handler, Processor, ProcessorSettings, RunnerSettings};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// An attempt that takes longer is stopped.
pub(crate) const ATTEMPT_TIMEOUT: Span = Span::from_secs(30);
/// What is under way when the processor is stopped has so long to finish.
pub(crate) const DRAIN: Span = Span::from_secs(5);
/// A claim that nobody keeps up ends after this.
pub(crate) const CLAIM: Span = Span::from_secs(60);

/// Where the attempts land.
pub(crate) struct Target {
    attempts: mpsc::Receiver<Tried>,
    server: Arc<AtTarget>,
}

/// An attempt that waits for its end.
pub(crate) struct Tried {
    pub(crate) call: Call,
    end: oneshot::Sender<End>,
}

enum End {
    Handled(Handled),
    Panic(&'static str),
}

/// The side of the server.
#[derive(Debug)]
pub(super) struct AtTarget {
    attempts: mpsc::Sender<Tried>,
    /// Letters that cannot be claimed by hand: the store does not answer.
    out_of_reach: Mutex<Vec<String>>,
    /// Letters that somebody annotates just before they are claimed by hand.
    annotated: Mutex<Vec<String>>,
}

impl Target {
    pub(super) fn new() -> (Arc<AtTarget>, Self) {
        let (sender, attempts) = mpsc::channel(1_000);
        let server =
            Arc::new(AtTarget { attempts: sender, out_of_reach: Mutex::default(), annotated: Mutex::default() });
        (Arc::clone(&server), Self { attempts, server })
    }

    /// From now on these letters, and no others, cannot be claimed by hand.
    pub(crate) fn out_of_reach(&self, letters: &[&Value]) {
        let ids = letters.iter().map(|id| id.as_str().unwrap().to_owned());
        *self.server.out_of_reach.lock().unwrap() = ids.collect();
    }

    /// These letters get a note just before they are claimed by hand.
    pub(crate) fn annotated(&self, letters: &[&Value]) {
        let ids = letters.iter().map(|id| id.as_str().unwrap().to_owned());
        *self.server.annotated.lock().unwrap() = ids.collect();
    }

    /// The next attempt.
    pub(crate) async fn next(&mut self) -> Tried {
        self.attempts.recv().await.unwrap()
    }

    /// An attempt that has begun already.
    pub(crate) fn at_once(&mut self) -> Option<Tried> {
        self.attempts.try_recv().ok()
    }
}

impl Tried {
    pub(crate) fn done(self) {
        self.end(End::Handled(Handled::DONE));
    }

    /// It failed, in a way that time may heal.
    pub(crate) fn fail(self) {
        self.answer(Handled::failed(out_of_order()));
    }

    /// Only these parts of it failed.
    pub(crate) fn fail_in(self, parts: &[&str]) {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        self.answer(Handled::failed(Failure { parts, ..out_of_order() }));
    }

    pub(crate) fn answer(self, handled: Handled) {
        self.end(End::Handled(handled));
    }

    pub(crate) fn panic(self) {
        self.panic_with("the target panics");
    }

    pub(crate) fn panic_with(self, words: &'static str) {
        self.end(End::Panic(words));
    }

    fn end(self, end: End) {
        // An attempt that was stopped does not listen; the tests that stop one look at what came of it.
        let _is_heard = self.end.send(end);
    }
}

fn out_of_order() -> Failure {
    Failure::new("out of order").with_evidence(Evidence::http(503))
}

#[async_trait]
impl Handler for AtTarget {
    async fn handle(&self, call: Call) -> Handled {
        let (end, ended) = oneshot::channel();
        // A test that has put its target away has no answer, either.
        if self.attempts.send(Tried { call, end }).await.is_err() {
            return std::future::pending().await;
        }
        match ended.await {
            Ok(End::Handled(handled)) => handled,
            Ok(End::Panic(words)) => panic!("{words}"),
            Err(_thrown_away) => std::future::pending().await,
        }
    }
}

/// The store as those who retry have it.
#[derive(Debug)]
struct Door {
    store: EmbeddedStore,
    target: Arc<AtTarget>,
}

#[async_trait]
impl Store for Door {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if let Request::ClaimById(claim) = &operation {
            let lost = self.target.out_of_reach.lock().unwrap().clone();
            if claim.letters.iter().any(|letter| lost.contains(&letter.id.to_string())) {
                return Err(StoreError::Overloaded);
            }
            let annotated = self.target.annotated.lock().unwrap().clone();
            for letter in claim.letters.iter().filter(|letter| annotated.contains(&letter.id.to_string())) {
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

/// What retries the letters of `dead`.
pub(super) fn processor(store: &EmbeddedStore, clock: &ManualClock, target: &Arc<AtTarget>) -> Arc<Processor> {
    let store = Arc::new(Door { store: store.clone(), target: Arc::clone(target) });
    // A breaker that no test meets by accident.
    let breaker = BreakerConfig::new(1_000, Span::from_secs(10), 1).unwrap();
    let runner =
        RunnerSettings { concurrency: 4, timeout: ATTEMPT_TIMEOUT, breaker, drain: DRAIN, ..RunnerSettings::default() };
    let settings = ProcessorSettings {
        runner,
        lease: CLAIM,
        policy: Policy::builder().build().unwrap(),
        interval: Span::from_mins(1),
    };
    let mut processor = Processor::new(store, Arc::new(clock.clone()), settings);
    processor.add(QueueName::new("dead").unwrap(), Arc::clone(target) as Arc<dyn Handler>).unwrap();
    Arc::new(processor)
}
