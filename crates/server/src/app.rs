//! What all requests of a server share.

use std::sync::{Arc, OnceLock};

use redrive_core::Policy;
use redrive_run::{Processor, StoreLetterBox};
use redrive_store::{Clock, Store};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::audit::Audit;
use crate::auth::Auth;
use crate::deadlines::Deadlines;
use crate::letter_index::LetterIndex;
use crate::letters::Plans;
use crate::metrics::Metrics;
use crate::records::Ids;
use crate::request_id::RequestIds;
use crate::settings::Settings;
use crate::test_mode::Stills;
use crate::traffic::Traffic;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Arc<dyn Store>,
    /// Where failures become letters.
    pub(crate) letter_box: StoreLetterBox,
    /// Classifies failures that are handed over.
    pub(crate) capture_policy: Policy,
    pub(crate) settings: Settings,
    pub(crate) auth: Auth,
    pub(crate) audit: Audit,
    pub(crate) deadlines: Deadlines,
    pub(crate) traffic: Traffic,
    pub(crate) stills: Stills,
    /// Places for leases, which may wait for long.
    pub(crate) leases: Semaphore,
    pub(crate) metrics: Metrics,
    pub(crate) ids: RequestIds,
    pub(crate) record_ids: Ids,
    /// Retries letters, where something does.
    pub(crate) processor: OnceLock<Arc<Processor>>,
    /// Acts on many letters that wait for their confirmation.
    pub(crate) plans: Plans,
    /// Where letters are searched, if somewhere.
    pub(crate) index: OnceLock<LetterIndex>,
    /// What is done to its end, whoever waits for it.
    pub(crate) acts: TaskTracker,
    /// The server shuts down: nothing waits any more.
    pub(crate) closing: CancellationToken,
}

impl App {
    pub(crate) fn new(settings: Settings, store: Arc<dyn Store>, clock: Arc<dyn Clock>, metrics: Metrics) -> Self {
        let record_ids = Ids::default();
        Self {
            auth: Auth::new(settings.auth, settings.key_scope, &settings.key_prefix, Arc::clone(&store)),
            audit: Audit::new(record_ids.next(clock.now()), settings.audit_records_max),
            letter_box: StoreLetterBox::new(Arc::clone(&store)),
            capture_policy: Policy::default(),
            store,
            deadlines: Deadlines::new(clock),
            traffic: Traffic::default(),
            stills: Stills::default(),
            leases: Semaphore::new((settings.connections_max / 2).max(1)),
            metrics,
            ids: RequestIds::new(),
            record_ids,
            processor: OnceLock::new(),
            plans: Plans::default(),
            index: OnceLock::new(),
            acts: TaskTracker::new(),
            closing: CancellationToken::new(),
            settings,
        }
    }
}
