//! Facts: what happened, as it is recorded.
//!
//! A fact says what is so now (ids, deadlines, placement, outcomes), never what was asked for: a newer version
//! that would decide differently still reads the same history. The state changes only by facts, in an
//! operation as in recovery, so that there is one way in which anything comes about.

mod answer_form;
mod checkpoint_form;
mod fact;
mod facts;
mod fields;
mod form;

pub use facts::{Facts, KeptDocuments, Pending, Recorded};

pub(crate) use fact::{Attach, CheckpointEnd, Fact, ItemImage, LeaseFact, QueueSnapshot};
pub(crate) use facts::Tail;
