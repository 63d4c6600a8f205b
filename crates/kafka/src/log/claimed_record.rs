//! A claimed record, copied out of the log.

use redrive_core::{Failure, Time};
use redrive_run::Cancel;

use super::slot::Slot;
use super::{RecordFence, TopicPartition};
use crate::record::Record;

#[derive(Debug)]
pub(crate) struct ClaimedRecord {
    pub(crate) fence: RecordFence,
    pub(crate) at: TopicPartition,
    pub(crate) record: Record,
    pub(crate) attempts: u32,
    /// When the record arrived.
    pub(crate) since: Time,
    pub(crate) parts: Vec<String>,
    pub(crate) is_hand_over_only: bool,
    /// The record fails without an attempt, for this reason.
    pub(crate) unrun: Option<Box<Failure>>,
    pub(crate) cancel: Cancel,
}

impl ClaimedRecord {
    pub(super) fn new(fence: RecordFence, at: TopicPartition, slot: &Slot, cancel: Cancel) -> Self {
        let history = slot.history.as_ref();
        let unrun = slot.record.failure.as_ref().or_else(|| history.and_then(|history| history.unrun.as_ref()));
        Self {
            fence,
            at,
            record: slot.record.clone(),
            attempts: slot.attempts,
            since: slot.since,
            parts: history.map(|history| history.parts.clone()).unwrap_or_default(),
            is_hand_over_only: slot.is_hand_over_only(),
            unrun: unrun.cloned(),
            cancel,
        }
    }

    /// When the record arrived, if this is its first delivery.
    pub(crate) fn arrived_at(&self) -> Option<Time> {
        (self.fence.delivery == 1).then_some(self.since)
    }
}
