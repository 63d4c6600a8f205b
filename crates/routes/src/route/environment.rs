//! What all routes of a process share.

use std::fmt;
use std::sync::Arc;

use redrive_core::Classifier;
use redrive_run::LetterBox;
use redrive_store::{Clock, Store};
use tokio::sync::watch;

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
pub(super) type CurrentConnections = watch::Sender<Arc<Connections>>;
