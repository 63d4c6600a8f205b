//! What the committer is asked for, and what it answers.

use std::sync::mpsc::SyncSender;

use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::error::text;
use crate::log::CommitPoint;

#[derive(Debug)]
pub(crate) enum CommitRequest {
    /// Commit before the interval is over.
    Now,
    /// Commit these assignments, which are draining, and report that it was tried.
    Of { epochs: Vec<u64>, done: SyncSender<()> },
    /// Commit everything for the last time, and end.
    Stop,
}

/// A failed commit: a name for the counter, and the text.
#[derive(Debug)]
pub(super) struct CommitError {
    pub(super) reason: String,
    pub(super) text: String,
}

impl CommitError {
    pub(super) fn of(error: &rdkafka::error::KafkaError) -> Self {
        let reason = error.rdkafka_error_code().map_or_else(|| "other".to_owned(), |code| format!("{code:?}"));
        Self { reason, text: text(error) }
    }
}

pub(super) fn offsets_of(points: &[CommitPoint]) -> Result<TopicPartitionList, CommitError> {
    let mut offsets = TopicPartitionList::with_capacity(points.len());
    for point in points {
        let mut element = offsets.add_partition(&point.at.topic, point.at.partition);
        element.set_offset(Offset::Offset(point.position)).map_err(|error| CommitError::of(&error))?;
        element.set_metadata(&point.metadata);
    }
    Ok(offsets)
}
