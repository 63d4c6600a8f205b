//! A server in this process, and its client.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_client::Client;
use redrive_client::proto::querator::QueueInfo;
use redrive_core::{QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, Settings};
use redrive_store::{ManualClock, Store};
use redrive_testkit::{TempDir, folder};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Storage of a test server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    Memory,
    Journal,
}

/// A server whose clock is stopped until a test advances it. It keeps its address across restarts.
#[derive(Debug)]
pub(crate) struct TestServer {
    pub(crate) clock: ManualClock,
    directory: Option<TempDir>,
    store: Arc<dyn Store>,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    pub(crate) address: SocketAddr,
}

impl TestServer {
    pub(crate) async fn new(storage: Storage) -> Self {
        Self::at(storage, ManualClock::new(Time::from_secs(1_800_000_000))).await
    }

    pub(crate) async fn at(storage: Storage, clock: ManualClock) -> Self {
        let directory = (storage == Storage::Journal).then(|| folder("client"));
        let store = open(directory.as_ref(), &clock);
        let stop = CancellationToken::new();
        let (address, serving) = serve(([127, 0, 0, 1], 0).into(), &store, &clock, &stop).await;
        Self { clock, directory, store, stop, serving: Some(serving), address }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.address.to_string()).unwrap()
    }

    /// The server's own store, to inspect its state directly.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        if let Some(serving) = self.serving.take() {
            serving.await.unwrap();
        }
        self.store.close().await.unwrap();
    }

    pub(crate) async fn start(&mut self) {
        self.stop = CancellationToken::new();
        self.store = open(self.directory.as_ref(), &self.clock);
        let (_, serving) = serve(self.address, &self.store, &self.clock, &self.stop).await;
        self.serving = Some(serving);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn open(directory: Option<&TempDir>, clock: &ManualClock) -> Arc<dyn Store> {
    let options = EmbeddedOptions {
        clock: Arc::new(clock.clone()),
        // A segment on disk is filled with zeros before it is used.
        segment_bytes: if directory.is_some() { 8 << 20 } else { 64 << 20 },
        idle_proof: Span::from_hours(1),
        ..EmbeddedOptions::default()
    };
    let store = match directory {
        None => EmbeddedStore::in_memory(&options),
        Some(directory) => EmbeddedStore::open(directory.path(), &options),
    };
    Arc::new(store.unwrap())
}

async fn serve(
    listen: SocketAddr,
    store: &Arc<dyn Store>,
    clock: &ManualClock,
    stop: &CancellationToken,
) -> (SocketAddr, JoinHandle<()>) {
    let settings = Settings { listen, shutdown_grace: Span::from_secs(1), ..Settings::default() };
    let server = Server::bind(settings, Arc::clone(store), Arc::new(clock.clone())).await.unwrap();
    (server.address(), tokio::spawn(server.serve(stop.clone())))
}

pub(crate) fn name(name: &str) -> QueueName {
    QueueName::new(name).unwrap()
}

/// The settings of a queue with leases of one hour.
pub(crate) fn queue(name: &str) -> QueueInfo {
    QueueInfo {
        queue_name: name.to_owned(),
        lease_timeout: "1h".to_owned(),
        expire_timeout: "24h".to_owned(),
        requested_partitions: 1,
        ..QueueInfo::default()
    }
}
