//! The namespace that an administrative act belongs to.
//!
//! Callers that may read the audit log of one namespace see the records of its acts and no others.

use redrive_core::QueueName;
use redrive_model::GetQueue;
use redrive_store::{Store, StoreError};

use super::target::cut;
use crate::auth::namespace_of;

const NAME_BYTES_MAX: usize = 512;

/// The namespace of an act, as the checks of its call determined it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ActNamespace {
    Named(String),
    /// The namespace of this queue: without authentication, the queue is not looked up before the act.
    OfQueue(QueueName),
}

impl ActNamespace {
    /// A namespace by its text, which a request may contain in any length.
    pub(crate) fn named(text: &str) -> Self {
        Self::Named(cut(text, NAME_BYTES_MAX).to_owned())
    }

    /// The name of the namespace; `None` if the queue does not exist.
    pub(super) async fn resolve(&self, store: &dyn Store) -> Result<Option<String>, StoreError> {
        match self {
            Self::Named(name) => Ok(Some(name.clone())),
            Self::OfQueue(queue) => match store.queue(GetQueue { name: queue.clone() }).await {
                Ok(settings) => Ok(Some(namespace_of(&settings).to_owned())),
                Err(StoreError::Rejected(_)) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}
