//! A server on a store, with a manual clock.

use std::path::Path;
use std::sync::Arc;

use redrive_core::{QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::Disk;
use redrive_model::GetStats;
use redrive_routes::{Connections, RedisServerSettings, RouteDefinition, RouteEnvironment, TargetSettings};
use redrive_run::{Processor, StoreLetterBox};
use redrive_server::{Server, ServerRoutes, Settings};
use redrive_store::{Clock, FreezeQueues, ManualClock, Store};
use redrive_testkit::{TempDir, folder};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::target::{Target, TargetHandler, processor};
use super::{Caller, RawConnection, Response};

/// The stores that the tests run on. A new store is added here, and all tests run on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreKind {
    Memory,
    Journal,
}

impl StoreKind {
    pub(crate) const ALL: [Self; 2] = [Self::Memory, Self::Journal];
}

/// The default settings, with a listener on loopback at any free port.
pub(crate) fn local_settings() -> Settings {
    Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() }
}

/// A server, its store and its clock. The clock does not move until a test advances it.
pub(crate) struct TestServer {
    pub(crate) clock: ManualClock,
    pub(crate) settings: Settings,
    store_kind: StoreKind,
    location: StoreLocation,
    store: EmbeddedStore,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
    address: std::net::SocketAddr,
    target: Option<Arc<TargetHandler>>,
    processor: Arc<Processor>,
    routes: Arc<ServerRoutes>,
}

const NOON: &str = "2026-11-15T12:00:00Z";

impl TestServer {
    pub(crate) async fn new(store_kind: StoreKind) -> Self {
        Self::with(store_kind, local_settings()).await
    }

    pub(crate) async fn with(store_kind: StoreKind, settings: Settings) -> Self {
        Self::start(store_kind, StoreLocation::new(store_kind), settings, None).await
    }

    /// The same, with a target of `dead` that answers no retry.
    pub(crate) async fn with_target(store_kind: StoreKind, settings: Settings) -> Self {
        let (handler, _unanswered) = Target::new();
        Self::start(store_kind, StoreLocation::new(store_kind), settings, Some(handler)).await
    }

    /// A server that retries the letters of `dead`: each on request by `letters.retry`, and automatically once
    /// `letters.process` starts the processor.
    pub(crate) async fn retrying(store_kind: StoreKind) -> (Self, Target) {
        Self::retrying_on(store_kind, StoreLocation::new(store_kind)).await
    }

    /// Like [`Self::retrying`] in memory, with these settings.
    pub(crate) async fn retrying_with(settings: Settings) -> (Self, Target) {
        let (handler, target) = Target::new();
        (Self::start(StoreKind::Memory, StoreLocation::Memory, settings, Some(handler)).await, target)
    }

    /// Like [`Self::retrying`], on a disk that the test controls.
    pub(crate) async fn retrying_on_disk(disk: Arc<dyn Disk>) -> (Self, Target) {
        Self::retrying_on(StoreKind::Journal, StoreLocation::Disk(disk)).await
    }

    /// Like [`Self::retrying`], with circuit breakers that open after this many failures.
    pub(crate) async fn retrying_with_breaker(store_kind: StoreKind, threshold: u32) -> (Self, Target) {
        let (handler, target) = Target::with_breaker(threshold);
        (Self::start(store_kind, StoreLocation::new(store_kind), local_settings(), Some(handler)).await, target)
    }

    async fn retrying_on(store_kind: StoreKind, location: StoreLocation) -> (Self, Target) {
        let (handler, target) = Target::new();
        (Self::start(store_kind, location, local_settings(), Some(handler)).await, target)
    }

    /// A server whose store keeps its journal on a disk that the test controls.
    pub(crate) async fn on_disk(disk: Arc<dyn Disk>) -> Self {
        Self::start(StoreKind::Journal, StoreLocation::Disk(disk), local_settings(), None).await
    }

    /// The same, with these settings.
    pub(crate) async fn on_disk_with(disk: Arc<dyn Disk>, settings: Settings) -> Self {
        Self::start(StoreKind::Journal, StoreLocation::Disk(disk), settings, None).await
    }

