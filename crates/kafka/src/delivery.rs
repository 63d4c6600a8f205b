//! Claimed records as deliveries.

use std::sync::Arc;

use redrive_core::Trigger;
use redrive_run::{Delivery, Work, WorkId};

use crate::log::{ClaimedRecord, RecordFence};
use crate::source_record::SourceRecord;

/// The names that all deliveries of a consumer share.
#[derive(Debug)]
pub(crate) struct DeliveryNames {
    /// The consumer group: the name of the source, and the destination of its work.
    group: Arc<str>,
    unreadable: UnreadableRecords,
}

/// What happens to records that cannot be read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnreadableRecords {
    /// They fail without an attempt.
    Fail,
    /// The handler gets what could be read, and the reason in the metadata.
    Run,
}

impl DeliveryNames {
    /// The metadata of a record that cannot be read completely: the reason.
    pub(crate) const UNREADABLE: &str = "kafka_unreadable";

    pub(crate) fn new(group: &str, unreadable: UnreadableRecords) -> Self {
        Self { group: Arc::from(group), unreadable }
    }

    pub(crate) const fn source(&self) -> &Arc<str> {
        &self.group
    }

    pub(crate) fn delivery(&self, claimed: ClaimedRecord) -> Delivery<RecordFence> {
        let ClaimedRecord { fence, at, record, attempts, since, parts, is_hand_over_only, unrun, cancel } = claimed;
        let mut metadata = record.metadata();
        let unrun = match self.unreadable {
            UnreadableRecords::Fail => unrun,
            UnreadableRecords::Run => {
                let reason = unrun.map(|unreadable| unreadable.error.message.into());
                metadata.extend(reason.map(|reason| (Self::UNREADABLE.to_owned(), reason)));
                None
            }
        };
        let work = Work {
            id: WorkId::Record { topic: Arc::clone(&at.topic), partition: at.partition, offset: record.offset },
            source: Arc::clone(&self.group),
            origin: SourceRecord::new(&self.group, &at, &record).origin(),
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
