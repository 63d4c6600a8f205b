//! The conformance suite on the embedded store: in memory, on a simulated disk and on the real disk.

mod broken;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::Span;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Disk, RealDisk, SimDisk};
use redrive_store::conformance::model::naive::TieOrder;
use redrive_store::conformance::{CASES, Harness, check};
use redrive_store::{ManualClock, Store};
use redrive_testkit::folder;

mod in_memory {
    redrive_store::conformance_tests!(crate::conformance::InMemory);
    redrive_store::history_tests!(crate::conformance::InMemory, 50);
}

mod on_simulated_disk {
    redrive_store::conformance_tests!(crate::conformance::OnDisk::simulated());
    redrive_store::history_tests!(crate::conformance::OnDisk::simulated(), 50);
}

/// Small segments and a small cache, so that checkpoints, compaction and reads from disk happen within a case.
fn options(clock: ManualClock) -> EmbeddedOptions {
    EmbeddedOptions {
        clock: Arc::new(clock),
        segment_bytes: 1 << 20,
        recovery_bytes: Some(64 * 1024),
        cache_bytes: 16 * 1024,
        // Long: a test that needs a proof closes the store.
        idle_proof: Span::from_hours(1),
        ..EmbeddedOptions::default()
    }
}

#[derive(Debug)]
pub(crate) struct InMemory;

#[async_trait]
impl Harness for InMemory {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        Arc::new(
            EmbeddedStore::in_memory(&EmbeddedOptions { clock: Arc::new(clock), ..EmbeddedOptions::default() })
                .unwrap(),
        )
    }

    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_SLOT
    }
}

#[derive(Debug)]
pub(crate) struct OnDisk {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    opened: Arc<Mutex<Vec<EmbeddedStore>>>,
}

impl OnDisk {
    pub(crate) fn simulated() -> Self {
        Self { disk: Arc::new(SimDisk::new()), directory: PathBuf::from("/store"), opened: Arc::default() }
    }

    fn real(directory: &Path) -> Self {
        Self { disk: Arc::new(RealDisk), directory: directory.to_owned(), opened: Arc::default() }
    }
}

#[async_trait]
impl Harness for OnDisk {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let store = EmbeddedStore::open_on(Arc::clone(&self.disk), &self.directory, &options(clock)).unwrap();
        self.opened.lock().unwrap().push(store.clone());
        Arc::new(store)
    }

    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_SLOT
    }

    async fn reopen(&self, store: Arc<dyn Store>, clock: ManualClock) -> Option<Arc<dyn Store>> {
        store.close().await.unwrap();
        Some(self.open(clock).await)
    }
}

/// Syncs are slow there: only the cases that restart and those with much traffic are run.
#[tokio::test]
async fn on_the_real_disk() {
    for case in CASES.iter().filter(|case| matches!(case.theme, "restart" | "dead_queues" | "feed")) {
        let folder = folder("conformance");
        case.check(OnDisk::real(folder.path())).await;
    }
}

/// Otherwise the suite would not cover checkpoints and dropped segments.
#[tokio::test]
async fn long_traffic_causes_checkpoints_and_dropped_segments() {
    let harness = OnDisk::simulated();
    let opened = Arc::clone(&harness.opened);
    check("restart", "nothing_is_lost_in_long_traffic", harness).await;
    let statuses: Vec<_> = opened.lock().unwrap().iter().map(EmbeddedStore::status).collect();
    assert!(statuses.iter().any(|status| status.checkpoints > 0), "{statuses:?}");
    assert!(statuses.iter().any(|status| status.dropped > 0), "{statuses:?}");
}

#[test]
fn every_case_has_a_unique_name() {
    let mut names: Vec<_> = CASES.iter().map(|case| (case.theme, case.name)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count > 200, "only {count} cases are left");
}
