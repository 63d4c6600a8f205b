//! The audit chain of one server, behind a lock.

use redrive_core::{Ksuid, Time};
use redrive_store::{Store, StoreError};
use tokio::sync::{Mutex, MutexGuard};

use super::chain::Chain;
use crate::fault::Fault;

/// The audit records that a server writes. The lock serializes administrative acts, so that each one sees the chain,
/// and the data that it decides on, as the previous act left them. Produce, lease and other calls on items do not take
/// it.
#[derive(Debug)]
pub(crate) struct Audit {
    chain: Mutex<Chain>,
}

/// Why a change was not made.
#[derive(Debug)]
pub(crate) enum ChangeError {
    /// The request was rejected, or timed out.
    Fault(Fault),
    /// The store failed to commit the change.
    Store(StoreError),
}

impl From<ChangeError> for Fault {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Fault(fault) => fault,
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Audit {
    pub(crate) fn new(incarnation: Ksuid, records_max: usize) -> Self {
        Self { chain: Mutex::new(Chain::new(incarnation.to_string(), records_max)) }
    }

    /// Locks the chain for one act.
    pub(crate) async fn lock(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock().await
    }

    /// Begins the chain. On a full disk its first record is written later, before the next one: the server must start,
    /// since completing items is what frees disk space.
    pub(crate) async fn begin(&self, store: &dyn Store, now: Time) -> Result<(), StoreError> {
        self.lock().await.begin(store, now).await
    }
}
