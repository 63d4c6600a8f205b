//! A server on a store.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive_core::{Span, Time};
use redrive_server::{Server, Settings};
use redrive_store::{LocalStore, ManualClock, Options, Store};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Caller;

/// What a server stands on. Whoever brings another store adds it here, and all tests run on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    Memory,
    Journal,
}

impl Ground {
    pub(crate) const ALL: [Self; 2] = [Self::Memory, Self::Journal];
}

/// Runs a test on every ground, with a server of its own each.
pub(crate) async fn each<F: Future<Output = ()>>(test: impl Fn(Bed) -> F) {
    for ground in Ground::ALL {
        test(Bed::new(ground).await).await;
    }
}

/// A server, its clock, and what it stands on. The clock stands still until a test moves it.
pub(crate) struct Bed {
    pub(crate) clock: ManualClock,
    pub(crate) settings: Settings,
    ground: Ground,
    folder: Option<Folder>,
    store: Arc<dyn Store>,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    address: std::net::SocketAddr,
}

pub(crate) const NOON: &str = "2026-11-15T12:00:00Z";

impl Bed {
    pub(crate) async fn new(ground: Ground) -> Self {
        Self::with(ground, Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() }).await
    }

    pub(crate) async fn with(ground: Ground, settings: Settings) -> Self {
        let clock = ManualClock::new(NOON.parse::<Time>().unwrap());
        let folder = (ground == Ground::Journal).then(Folder::new);
        let store = open(folder.as_ref(), &clock);
        let stop = CancellationToken::new();
        let (address, serving) = serve(&settings, &store, &clock, &stop).await;
        Self { clock, settings, ground, folder, store, stop, serving: Some(serving), address }
    }

    pub(crate) fn ground(&self) -> Ground {
        self.ground
    }

    /// A caller with a connection of its own.
    pub(crate) async fn caller(&self) -> Caller {
        Caller::connect(self.address).await
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.address
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn advance(&self, by: Span) {
        self.clock.advance(by);
    }

    /// Stops serving, as a signal would have it; the store stays open.
    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        if let Some(serving) = self.serving.take() {
            serving.await.unwrap();
        }
    }

    /// Stops and starts again on what is kept. A store in memory keeps nothing.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.store.close().await.unwrap();
        self.stop = CancellationToken::new();
        self.store = open(self.folder.as_ref(), &self.clock);
        let (address, serving) = serve(&self.settings, &self.store, &self.clock, &self.stop).await;
        self.address = address;
        self.serving = Some(serving);
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn open(folder: Option<&Folder>, clock: &ManualClock) -> Arc<dyn Store> {
    let options = Options { clock: Arc::new(clock.clone()), segment_bytes: 8 << 20, ..Options::default() };
    let store = match folder {
        None => LocalStore::in_memory(&options),
        Some(folder) => LocalStore::open(&folder.0, &options),
    };
    Arc::new(store.unwrap())
}

async fn serve(
    settings: &Settings,
    store: &Arc<dyn Store>,
    clock: &ManualClock,
    stop: &CancellationToken,
) -> (std::net::SocketAddr, JoinHandle<()>) {
    let server = Server::bind(settings.clone(), Arc::clone(store), Arc::new(clock.clone())).await.unwrap();
    (server.address(), tokio::spawn(server.serve(stop.clone())))
}

/// A folder that is gone with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("redrive-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is in nobody's way.
        let _left_behind = std::fs::remove_dir_all(&self.0);
    }
}
