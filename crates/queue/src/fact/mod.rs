//! Facts: the recorded changes of the state.
//!
//! A fact contains results (ids, deadlines, placement, outcomes), never requests: a newer version that would decide
//! differently still reads the same history. The state changes only by facts, both in operations and in recovery, so
//! that there is only one implementation of each change.

mod answer_form;
mod checkpoint_form;
mod fact;
mod facts;
mod fields;
mod form;

pub use facts::{Facts, KeptDocuments, Pending, Recorded};

pub(crate) use fact::{Attach, CheckpointEnd, Fact, ItemImage, LeaseFact, QueueSnapshot};
pub(crate) use facts::Tail;