    async fn start(
        store_kind: StoreKind,
        location: StoreLocation,
        settings: Settings,
        target: Option<Arc<TargetHandler>>,
    ) -> Self {
        let clock = ManualClock::new(NOON.parse::<Time>().unwrap());
        let store = open(&location, &clock);
        let stop = CancellationToken::new();
        let processor = processor(&store, &clock, target.as_ref());
        let routes = Arc::new(routes(&settings, &store, &clock, None).await);
        let (address, serving) = serve(&settings, &store, &clock, (&processor, &routes), &stop).await;
        let serving = Some(serving);
        Self { clock, settings, store_kind, location, store, stop, serving, address, target, processor, routes }
    }

    /// Stops the routes, as a server does that stops.
    pub(crate) async fn stop_routes(&self) {
        self.routes.stop(Span::ZERO).await;
    }

    pub(crate) fn store_kind(&self) -> StoreKind {
        self.store_kind
    }

    /// A new connection that the test writes byte by byte.
    pub(crate) async fn raw_connection(&self) -> RawConnection {
        RawConnection::connect(self.address).await
    }

    /// A caller with a new connection.
    pub(crate) async fn caller(&self) -> Caller {
        Caller::connect(self.address).await
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.address
    }

    pub(crate) fn store(&self) -> &EmbeddedStore {
        &self.store
    }

    /// Freezes the queue: from now on the store holds its requests.
    pub(crate) async fn freeze(&self, queue: &str) {
        self.store.freeze(QueueName::new(queue).unwrap()).await.unwrap();
    }

    /// Unfreezes the queue: the store executes the held requests in one pass.
    pub(crate) async fn unfreeze(&self, queue: &str) {
        self.store.unfreeze(QueueName::new(queue).unwrap()).await.unwrap();
    }

    /// Starts a call on a new connection, in a separate task.
    pub(crate) async fn spawn_call(&self, path: &'static str, body: Value) -> JoinHandle<Response> {
        let mut caller = self.caller().await;
        tokio::spawn(async move { caller.json(path, body).await })
    }

    /// Starts a lease request on a new connection. Returns once it is waiting in the store.
    pub(crate) async fn spawn_lease(&self, queue: &str, client: &str, batch: i32) -> JoinHandle<Response> {
        let before = self.waiting_leases(queue).await;
        let lease = json!({ "queue_name": queue, "batch_size": batch, "client_id": client, "request_timeout": "1m" });
        let lease = self.spawn_call("/v1/queue.lease", lease).await;
        self.until_waiting_leases(queue, before + 1).await;
        lease
    }

    /// The number of waiting leases of a queue.
    pub(crate) async fn waiting_leases(&self, queue: &str) -> u64 {
        self.store.stats(GetStats { queue: QueueName::new(queue).unwrap() }).await.unwrap().waiting
    }

    pub(crate) async fn until_waiting_leases(&self, queue: &str, count: u64) {
        while self.waiting_leases(queue).await != count {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn clock_now(&self) -> Time {
        self.clock.now()
    }

    /// The directory of the journal, if it is on the real disk.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.location {
            StoreLocation::Folder(folder) => Some(folder.path()),
            StoreLocation::Memory | StoreLocation::Disk(_) => None,
        }
    }

    pub(crate) fn advance(&self, by: Span) {
        self.clock.advance(by);
    }

