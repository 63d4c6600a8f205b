//! Claimed records as deliveries.

use std::sync::Arc;

use redrive_core::{Failure, Metadata, Time, Trigger};
use redrive_run::{Cancel, Delivery, Work, WorkId};

use crate::dlq::origin_of;
use crate::log::{Claimed, RecordFence, TopicPartition};
use crate::record::Record;

/// A claimed record, copied out of the log.
pub(crate) struct ClaimedRecord {
    fence: RecordFence,
    at: TopicPartition,
    record: Record,
    attempts: u32,
    since: Time,
    parts: Vec<String>,
    is_hand_over_only: bool,
    unrun: Option<Box<Failure>>,
    cancel: Cancel,
}

impl ClaimedRecord {
    pub(crate) fn of(claimed: &Claimed<'_>) -> Self {
        let Claimed { fence, partition, slot } = claimed;
        let history = slot.history.as_ref();
        let unrun = slot.record.failure.as_ref().or_else(|| history.and_then(|history| history.unrun.as_ref()));
        Self {
            fence: *fence,
            at: partition.address(),
            record: slot.record.clone(),
            attempts: slot.attempts,
            since: slot.since,
            parts: history.map(|history| history.parts.clone()).unwrap_or_default(),
            is_hand_over_only: slot.is_hand_over_only(),
            unrun: unrun.cloned(),
            cancel: partition.cancel.clone(),
        }
    }

    /// When the record arrived, if this is its first delivery.
    pub(crate) fn arrived_at(&self) -> Option<Time> {
        (self.fence.delivery == 1).then_some(self.since)
    }
}

/// The names that all deliveries of a consumer share.
#[derive(Debug)]
pub(crate) struct DeliveryNames {
    /// The consumer group: the name of the source, and the destination of its work.
    group: Arc<str>,
}

impl DeliveryNames {
    pub(crate) fn new(group: &str) -> Self {
        Self { group: Arc::from(group) }
    }

    pub(crate) const fn source(&self) -> &Arc<str> {
        &self.group
    }

    pub(crate) fn delivery(&self, claimed: ClaimedRecord) -> Delivery<RecordFence> {
        let ClaimedRecord { fence, at, record, attempts, since, parts, is_hand_over_only, unrun, cancel } = claimed;
        let mut metadata = Metadata::new();
        if record.is_tombstone() {
            metadata.insert("kafka_tombstone".to_owned(), true.into());
        }
        let work = Work {
            id: WorkId::Own(format!("{}/{}/{}", at.topic, at.partition, record.offset).into()),
            source: Arc::clone(&self.group),
            origin: Arc::new(origin_of(&self.group, &at.topic, at.partition, record.offset, record.time())),
            content: record.content,
            attempt: attempts,
            deliveries: fence.delivery,
            since,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&self.group),
            edition: None,
            parts,
            terms: None,
            trace_id: None,
            request_id: None,
            submitted_by: None,
            metadata,
        };
        Delivery {
            fence,
            work: Arc::new(work),
            deadline: None,
            is_hand_over_only,
            unrun,
            cancel: Some(cancel),
            due: None,
        }
    }
}
