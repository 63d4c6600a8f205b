//! The unfinished records of the log, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Time, Trigger};
use redrive_model::{Attempt, Content, Origin};
use redrive_run::{Cancel, ClaimSpec, Delivery, SettleError, Work, WorkId};

/// Identifies one claim: the record, and the epoch of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) offset: u64,
    pub(crate) epoch: u64,
}

/// A record and its processing state.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) content: Arc<Content>,
    pub(super) destination: Arc<str>,
    pub(super) since: Time,
    progress: Progress,
}

/// The state that is lost when the log is reassigned.
#[derive(Debug)]
struct Progress {
    phase: Phase,
    attempts: u32,
    deliveries: u32,
    is_hand_over_only: bool,
    parts: Vec<String>,
    newest: Option<Box<Attempt>>,
}

#[derive(Debug)]
enum Phase {
    Waiting { at: Time },
    Claimed { epoch: u64, cancel: Cancel },
}

impl Progress {
    const fn none() -> Self {
        let phase = Phase::Waiting { at: Time::MIN };
        Self { phase, attempts: 0, deliveries: 0, is_hand_over_only: false, parts: Vec::new(), newest: None }
    }
}

#[derive(Debug, Default)]
pub(super) struct Log {
    records: BTreeMap<u64, Record>,
    next: u64,
    /// Counts all claims, so that the fence of a late result never matches a current claim.
    epochs: u64,
}

impl Log {
    pub(super) fn append(&mut self, content: Content, destination: Arc<str>, since: Time, due: Option<Time>) {
        let phase = Phase::Waiting { at: due.unwrap_or(Time::MIN) };
        let progress = Progress { phase, ..Progress::none() };
        self.records.insert(self.next, Record { content: Arc::new(content), destination, since, progress });
        self.next += 1;
    }

    pub(super) fn holds(&self, payload: &Bytes) -> bool {
        self.records.values().any(|record| record.content.payload == *payload)
    }

    pub(super) fn unfinished(&self) -> impl Iterator<Item = (Bytes, u32, Option<Time>)> {
        self.records.values().map(|record| {
            let due = match record.progress.phase {
                Phase::Waiting { at } => Some(at),
                Phase::Claimed { .. } => None,
            };
            (record.content.payload.clone(), record.progress.attempts, due)
        })
    }

    /// Claims records that may run now: of each key only the first unfinished record.
    pub(super) fn claim(&mut self, claim: &ClaimSpec, now: Time, name: &str) -> Vec<Delivery<Fence>> {
        let mut keys: BTreeSet<&Bytes> = BTreeSet::new();
        let mut chosen = Vec::new();
        for (offset, record) in &self.records {
            let is_first = record.content.key.as_ref().is_none_or(|key| keys.insert(key));
            let is_due = matches!(record.progress.phase, Phase::Waiting { at } if at <= now);
            if is_first && is_due && claim.scope.covers(&record.destination) && chosen.len() < claim.count {
                chosen.push(*offset);
            }
        }
        let deliver = |offset: u64| {
            self.epochs += 1;
            let fence = Fence { offset, epoch: self.epochs };
            self.records.get_mut(&offset).map(|record| record.deliver(fence, name))
        };
        chosen.into_iter().filter_map(deliver).collect()
    }

    /// The record of a claim, if the claim is still valid.
    pub(super) fn claimed(&mut self, fence: Fence) -> Result<&mut Record, SettleError> {
        let record = self.records.get_mut(&fence.offset).filter(|record| record.is_claimed(fence));
        record.ok_or(SettleError::Stale)
    }

    /// Removes a record whose outcome is durable.
    pub(super) fn finish(&mut self, fence: Fence) -> Result<(), SettleError> {
        self.claimed(fence)?;
        self.records.remove(&fence.offset);
        Ok(())
    }

    /// Reassigns all records: cancels every claim and resets attempts and parts.
    pub(super) fn reassign(&mut self) {
        for record in self.records.values_mut() {
            if let Phase::Claimed { cancel, .. } = &record.progress.phase {
                cancel.cancel();
            }
            record.progress = Progress::none();
        }
    }
}

impl Record {
    fn is_claimed(&self, fence: Fence) -> bool {
        matches!(self.progress.phase, Phase::Claimed { epoch, .. } if epoch == fence.epoch)
    }

    fn deliver(&mut self, fence: Fence, name: &str) -> Delivery<Fence> {
        let cancel = Cancel::new();
        let progress = &mut self.progress;
        progress.phase = Phase::Claimed { epoch: fence.epoch, cancel: cancel.clone() };
        progress.attempts += 1;
        progress.deliveries += 1;
        let id = format!("{name}/{}", fence.offset);
        let work = Work {
            id: WorkId::Own(id.into()),
            source: Arc::from("keyed"),
            origin: origin(name, fence.offset),
            attempt: progress.attempts,
            deliveries: progress.deliveries,
            since: self.since,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&self.destination),
            parts: progress.parts.clone(),
            ..crate::work::work(Arc::clone(&self.content))
        };
        let is_hand_over_only = progress.is_hand_over_only;
        Delivery {
            fence,
            work: Arc::new(work),
            deadline: None,
            is_hand_over_only,
            unrun: None,
            cancel: Some(cancel),
            due: None,
        }
    }

    /// Ends the claim and makes the record due at `at`.
    pub(super) fn release(&mut self, at: Time, is_charged: bool) {
        self.progress.attempts -= u32::from(!is_charged);
        self.progress.phase = Phase::Waiting { at };
    }

    /// Records a failed attempt and its failed parts.
    pub(super) fn record_failure(&mut self, attempt: Option<&Attempt>) {
        let Some(attempt) = attempt else { return };
        if !attempt.failed_parts.is_empty() {
            self.progress.parts.clone_from(&attempt.failed_parts);
        }
        self.progress.newest = Some(Box::new(attempt.clone()));
    }

    pub(super) fn redeliver_for_hand_over(&mut self, at: Time) {
        self.progress.is_hand_over_only = true;
        self.release(at, true);
    }

    pub(super) fn newest_failure(&self) -> Option<&Attempt> {
        self.progress.newest.as_deref()
    }

    pub(super) fn parts(&self) -> &[String] {
        &self.progress.parts
    }
}

pub(super) fn origin(name: &str, offset: u64) -> Origin {
    Origin {
        transport: "log".into(),
        name: name.into(),
        partition: Some(0),
        offset: i64::try_from(offset).ok(),
        ..Origin::default()
    }
}