    /// Stops the server as a signal does. The store stays open.
    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        if let Some(serving) = self.serving.take() {
            serving.await.unwrap();
        }
    }

    /// Simulates a crash of the machine: stops the server and the store, applies `crash` to the disk, and starts again on
    /// what is left on it.
    pub(crate) async fn crash(&mut self, crash: impl FnOnce()) {
        self.stop().await;
        // The simulated machine has crashed, so an error of closing the store does not matter.
        let _lost = self.store.close().await;
        crash();
        self.start_again().await;
    }

    /// Stops the server and the store, and starts both again. A store in memory starts empty.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.processor.stop_all(Span::ZERO).await;
        self.store.close().await.unwrap();
        self.start_again().await;
    }

    async fn start_again(&mut self) {
        self.stop = CancellationToken::new();
        self.store = open(&self.location, &self.clock);
        let store = &self.store;
        self.processor = processor(store, &self.clock, self.target.as_ref());
        self.routes = Arc::new(routes(&self.settings, store, &self.clock, None).await);
        let parts = (&self.processor, &self.routes);
        let (address, serving) = serve(&self.settings, store, &self.clock, parts, &self.stop).await;
        self.address = address;
        self.serving = Some(serving);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Where a store keeps its data.
enum StoreLocation {
    Memory,
    Folder(TempDir),
    Disk(Arc<dyn Disk>),
}

impl StoreLocation {
    fn new(store_kind: StoreKind) -> Self {
        match store_kind {
            StoreKind::Memory => Self::Memory,
            StoreKind::Journal => Self::Folder(folder("server")),
        }
    }
}

fn open(location: &StoreLocation, clock: &ManualClock) -> EmbeddedStore {
    // The simulated disk copies whole files, so segments are small. Without a cache every read goes to the disk, where the
    // test injects faults.
    let is_simulated = matches!(location, StoreLocation::Disk(_));
    let segment_bytes = if is_simulated { 256 << 10 } else { 16 << 20 };
    let cache_bytes = if is_simulated { 0 } else { EmbeddedOptions::default().cache_bytes };
    let clock = Arc::new(clock.clone());
    let options = EmbeddedOptions { clock, segment_bytes, cache_bytes, ..EmbeddedOptions::default() };
    let store = match location {
        StoreLocation::Memory => EmbeddedStore::in_memory(&options),
        StoreLocation::Folder(folder) => EmbeddedStore::open(folder.path(), &options),
        StoreLocation::Disk(disk) => EmbeddedStore::open_on(Arc::clone(disk), Path::new("/store"), &options),
    };
    store.unwrap()
}

async fn serve(
    settings: &Settings,
    store: &EmbeddedStore,
    clock: &ManualClock,
    (processor, routes): (&Arc<Processor>, &Arc<ServerRoutes>),
    stop: &CancellationToken,
) -> (std::net::SocketAddr, JoinHandle<()>) {
    let server = Server::bind(settings.clone(), Arc::new(store.clone()), Arc::new(clock.clone())).await.unwrap();
    let server = server.with_processor(Arc::clone(processor));
    let server = server.with_routes(Arc::clone(routes));
    (server.address(), tokio::spawn(server.serve(stop.clone())))
}

/// The routes of a server: one of the configuration file, if it is given, and those that callers created. Routes of the
/// API may use the target and the Redis server `shop` in the namespace `shop`, and `bank` in `bank`, and the Redis server
/// `other` in both; nothing listens there.
pub(crate) async fn routes(
    settings: &Settings,
    store: &EmbeddedStore,
    clock: &ManualClock,
    of_file: Option<Value>,
) -> ServerRoutes {
    let store: Arc<dyn Store> = Arc::new(store.clone());
    let classifier = settings.policy.classifier();
    let env = RouteEnvironment {
        store: Arc::clone(&store),
        letter_box: Arc::new(StoreLetterBox::new(store)),
        clock: Arc::new(clock.clone()),
        classifier: Arc::clone(classifier),
        targets: Arc::default(),
    };
    let target = |name: &str| TargetSettings {
        http: Some("http://127.0.0.1:1/".to_owned()),
        namespaces: vec![name.to_owned()],
        ..TargetSettings::default()
    };
    let targets = ["shop", "bank"].map(|name| (name.to_owned(), target(name))).into();
    let redis = |namespaces: &[&str]| RedisServerSettings {
        url: Some("redis://127.0.0.1:1".to_owned()),
        namespaces: namespaces.iter().map(|name| (*name).to_owned()).collect(),
        ..RedisServerSettings::default()
    };
    let redis = [("shop", redis(&["shop"])), ("bank", redis(&["bank"])), ("other", redis(&["shop", "bank"]))];
    let redis = redis.map(|(name, server)| (name.to_owned(), server)).into();
    let connections = Connections { targets, redis, ..Connections::default() };
    let of_file = of_file.map(|written| RouteDefinition::parse(written, classifier).unwrap());
    ServerRoutes::start(env, connections, of_file.into_iter().collect()).await.unwrap()
}
