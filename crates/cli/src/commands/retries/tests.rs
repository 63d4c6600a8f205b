//! A server starts on a full disk, with claims of a killed server in its store.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use confique::Config as _;
use redrive_core::{ItemId, LetterId, Status, Time, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Crash, Disk, SimDisk};
use redrive_model::{
    Archive, ClaimById, DeadCause, FindLetters, Lease, LeaseSpec, Leased, NewItem, Produce, Purge, Settle, SettleAction,
};
use redrive_routes::StartedTargets;
use redrive_server::{Server, Settings};
use redrive_store::ManualClock;

use super::*;
use crate::config::{Config, ConfigLayer};

const FOLDER: &str = "/store";
const CLAIM: Span = Span::from_mins(5);

/// The log of this thread.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn name(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}

fn clock() -> ManualClock {
    ManualClock::new(Time::from_secs(1_800_000_000))
}

fn open(disk: &SimDisk, clock: &ManualClock) -> EmbeddedStore {
    let segment_bytes = EmbeddedOptions::SEGMENT_BYTES_MIN;
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), segment_bytes, ..EmbeddedOptions::default() };
    EmbeddedStore::open_on(Arc::new(disk.clone()), Path::new(FOLDER), &options).unwrap()
}

/// A disk with the same files, all of them synced.
fn copy(disk: &SimDisk) -> SimDisk {
    let copy = SimDisk::new();
    for (path, len) in disk.files() {
        let mut bytes = vec![0; len];
        disk.open(&path).unwrap().read_at(&mut bytes, 0).unwrap();
        let file = copy.create(&path).unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        file.sync().unwrap();
    }
    copy.sync_directory(Path::new(FOLDER)).unwrap();
    copy
}

async fn produce(store: &EmbeddedStore, len: usize) -> Result<(), StoreError> {
    store.produce(Produce::new(name("orders"), vec![NewItem::of_payload(vec![7; len])])).await.map(drop)
}

async fn lease(store: &EmbeddedStore, batch: u64) -> Result<Leased, StoreError> {
    let spec = LeaseSpec { batch, lease: Some(Span::from_hours(1)), notes_receipt: false };
    store.lease(Lease { queue: name("orders"), client_id: None, spec, wait: Span::ZERO }).await
}

fn ids(leased: &Leased) -> Vec<ItemId> {
    leased.items.iter().map(|item| item.info.id).collect()
}

async fn letters(store: &EmbeddedStore) -> Vec<(LetterId, Status)> {
    let found = store.find_letters(FindLetters::all(name("dead"), 100)).await.unwrap();
    found.letters.iter().filter_map(|info| info.letter.as_ref()).map(|letter| (letter.id, letter.status)).collect()
}

/// Fills the store with items, and with four letters of which a processor has claimed three.
async fn fill(store: &EmbeddedStore) {
    store.create_queue(CreateQueue { settings: QueueSettings::new(name("dead")) }).await.unwrap();
    let dead_queue = Some(name("dead"));
    let settings = QueueSettings { dead_queue, ..QueueSettings::new(name("orders")) };
    store.create_queue(CreateQueue { settings }).await.unwrap();
    for _ in 0..10 {
        produce(store, 1_000).await.unwrap();
    }
    let leased = lease(store, 4).await.unwrap();
    let action = SettleAction::Dead { attempt: None, why: DeadCause::Permanent };
    let settle = Settle::all(name("orders"), Some(leased.partition), ids(&leased), &action);
    assert!(store.settle(settle).await.unwrap().iter().all(Result::is_ok));
    let claimed: Vec<_> = letters(store).await[..3].iter().map(|(id, _)| (*id).into()).collect();
    let claim = ClaimById { queue: name("dead"), letters: claimed, lease: CLAIM, trigger: Trigger::Manual };
    assert_eq!(store.claim_by_id(claim).await.unwrap().letters.len(), 3);
}

fn retrying(letters: &[(LetterId, Status)]) -> usize {
    letters.iter().filter(|(_, status)| *status == Status::Retrying).count()
}

/// Starts a server up to the point where it would serve, with targets for an existing and for a missing queue.
async fn start(store: &EmbeddedStore, clock: &ManualClock) -> Retries {
    let targets = "[dlq]\nretry_processor_enabled = false\n\
                   targets = [{ queue = 'dead', origin = true }, { queue = 'new', origin = true }]";
    let layer: ConfigLayer = toml::from_str(targets).unwrap();
    let config = Config::builder().preloaded(layer).load().unwrap();
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
    Server::bind(settings, Arc::clone(&shared), Arc::clone(&clock)).await.unwrap();
    let targets = StartedTargets::default();
    Retries::start(&config, &targets, &shared, &clock, &CancellationToken::new()).await.unwrap().unwrap()
}

