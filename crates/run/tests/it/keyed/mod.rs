//! A source that is nothing like a store: a log in memory whose records of one key come one after the other.
//!
//! It is what a consumer of a partitioned log is: claims do not end by themselves but are revoked, counts live in memory
//! and are gone after a restart, and a letter is captured elsewhere before the record is let go of. It exists so that the
//! contract of sources is tried on more than what it was first written for.

mod bench;
mod dead_queue;
mod log;
mod source;

pub(crate) use bench::Keyed;
use log::Fence;
