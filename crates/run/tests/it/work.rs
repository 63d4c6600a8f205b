//! Work for the tests of handlers, and access to their results.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{Backoff, Category, Classifier, Failure, OnOutage, Policy, Span, Time, Trigger};
use redrive_model::{Content, Header, Origin};
use redrive_run::{Call, Handled, Handler, RunnerSettings, Work};
use tokio::net::TcpSocket;

use crate::fixture::{Fixture, item, settings, wait_until};

/// Work with this content, at its second attempt and third delivery.
pub(crate) fn work(content: impl Into<Arc<Content>>) -> Work {
    Work {
        id: "order-7".into(),
        origin: Origin::default(),
        content: content.into(),
        attempt: 2,
        deliveries: 3,
        since: Time::EPOCH,
        trigger: Trigger::Automatic,
        destination: "orders".into(),
        source: "orders".into(),
        edition: None,
        parts: Vec::new(),
        terms: None,
        reply_to: None,
        trace_id: None,
        request_id: None,
        submitted_by: None,
        metadata: BTreeMap::new(),
    }
}

pub(crate) fn header(name: &str, value: impl AsRef<[u8]>) -> Header {
    Header { name: name.to_owned(), value: value.as_ref().to_vec().into() }
}

/// Calls the handler, with a time limit.
pub(crate) async fn handle(handler: &impl Handler, work: Work) -> Handled {
    with_timeout(handler.handle(Call::new(Arc::new(work)))).await
}

/// Calls the handler and returns its failure; panics if it did not fail.
pub(crate) async fn fail(handler: &impl Handler, work: Work) -> Failure {
    match handle(handler, work).await {
        Handled::Failed(failure) => *failure,
        other => panic!("expected a failure: {other:?}"),
    }
}

pub(crate) fn category(failure: &Failure) -> Category {
    Classifier::built_in().classify(failure, 1).category
}

pub(crate) fn rule(failure: &Failure) -> String {
    Classifier::built_in().classify(failure, 1).rule.to_string()
}

/// Every text of a failure that may reach a log or an operator.
pub(crate) fn all_texts(failure: &Failure) -> String {
    format!("{failure} {failure:?}")
}

/// A loopback address with no listener; no other process can listen there while the socket is held.
pub(crate) fn closed_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

/// Runs an item that has two attempts for an hour, and asserts that the target, which cannot be reached, is called again and
/// again and that this costs the item nothing.
pub(crate) async fn assert_an_hour_costs_no_attempt(unreached: impl Handler) {
    let fixture = Fixture::new().await;
    fixture.produce([item("a")]).await;
    let policy = Policy::builder().max_attempts(2).backoff(Backoff::fixed(Span::from_secs(1))).build().unwrap();
    let settings = RunnerSettings { on_outage: OnOutage::Pause, ..settings(1) };
    let calls = Arc::new(AtomicU32::new(0));
    let counted = CountedHandler { handler: unreached, calls: Arc::clone(&calls) };
    let running = fixture.runner(fixture.orders(), counted, policy, settings).start().await.unwrap();
    wait_until("the first call", || async { calls.load(Ordering::SeqCst) == 1 }).await;
    for _ in 0..360 {
        fixture.until_idle_for(2, 4).await;
        wait_until("the end of the call", || async { running.health().await.waiting == 1 }).await;
        fixture.advance(Span::from_secs(10));
    }
    let health = running.health().await;
    assert!(health.is_paused_by_outage && health.destinations[0].trouble.is_some(), "{health:?}");
    assert!(calls.load(Ordering::SeqCst) >= 300, "{} calls", calls.load(Ordering::SeqCst));
    assert_eq!(fixture.dead_letters().await, []);
    wait_until("the end of the call", || async { running.health().await.waiting == 1 }).await;
    running.stop(Span::ZERO).await;
    let items = fixture.items("orders").await;
    assert_eq!((items.len(), items[0].info.attempts), (1, 0), "{items:?}");
}

/// Counts the calls of a handler.
#[derive(Debug)]
struct CountedHandler<H> {
    handler: H,
    calls: Arc<AtomicU32>,
}

#[async_trait]
impl<H: Handler> Handler for CountedHandler<H> {
    async fn handle(&self, call: Call) -> Handled {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.handler.handle(call).await
    }
}

pub(crate) async fn with_timeout<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("timed out")
}
