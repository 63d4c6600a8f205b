//! A server on a store, and a client of it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive_client::Client;
use redrive_client::proto::querator::QueueInfo;
use redrive_core::{Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, Settings};
use redrive_store::{ManualClock, Store};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// What a server stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    Memory,
    Journal,
}

/// A server whose clock stands still until a test moves it. After a restart it listens where it did.
#[derive(Debug)]
pub(crate) struct Bed {
    pub(crate) clock: ManualClock,
    folder: Option<Folder>,
    store: Arc<dyn Store>,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    address: SocketAddr,
}

impl Bed {
    pub(crate) async fn new(ground: Ground) -> Self {
        Self::at(ground, ManualClock::new(Time::from_secs(1_800_000_000))).await
    }

    pub(crate) async fn at(ground: Ground, clock: ManualClock) -> Self {
        let folder = (ground == Ground::Journal).then(Folder::new);
        let store = open(folder.as_ref(), &clock);
        let stop = CancellationToken::new();
        let (address, serving) = serve(([127, 0, 0, 1], 0).into(), &store, &clock, &stop).await;
        Self { clock, folder, store, stop, serving: Some(serving), address }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.address.to_string()).unwrap()
    }

    /// What the server stands on, for looking at it from outside.
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
        self.store = open(self.folder.as_ref(), &self.clock);
        let (_, serving) = serve(self.address, &self.store, &self.clock, &self.stop).await;
        self.serving = Some(serving);
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn open(folder: Option<&Folder>, clock: &ManualClock) -> Arc<dyn Store> {
    let options = EmbeddedOptions {
        clock: Arc::new(clock.clone()),
        // A file is written in full before it is used; memory is not.
        segment_bytes: if folder.is_some() { 8 << 20 } else { 64 << 20 },
        idle_proof: Span::from_hours(1),
        ..EmbeddedOptions::default()
    };
    let store = match folder {
        None => EmbeddedStore::in_memory(&options),
        Some(folder) => EmbeddedStore::open(&folder.0, &options),
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

/// The settings of a queue with an hour's leases.
pub(crate) fn queue(name: &str) -> QueueInfo {
    QueueInfo {
        queue_name: name.to_owned(),
        lease_timeout: "1h".to_owned(),
        expire_timeout: "24h".to_owned(),
        requested_partitions: 1,
        ..QueueInfo::default()
    }
}

/// A folder of a test's own, for as long as the test needs it.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("client-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The store may still be writing to it: what is left is in the folder for such things.
        let _left_behind = std::fs::remove_dir_all(&self.0);
    }
}
