//! What all routes of a process share.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use redrive_core::Classifier;
use redrive_run::LetterBox;
use redrive_store::{Clock, Store};

use super::{Connections, StartedTargets};

/// What all routes of a process share.
pub struct RouteEnvironment {
    pub store: Arc<dyn Store>,
    pub letter_box: Arc<dyn LetterBox>,
    pub clock: Arc<dyn Clock>,
    /// The classifier of policies without rules.
    pub classifier: Arc<Classifier>,
    /// Other users of targets share it.
    pub targets: Arc<StartedTargets>,
}

impl fmt::Debug for RouteEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RouteEnvironment").field("targets", &self.targets).finish_non_exhaustive()
    }
}

/// The definitions that routes refer to. A reload replaces them.
pub(super) struct CurrentConnections {
    inner: RwLock<Arc<Connections>>,
}

impl CurrentConnections {
    pub(super) fn new(connections: Connections) -> Self {
        Self { inner: RwLock::new(Arc::new(connections)) }
    }

    pub(super) fn read(&self) -> Arc<Connections> {
        Arc::clone(&self.inner.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns those before.
    pub(super) fn replace(&self, connections: Arc<Connections>) -> Arc<Connections> {
        std::mem::replace(&mut *self.inner.write().unwrap_or_else(PoisonError::into_inner), connections)
    }
}
