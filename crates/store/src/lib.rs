//! The contract of a store, which holds Redrive's items and letters.
//!
//! [`Store`] is the contract, with one method per operation; it is generated from the list [`operations!`]. The
//! `conformance` module (feature `conformance`) is the test suite that every implementation must pass. [`Clock`] and
//! its implementations are here because every store reads one.
//!
//! It is not a store: it contains no disk and no network code. The embedded store is `redrive-embedded`.

mod clock;
pub mod conformance;
mod contract;
mod error;
mod freeze_queues;
mod random_seed;
mod status;

pub use clock::{Clock, ManualClock, SystemClock, Wake};
pub use contract::{Op, OpKind, Perform, Reply, Request, Store, Transactional, dispatch};
pub use error::StoreError;
pub use freeze_queues::FreezeQueues;
pub use random_seed::random_seed;
pub use status::{StoreStatus, SyncTimes};
