//! The contract of a store: where Redrive keeps items and letters.
//!
//! [`Store`] is the contract, verb by verb; [`operations!`] is the list that it is made of. The `conformance` module, with
//! the feature of that name, is the suite that every implementation must pass. [`Clock`] and its implementations are here
//! because every store reads one.
//!
//! It is not a store: there is no disk and no network in here. The embedded store is `redrive-embedded`.

mod clock;
pub mod conformance;
mod contract;
mod error;
mod freeze_queues;
mod status;

pub use clock::{Clock, ManualClock, SystemClock, Wake};
pub use contract::{Op, OpKind, Perform, Reply, Request, Store, Transactional, dispatch};
pub use error::StoreError;
pub use freeze_queues::FreezeQueues;
pub use status::{StoreStatus, SyncTimes};
