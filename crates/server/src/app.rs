//! The state that all requests of a server share.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use redrive_core::{NamespaceName, QueueName};
use redrive_run::{Processor, StoreLetterBox};
use redrive_store::{Clock, Store};
use tokio::sync::{Mutex, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::audit::Chain;
use crate::auth::Auth;
use crate::deadlines::Deadlines;
use crate::disk_space::DiskSpace;
use crate::letter_index::LetterIndex;
use crate::letters::Runs;
use crate::metrics::Metrics;
use crate::records::Ids;
use crate::request_id::RequestIds;
use crate::routes::ServerRoutes;
use crate::settings::Settings;
#[cfg(feature = "test-mode")]
use crate::test_mode::FrozenQueues;
use crate::traffic::Traffic;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Arc<dyn Store>,
    /// Captures failures as letters.
    pub(crate) letter_box: StoreLetterBox,
    pub(crate) settings: Settings,
    pub(crate) auth: Auth,
    /// The audit records that the server writes. The lock serializes administrative acts, so that each one sees the
    /// chain, and the data that it decides on, as the previous act left them. Produce, lease and other calls on items do
    /// not take it.
    pub(crate) audit: Mutex<Chain>,
    pub(crate) deadlines: Deadlines,
    pub(crate) traffic: Traffic,
    #[cfg(feature = "test-mode")]
    pub(crate) frozen_queues: FrozenQueues,
    /// Limits concurrent lease requests, which may wait for a long time, to half of the connections.
    pub(crate) lease_permits: Semaphore,
    pub(crate) metrics: Metrics,
    pub(crate) ids: RequestIds,
    pub(crate) record_ids: Ids,
    /// Retries letters; unset if the server retries none.
    pub(crate) processor: OnceLock<Arc<Processor>>,
    /// The namespaces of the queues of the processor that are not in `_system`, whether the queues exist or not.
    pub(crate) target_namespaces: OnceLock<BTreeMap<QueueName, NamespaceName>>,
    /// Unset if the server runs no routes.
    pub(crate) routes: OnceLock<Arc<ServerRoutes>>,
    /// Bulk actions that are carried out.
    pub(crate) runs: Runs,
    /// The search index; unset if the server has none.
    pub(crate) index: OnceLock<LetterIndex>,
    /// Administrative acts that run to completion, even if their caller disconnects or the server shuts down.
    pub(crate) acts: TaskTracker,
    /// Cancelled when the server shuts down: every waiting request ends.
    pub(crate) closing: CancellationToken,
}

impl App {
    pub(crate) fn new(settings: Settings, store: Arc<dyn Store>, clock: Arc<dyn Clock>, metrics: Metrics) -> Self {
        let record_ids = Ids::default();
        Self {
            auth: Auth::new(settings.auth, settings.key_scope, &settings.key_prefix, Arc::clone(&store)),
            audit: Mutex::new(Chain::new(record_ids.next(clock.now()), settings.audit_records_max)),
            letter_box: StoreLetterBox::new(Arc::clone(&store)),
            store,
            deadlines: Deadlines::new(clock),
            traffic: Traffic::default(),
            #[cfg(feature = "test-mode")]
            frozen_queues: FrozenQueues::default(),
            lease_permits: Semaphore::new((settings.connections_max / 2).max(1)),
            metrics,
            ids: RequestIds::new(),
            record_ids,
            processor: OnceLock::new(),
            target_namespaces: OnceLock::new(),
            routes: OnceLock::new(),
            runs: Runs::default(),
            index: OnceLock::new(),
            acts: TaskTracker::new(),
            closing: CancellationToken::new(),
            settings,
        }
    }

    /// The space of the disk; `None` for a store in memory, and if the file system does not report it.
    pub(crate) fn disk_space(&self) -> Option<DiskSpace> {
        DiskSpace::of(&self.store.status()?, self.settings.disk_low_bytes)
    }
}
