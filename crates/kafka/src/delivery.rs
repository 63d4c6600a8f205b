//! Claimed records as deliveries.

use std::sync::Arc;

use redrive_core::{Metadata, Trigger};
use redrive_run::{Delivery, Work, WorkId};

use crate::dlq::origin_of;
use crate::log::{ClaimedRecord, RecordFence};

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
            id: WorkId::Record { topic: Arc::clone(&at.topic), partition: at.partition, offset: record.offset },
            source: Arc::clone(&self.group),
            origin: origin_of(Arc::clone(&self.group), &at, &record),
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
