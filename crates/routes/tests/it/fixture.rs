//! Started targets, and work for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Category, Classifier, Failure, QueueName, Time, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, Origin};
use redrive_routes::{Connections, StartedTarget, TargetSettings};
use redrive_run::{Call, Handled, Handler, Work};
use redrive_store::{Clock, Store, SystemClock};
use redrive_testkit::TempDir;

/// The settings of a `[targets.NAME]` section.
pub(crate) fn settings(text: &str) -> TargetSettings {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The cluster `main` of a configuration file.
pub(crate) fn cluster(text: &str) -> Connections {
    let settings = toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Connections { clusters: BTreeMap::from([("main".to_owned(), settings)]), ..Connections::default() }
}

/// A target with these settings.
pub(crate) async fn start(text: &str) -> StartedTarget {
    start_with(text, &Connections::default()).await
}

/// A target with these settings that may refer to a connection.
pub(crate) async fn start_with(text: &str, connections: &Connections) -> StartedTarget {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let checked = settings(text).check(connections.origins());
    checked.unwrap_or_else(|error| panic!("{text}: {error}")).start(&clock).await.unwrap()
}

/// A handler of a target.
pub(crate) fn handler(target: &StartedTarget) -> Arc<dyn Handler> {
    target.handler(&store(), &QueueName::new("dead").unwrap())
}

pub(crate) fn store() -> Arc<dyn Store> {
    Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap())
}

/// Work with this payload.
pub(crate) fn work(payload: &str) -> Work {
    Work {
        id: payload.into(),
        origin: Origin::default(),
        content: Arc::new(Content::of_payload(payload.to_owned())),
        attempt: 1,
        deliveries: 1,
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

/// Calls a target with these settings once.
pub(crate) async fn call(text: &str) -> Handled {
    let target = start(text).await;
    with_timeout(handler(&target).handle(Call::new(Arc::new(work("order"))))).await
}

/// Calls a target with these settings once, and returns its failure.
pub(crate) async fn fail(text: &str) -> Failure {
    match call(text).await {
        Handled::Failed(failure) => *failure,
        other => panic!("expected a failure: {other:?}"),
    }
}

pub(crate) fn category(failure: &Failure) -> Category {
    Classifier::built_in().classify(failure, 1).category
}

pub(crate) async fn with_timeout<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("timed out")
}

/// A file of the test certificates: a CA, a certificate of a server on 127.0.0.1 and one of a client that it signed, and
/// another CA.
pub(crate) fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/certificates").join(name)
}

/// A file of the folder, with this content.
pub(crate) fn file(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}
