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
    purpose: SourcePurpose,
}

/// What a source is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourcePurpose {
    /// The handler does the work of a record. One that cannot be read completely fails without an attempt.
    Process,
    /// The handler captures a record as a letter: its failure is a hand-over that failed. Of a record that cannot be read
    /// completely it gets what could be read, and the reason in the metadata.
    Ingest,
}

impl DeliveryNames {
    /// The metadata of a record that cannot be read completely: the reason.
    pub(crate) const UNREADABLE: &str = "kafka_unreadable";

    pub(crate) fn new(group: &str, purpose: SourcePurpose) -> Self {
        Self { group: Arc::from(group), purpose }
    }

    pub(crate) const fn source(&self) -> &Arc<str> {
        &self.group
    }

    pub(crate) fn delivery(&self, claimed: ClaimedRecord) -> Delivery<RecordFence> {
        let ClaimedRecord { fence, at, record, attempts, since, parts, is_hand_over_only, unrun, cancel } = claimed;
        let mut metadata = record.metadata();
        let unrun = match self.purpose {
            SourcePurpose::Process => unrun,
            SourcePurpose::Ingest => {
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
            reply_to: None,
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
