//! A server on a store.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redrive_core::{QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::Disk;
use redrive_model::GetStats;
use redrive_run::Processor;
use redrive_server::{Server, Settings};
use redrive_store::{Clock, FreezeQueues, ManualClock, Store};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::target::{AtTarget, Target, processor};
use super::{Caller, Heard, Raw};

/// What takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

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
        bounded(async { test(Bed::new(ground).await).await }).await;
    }
}

/// Runs a test on one ground: for what does not depend on what the server stands on.
pub(crate) async fn on<F: Future<Output = ()>>(ground: Ground, test: impl FnOnce(Bed) -> F) {
    bounded(async { test(Bed::new(ground).await).await }).await;
}

/// Runs a test on every ground, with a server that retries the letters of `dead`.
pub(crate) async fn each_retrying<F: Future<Output = ()>>(test: impl Fn(Bed, Target) -> F) {
    for ground in Ground::ALL {
        bounded(async {
            let (bed, target) = Bed::retrying(ground).await;
            test(bed, target).await;
        })
        .await;
    }
}

/// A hang becomes a failure that says so.
pub(crate) async fn bounded<T>(work: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(PATIENCE, work).await;
    done.unwrap_or_else(|_| panic!("no answer within a minute"))
}

/// A server, its clock, and what it stands on. The clock stands still until a test moves it.
pub(crate) struct Bed {
    pub(crate) clock: ManualClock,
    pub(crate) settings: Settings,
    ground: Ground,
    seat: Seat,
    store: EmbeddedStore,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    address: std::net::SocketAddr,
    target: Option<Arc<AtTarget>>,
    processor: Option<Arc<Processor>>,
}

const NOON: &str = "2026-11-15T12:00:00Z";

