//! Shared test support: a store on a simulated disk, a manual clock, and payloads that identify their item.

use std::collections::BTreeSet;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redrive_core::{ItemId, QueueName, Span, SplitMix64, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::{Disk, SimDisk};
use redrive_model::{
    CreateQueue, ItemListKind, Lease, LeaseSpec, Leased, ListItems, NewItem, Produce, ProducedItem, QueueSettings,
    StoredItem,
};
use redrive_store::{ManualClock, Store, StoreError};

pub(crate) const DIRECTORY: &str = "/store";
/// The minimum: segments fill up, checkpoints complete and segments are compacted within a short history.
pub(crate) const SEGMENT: usize = EmbeddedOptions::SEGMENT_BYTES_MIN;
pub(crate) const START: Time = Time::from_secs(1_800_000_000);

/// A lease that expires only if the test advances the clock.
pub(crate) const LEASE: Span = Span::from_hours(1);

/// Runs the future of a test. A timeout turns a hang into a failure.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let bounded = async { tokio::time::timeout(Duration::from_secs(300), work).await };
    let done = runtime.block_on(bounded);
    done.unwrap_or_else(|_| panic!("no answer within five minutes"))
}

/// Runs a test with a new disk and clock.
pub(crate) fn on_disk(test: impl AsyncFnOnce(SimDisk, ManualClock)) {
    run(test(SimDisk::new(), clock()));
}

pub(crate) fn clock() -> ManualClock {
    ManualClock::new(START)
}

/// Small segments, a small cache (so that payloads are read from disk), a manual clock.
pub(crate) fn options(clock: &ManualClock) -> EmbeddedOptions {
    EmbeddedOptions {
        clock: Arc::new(clock.clone()),
        segment_bytes: SEGMENT,
        cache_bytes: 16 * 1024,
        // Frequent checkpoints, so that much of the log is before the recovery point.
        recovery_bytes: Some(SEGMENT as u64),
        seed: Some(7),
        // Long: a test that needs a proof closes the store.
        idle_proof: Span::from_hours(1),
        ..EmbeddedOptions::default()
    }
}

pub(crate) fn try_open(disk: &SimDisk, clock: &ManualClock) -> Result<EmbeddedStore, StoreOpenError> {
    open_with(Arc::new(disk.clone()), &options(clock))
}

pub(crate) fn open_with(disk: Arc<dyn Disk>, options: &EmbeddedOptions) -> Result<EmbeddedStore, StoreOpenError> {
    EmbeddedStore::open_on(disk, Path::new(DIRECTORY), options)
}

pub(crate) fn open(disk: &SimDisk, clock: &ManualClock) -> EmbeddedStore {
    try_open(disk, clock).unwrap_or_else(|error| panic!("opening failed: {}", error_chain(&error)))
}

/// An error with its causes.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", error_chain(source)),
        None => error.to_string(),
    }
}

pub(crate) fn name(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}

/// Settings of a queue in which no timer fires within a test.
pub(crate) fn settings(text: &str) -> QueueSettings {
    let mut settings = QueueSettings::new(name(text));
    settings.lease_timeout = LEASE;
    settings.expire_timeout = Span::from_days(10_000);
    settings.letters.letters_expire = Some(false);
    settings
}

pub(crate) async fn create_queues<const N: usize>(store: &EmbeddedStore, queues: [&str; N]) {
    for queue in queues {
        store.create_queue(CreateQueue { settings: settings(queue) }).await.unwrap();
    }
}

/// Opens a store, and creates these queues in it.
pub(crate) async fn new_store<const N: usize>(disk: &SimDisk, clock: &ManualClock, queues: [&str; N]) -> EmbeddedStore {
    let store = open(disk, clock);
    create_queues(&store, queues).await;
    store
}

/// A payload that is unique to this number and length, so that a wrong payload is always detected.
pub(crate) fn payload(number: u64, len: usize) -> Bytes {
    let mut random = Random::new(number ^ 0x5DEE_CE66);
    let block: Vec<u8> =
        std::iter::once(number).chain((0..31).map(|_| random.next())).flat_map(u64::to_le_bytes).collect();
    let mut bytes = block.repeat(len / block.len() + 1);
    bytes.truncate(len.max(8));
    bytes.into()
}

/// The number of a payload; `None` if the payload is not intact.
pub(crate) fn number_of(bytes: &Bytes) -> Option<u64> {
    let number = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    (payload(number, bytes.len()) == *bytes).then_some(number)
}

/// The items of a queue that are not scheduled.
pub(crate) async fn items(store: &EmbeddedStore, queue: &str) -> Vec<StoredItem> {
    let which = ItemListKind::Items;
    let list = ListItems { queue: name(queue), partition: 0, which, pivot: None, limit: 1_000_000 };
    store.items(list).await.unwrap()
}

/// The numbers of the payloads of [`items`].
pub(crate) async fn numbers(store: &EmbeddedStore, queue: &str) -> Vec<u64> {
    let items = items(store, queue).await;
    items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect()
}

pub(crate) async fn number_set(store: &EmbeddedStore, queue: &str) -> BTreeSet<u64> {
    numbers(store, queue).await.into_iter().collect()
}

pub(crate) fn item(number: u64, len: usize) -> NewItem {
    NewItem::of_payload(payload(number, len))
}

pub(crate) async fn produce(
    store: &EmbeddedStore,
    queue: &str,
    items: Vec<NewItem>,
) -> Result<Vec<ItemId>, StoreError> {
    let produced = store.produce(Produce::new(name(queue), items)).await?;
    let ids = produced.items.iter().map(|item| match item {
        ProducedItem::New(id) | ProducedItem::Duplicate(id) => *id,
    });
    Ok(ids.collect())
}

/// Leases available items without waiting.
pub(crate) async fn lease(store: &EmbeddedStore, queue: &str, batch: u64) -> Result<Leased, StoreError> {
    store.lease(Lease { wait: Span::ZERO, ..waiting_lease(queue, batch) }).await
}

/// A lease that waits until the clock is advanced far.
pub(crate) fn waiting_lease(queue: &str, batch: u64) -> Lease {
    let spec = LeaseSpec { batch, lease: None, notes_receipt: false };
    Lease { queue: name(queue), client_id: None, spec, wait: Span::from_hours(1) }
}

pub(crate) fn ids(leased: &Leased) -> Vec<ItemId> {
    leased.items.iter().map(|item| item.info.id).collect()
}

/// Leases available items, completes them, and returns the numbers of their payloads.
pub(crate) async fn lease_and_complete(store: &EmbeddedStore, queue: &str, batch: u64) -> Result<Vec<u64>, StoreError> {
    let leased = lease(store, queue, batch).await?;
    store.complete(name(queue), leased.partition, ids(&leased)).await?;
    Ok(leased.items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect())
}

/// Lets the store's threads run for a while without requests.
pub(crate) async fn idle() {
    for _ in 0..20_000 {
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
}

/// A seeded generator with the same sequence on every platform.
#[derive(Debug, Clone)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or(0)
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.below(of.len()))
    }
}
