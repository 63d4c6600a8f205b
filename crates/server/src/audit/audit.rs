//! The records of one server, and whose turn it is.

use redrive_core::{Ksuid, Time};
use redrive_store::{Store, StoreError};
use tokio::sync::{Mutex, MutexGuard};

use super::chain::Chain;
use crate::fault::Fault;

/// The records that a server writes. One act at a time is done, so that each finds the chain, and whatever it decides
/// on, as the one before left it. Producing, leasing and the like are no acts, and never wait here.
#[derive(Debug)]
pub(crate) struct Audit {
    chain: Mutex<Chain>,
}

/// Why a change was not made.
#[derive(Debug)]
pub(crate) enum Undone {
    /// It was decided against.
    Decided(Fault),
    /// The store did not do it.
    Store(StoreError),
}

impl From<Undone> for Fault {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Decided(fault) => fault,
            Undone::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Audit {
    pub(crate) fn new(incarnation: Ksuid, records_max: usize) -> Self {
        Self { chain: Mutex::new(Chain::new(incarnation.to_string(), records_max)) }
    }

    /// The turn of one act.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock().await
    }

    /// Begins the chain. On a full disk its first record is written later, together with others: a server that does not
    /// start could make no room.
    pub(crate) async fn begin(&self, store: &dyn Store, now: Time) -> Result<(), StoreError> {
        self.turn().await.begin(store, now).await
    }
}
