//! Work for the tests of handlers, and access to their results.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Category, Classifier, Failure, Time, Trigger};
use redrive_model::{Content, Header, Origin};
use redrive_run::{Call, Handled, Handler, Work};
use tokio::net::TcpSocket;

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

pub(crate) async fn with_timeout<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("timed out")
}
