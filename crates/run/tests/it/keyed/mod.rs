//! A source without a store: a log in memory that delivers the records of one key one after the other.
//!
//! It behaves like a consumer of a partitioned log: claims do not expire but are revoked, attempt counts are in memory
//! and lost at a restart, and a letter is captured in a store before its record is removed. It exists so that the
//! conformance suite also runs over a source that is not a queue.

mod dead_queue;
mod harness;
mod log;
mod source;

pub(crate) use dead_queue::DeadQueue;
pub(crate) use harness::KeyedHarness;
use log::Fence;
pub(crate) use source::KeyedSource;
