//! Pieces of work for the tests of handlers, and what becomes of them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Category, Classifier, Failure, Time, Trigger};
use redrive_model::{Content, Header, Origin};
use redrive_run::{Call, Handled, Handler, Work};
use tokio::net::TcpSocket;

/// Work with an id, and nothing else that is special.
pub(crate) fn work(content: Content) -> Work {
    Work {
        id: "order-7".into(),
        origin: Arc::new(Origin::default()),
        content: Arc::new(content),
        attempt: 2,
        deliveries: 3,
        since: Time::EPOCH,
        trigger: Trigger::Automatic,
        destination: "orders".into(),
        source: "orders".into(),
        edition: None,
        parts: Vec::new(),
        terms: None,
        trace_id: None,
        request_id: None,
        submitted_by: None,
        metadata: BTreeMap::new(),
    }
}

pub(crate) fn header(name: &str, value: impl AsRef<[u8]>) -> Header {
    Header { name: name.to_owned(), value: value.as_ref().to_vec().into() }
}

/// Has a handler do some work, in a time that no test needs.
pub(crate) async fn handle(handler: &impl Handler, work: Work) -> Handled {
    in_time(handler.handle(Call::new(Arc::new(work)))).await
}

/// Has a handler fail.
pub(crate) async fn fail(handler: &impl Handler, work: Work) -> Failure {
    match handle(handler, work).await {
        Handled::Failed(failure) => *failure,
        other => panic!("it did not fail: {other:?}"),
    }
}

pub(crate) fn category(failure: &Failure) -> Category {
    Classifier::built_in().classify(failure, 1).category
}

pub(crate) fn rule(failure: &Failure) -> String {
    Classifier::built_in().classify(failure, 1).rule.to_string()
}

/// Everything that a failure says to anybody.
pub(crate) fn all_texts(failure: &Failure) -> String {
    format!("{failure} {failure:?}")
}

/// A port of this machine where nobody listens, and nobody else will while the socket is held.
pub(crate) fn closed_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

pub(crate) async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it takes too long")
}
