//! The embedded store: one writer over the state machine and a log.
//!
//! Requests wait in a bounded channel. The writer, a thread of its own, takes what is there, makes sure that there
//! is room, applies each request to the state, writes all facts as one batch, syncs once, and only then releases
//! the answers. Payloads that are not at hand are read by other threads.

mod answer;
mod cache;
mod compactor;
mod documents;
mod execute;
mod files;
mod forgotten;
mod keeper;
mod listening;
mod local_store;
mod log;
mod message;
mod options;
mod readers;
mod reply;
mod reserve;
mod room;
mod standstill;
mod sync_times;
mod waiting;
mod writer;

pub use local_store::{LocalStore, OpenError};
pub use options::{Options, Status};
pub use sync_times::SyncTimes;