impl Bed {
    pub(crate) async fn new(ground: Ground) -> Self {
        Self::with(ground, Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() }).await
    }

    pub(crate) async fn with(ground: Ground, settings: Settings) -> Self {
        let seat = match ground {
            Ground::Memory => Seat::Memory,
            Ground::Journal => Seat::Folder(Folder::new()),
        };
        Self::start(ground, seat, settings, None).await
    }

    /// A server that retries the letters of `dead`: one by one as they are asked for, and by themselves from when
    /// `letters.process` says so.
    pub(crate) async fn retrying(ground: Ground) -> (Self, Target) {
        let seat = match ground {
            Ground::Memory => Seat::Memory,
            Ground::Journal => Seat::Folder(Folder::new()),
        };
        Self::retrying_on(ground, seat).await
    }

    /// The same, on a disk that a test has in its hands.
    pub(crate) async fn retrying_on_disk(disk: Arc<dyn Disk>) -> (Self, Target) {
        Self::retrying_on(Ground::Journal, Seat::Disk(disk)).await
    }

    async fn retrying_on(ground: Ground, seat: Seat) -> (Self, Target) {
        let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
        let (at_target, target) = Target::new();
        (Self::start(ground, seat, settings, Some(at_target)).await, target)
    }

    /// A server whose store keeps its journal on a disk that a test has in its hands.
    pub(crate) async fn on_disk(disk: Arc<dyn Disk>) -> Self {
        let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
        Self::start(Ground::Journal, Seat::Disk(disk), settings, None).await
    }

    async fn start(ground: Ground, seat: Seat, settings: Settings, target: Option<Arc<AtTarget>>) -> Self {
        let clock = ManualClock::new(NOON.parse::<Time>().unwrap());
        let store = open(&seat, &clock);
        let stop = CancellationToken::new();
        let processor = target.as_ref().map(|target| processor(&store, &clock, target));
        let (address, serving) = serve(&settings, &store, &clock, processor.as_ref(), &stop).await;
        Self { clock, settings, ground, seat, store, stop, serving: Some(serving), address, target, processor }
    }

    pub(crate) fn ground(&self) -> Ground {
        self.ground
    }

    /// A caller whose connection a test writes byte by byte.
    pub(crate) async fn raw(&self) -> Raw {
        Raw::connect(self.address).await
    }

    /// A caller with a connection of its own.
    pub(crate) async fn caller(&self) -> Caller {
        Caller::connect(self.address).await
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.address
    }

    pub(crate) fn store(&self) -> &EmbeddedStore {
        &self.store
    }

    /// What is asked of the queue is kept from now on,
    pub(crate) async fn stand_still(&self, queue: &str) {
        self.store.freeze(QueueName::new(queue).unwrap()).await.unwrap();
    }

    /// and done here, in one pass.
    pub(crate) async fn go_on(&self, queue: &str) {
        self.store.unfreeze(QueueName::new(queue).unwrap()).await.unwrap();
    }

    /// A call on a connection of its own, which goes on while the test does something else.
    pub(crate) async fn calling(&self, path: &'static str, body: Value) -> JoinHandle<Heard> {
        let mut caller = self.caller().await;
        tokio::spawn(async move { caller.json(path, body).await })
    }

    /// A lease that waits; it does when this returns.
    pub(crate) async fn leasing(&self, queue: &str, client: &str, batch: i32) -> JoinHandle<Heard> {
        let before = self.waiting(queue).await;
        let lease = json!({ "queue_name": queue, "batch_size": batch, "client_id": client, "request_timeout": "1m" });
        let lease = self.calling("/v1/queue.lease", lease).await;
        self.until_waiting(queue, before + 1).await;
        lease
    }

    /// How many leases wait.
    pub(crate) async fn waiting(&self, queue: &str) -> u64 {
        self.store.stats(GetStats { queue: QueueName::new(queue).unwrap() }).await.unwrap().waiting
    }

    pub(crate) async fn until_waiting(&self, queue: &str, count: u64) {
        while self.waiting(queue).await != count {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn clock_now(&self) -> Time {
        self.clock.now()
    }

    /// Where the journal lies.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.seat {
            Seat::Folder(folder) => Some(&folder.0),
            Seat::Memory | Seat::Disk(_) => None,
        }
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

    /// Loses the server, has a test do to its disk what a crash does, and starts again on what is left.
    pub(crate) async fn crash(&mut self, crash: impl FnOnce()) {
        self.stop().await;
        // The machine is gone: what the store had to say about its end is of no interest.
        let _lost = self.store.close().await;
        crash();
        self.start_again().await;
    }

    /// Stops and starts again on what is kept. A store in memory keeps nothing.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        if let Some(processor) = self.processor.take() {
            processor.stop_all(Span::ZERO).await;
        }
        self.store.close().await.unwrap();
        self.start_again().await;
    }

    async fn start_again(&mut self) {
        self.stop = CancellationToken::new();
        self.store = open(&self.seat, &self.clock);
        let (store, target) = (&self.store, self.target.as_ref());
        self.processor = target.map(|target| processor(store, &self.clock, target));
        let (address, serving) = serve(&self.settings, store, &self.clock, self.processor.as_ref(), &self.stop).await;
        self.address = address;
        self.serving = Some(serving);
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Where a store keeps what it keeps.
enum Seat {
    Memory,
    Folder(Folder),
    Disk(Arc<dyn Disk>),
}

fn open(seat: &Seat, clock: &ManualClock) -> EmbeddedStore {
    // A disk that is simulated copies whole files, and what happens to it is to be seen.
    let is_simulated = matches!(seat, Seat::Disk(_));
    let segment_bytes = if is_simulated { 256 << 10 } else { 16 << 20 };
    let cache_bytes = if is_simulated { 0 } else { EmbeddedOptions::default().cache_bytes };
    let clock = Arc::new(clock.clone());
    let options = EmbeddedOptions { clock, segment_bytes, cache_bytes, ..EmbeddedOptions::default() };
    let store = match seat {
        Seat::Memory => EmbeddedStore::in_memory(&options),
        Seat::Folder(folder) => EmbeddedStore::open(&folder.0, &options),
        Seat::Disk(disk) => EmbeddedStore::open_on(Arc::clone(disk), Path::new("/store"), &options),
    };
    store.unwrap()
}

async fn serve(
    settings: &Settings,
    store: &EmbeddedStore,
    clock: &ManualClock,
    processor: Option<&Arc<Processor>>,
    stop: &CancellationToken,
) -> (std::net::SocketAddr, JoinHandle<()>) {
    let server = Server::bind(settings.clone(), Arc::new(store.clone()), Arc::new(clock.clone())).await.unwrap();
    let server = match processor {
        Some(processor) => server.with_processor(Arc::clone(processor)),
        None => server,
    };
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