fn targets_of(targets: &str) -> QueueTargets {
    let layer: ConfigLayer = toml::from_str(targets).unwrap();
    queue_targets(&Config::builder().preloaded(layer).load().unwrap()).unwrap()
}

#[test]
fn targets_change_with_a_namespace_or_a_target_and_not_with_their_order() {
    let entry = |rest: &str| format!("{{ queue = 'a', {rest} }}");
    let of = |entries: &[&str]| targets_of(&format!("[dlq]\ntargets = [{}]\n", entries.join(", ")));
    let other = "{ queue = 'b', origin = true }";
    let a = entry("namespace = 'shop', http = 'http://127.0.0.1:1/'");
    let started = of(&[&a, other]);
    assert!(started == of(&[other, &a]));
    for changed in [
        "namespace = 'bank', http = 'http://127.0.0.1:1/'",
        "http = 'http://127.0.0.1:1/'",
        "namespace = 'shop', http = 'http://127.0.0.1:2/'",
    ] {
        assert!(started != of(&[&entry(changed), other]), "{changed}");
    }
    assert!(started != of(&[&a]));
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Wherever the disk becomes full during a start, the server starts, ends the lost claims, and executes requests that free
/// disk space.
#[test]
fn a_server_starts_and_ends_lost_claims_wherever_the_disk_becomes_full() {
    let (killed, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&killed, &clock);
        fill(&store).await;
        killed.crash(Crash::ProcessOnly, 1);
        let _crashed = store.close().await;
    });
    let (mut is_reached, mut after) = (true, 0);
    while is_reached {
        run(async {
            let disk = copy(&killed);
            let before = disk.changes();
            disk.fill_after(after);
            let store = open(&disk, &clock);
            start(&store, &clock).await;
            is_reached = disk.changes() - before >= after;
            let letters = letters(&store).await;
            assert_eq!((letters.len(), retrying(&letters)), (4, 0), "full after {after} changes");
            let leased = lease(&store, 1).await.unwrap();
            store.complete(name("orders"), leased.partition, ids(&leased)).await.unwrap();
            let archive = Archive { queue: name("dead"), letters: vec![letters[0].0] };
            assert_eq!(store.archive(archive).await, Ok(1), "full after {after} changes");
            let purge = Purge { queue: name("dead"), letters: vec![letters[1].0] };
            assert_eq!(store.purge(purge).await, Ok(1), "full after {after} changes");
            store.close().await.unwrap();
        });
        after += 1;
    }
    assert!(after > 10, "a start makes more than {after} changes");
}

/// If even the reserve for a full disk is missing, the server starts, and the claims expire at their deadlines.
#[test]
fn claims_that_cannot_be_ended_on_a_full_disk_expire_and_the_server_starts() {
    let (disk, clock, log) = (SimDisk::new(), clock(), Log::default());
    let written = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || written.clone()).finish();
    let _logged = tracing::subscriber::set_default(subscriber);
    run(async {
        let store = open(&disk, &clock);
        fill(&store).await;
        // Fills most of the first segment, and removes the spare segments.
        for _ in 0..30 {
            produce(&store, 1_000).await.unwrap();
        }
        store.close().await.unwrap();
        for number in (2..=9).rev() {
            let _removed = disk.remove(&Path::new(FOLDER).join(format!("{number:010}.segment")));
        }
        disk.set_capacity(Some(disk.used()));

        let store = open(&disk, &clock);
        let retries = start(&store, &clock).await;
        assert_eq!(retrying(&letters(&store).await), 3, "the claims could not be ended");
        let logged = log.text();
        assert!(logged.contains("cannot end the claims of an earlier process"), "{logged}");
        assert!(logged.contains("disk full; the next start creates the dead queue"), "{logged}");
        assert_eq!(retries.processor.queues().count(), 2, "the processor has both targets");

        disk.set_capacity(None);
        clock.advance(CLAIM.saturating_mul(2));
        // The store notices without a request that there is disk space, and that the claims are past their deadlines.
        let mut polls = 0;
        while retrying(&letters(&store).await) > 0 {
            polls += 1;
            assert!(polls < 100_000, "the claims do not expire: {:?}", store.status());
        }
        store.close().await.unwrap();
    });
}
