//! The runs that are being carried out.
//!
//! Everything that has to survive a restart is in the store. In memory is only how a waiting call learns that a run has
//! ended, and how a run learns that it is cancelled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How many runs of a namespace work at the same time.
const WORKING_MAX: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct Runs {
    active: Mutex<HashMap<String, Active>>,
    working: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Held while a plan is added, or a run is started or ended: what is decided about their number and state is true
    /// until it is written.
    changing: tokio::sync::Mutex<()>,
}

/// A run that is being carried out.
#[derive(Debug, Clone, Default)]
pub(super) struct Active {
    /// Who cancelled it.
    pub(super) cancelled_by: Arc<Mutex<Option<String>>>,
    pub(super) cancelled: CancellationToken,
    /// Held while the run is stored: progress that is stored does not undo a cancel.
    pub(super) storing: Arc<tokio::sync::Mutex<()>>,
    pub(super) ended: CancellationToken,
}

impl Active {
    pub(super) fn cancel(&self, by: String) {
        *self.cancelled_by.lock().unwrap_or_else(PoisonError::into_inner) = Some(by);
        self.cancelled.cancel();
    }

    pub(super) fn canceller(&self) -> String {
        self.cancelled_by.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
    }
}

impl Runs {
    pub(super) async fn changing(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.changing.lock().await
    }

    /// The run with this id, if it is being carried out.
    pub(super) fn active(&self, id: &str) -> Option<Active> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// The permits of a namespace: many runs of one do not delay those of another.
    pub(super) fn working(&self, namespace: &str) -> Arc<Semaphore> {
        let mut working = self.working.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that no run uses are dropped.
        working.retain(|_, permits| Arc::strong_count(permits) > 1);
        Arc::clone(working.entry(namespace.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(WORKING_MAX))))
    }

    /// Adds a run, which may be cancelled already.
    pub(super) fn insert(&self, id: &str, cancelled_by: &str) -> Active {
        let active = Active::default();
        if !cancelled_by.is_empty() {
            active.cancel(cancelled_by.to_owned());
        }
        self.active.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), active.clone());
        active
    }

    /// Removes a run that has ended. It may have been started again since: then only its own end is noted.
    pub(super) fn remove(&self, id: &str, ended: &Active) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        if active.get(id).is_some_and(|active| Arc::ptr_eq(&active.cancelled_by, &ended.cancelled_by)) {
            active.remove(id);
        }
        ended.ended.cancel();
    }
}
