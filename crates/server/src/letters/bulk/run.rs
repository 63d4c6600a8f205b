//! The record of a run: a plan, its confirmation, and what has become of it.

use std::collections::BTreeMap;

use bytes::Bytes;
use redrive_core::{ItemId, Ksuid, LetterId, QueueName, Span, Time};
use redrive_model::{DeleteItems, KeyCondition, KeyWrite, LetterRevision, Rejection, WriteKeys};
use redrive_proto::redrive::v1::{LettersRun, RunCause};
use redrive_store::{Store, StoreError, Transactional};
use serde::{Deserialize, Serialize};

use super::act::Act;
use crate::audit::{AuditTarget, Change, ChangeError};
use crate::records::{Record, RecordTime, key, put};
use crate::request_context::RequestContext;
use crate::wire::{big_count, count};

/// How long a plan can be confirmed.
const CONFIRMABLE: Span = Span::from_mins(10);
/// Maximum size of the skipped letters and failed retries that a run lists.
const REPORTS_BYTES_MAX: u64 = 16 << 20;
/// How long a run is kept after its end.
const KEPT: Span = Span::from_hours(7 * 24);

/// A plan and its run. The letters are in the [lists](super::lists::Lists) that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(super) id: String,
    pub(super) namespace: String,
    pub(super) queue: QueueName,
    pub(super) act: Act,
    /// The user that made the plan or continued the run last, for whom it acts.
    pub(super) user: String,
    pub(super) user_name: String,
    /// The API key of the confirmation.
    pub(super) key: Option<String>,
    pub(super) reason: String,
    pub(super) digest: String,
    pub(super) letters: u64,
    /// The letters that have not been worked on, in the order of the plan.
    pub(super) parts: Vec<ListPart>,
    /// How many letters of the first part have been worked on.
    pub(super) done_of_part: u32,
    /// Letters that have been worked on, and wait for a destination.
    pub(super) waiting: Vec<WaitingLetter>,
    /// The skipped letters and failed retries.
    pub(super) reports: Vec<ListPart>,
    pub(super) planned_at: RecordTime,
    pub(super) confirmed_at: Option<RecordTime>,
    pub(super) ended_at: Option<RecordTime>,
    pub(super) state: RunState,
    /// What it waits for, or why it ended early.
    pub(super) cause: String,
    /// Since when no letter could be worked on.
    pub(super) waiting_since: Option<RecordTime>,
    pub(super) changed: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
    pub(super) skips: BTreeMap<String, u64>,
    pub(super) failures: BTreeMap<String, u64>,
    /// Letters a second; 0 for no limit.
    pub(super) rate: u32,
    pub(super) give_up_after_seconds: u64,
    /// Who has cancelled it, while the part that is being worked on is finished.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) cancelled_by: String,
}

impl Record for Run {}

/// Letters in one item of the queue of lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ListPart {
    pub(super) item: ItemId,
    pub(super) bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WaitingLetter {
    pub(super) id: LetterId,
    pub(super) revision: u64,
    /// How often it was tried in vain, without an attempt that counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) probes: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl WaitingLetter {
    /// The size of one in the record of its run, at most.
    const BYTES: u64 = 96;

    pub(super) const fn of(seen: LetterRevision) -> Self {
        Self { id: seen.id, revision: seen.revision, probes: 0 }
    }

    pub(super) const fn seen(&self) -> LetterRevision {
        LetterRevision { id: self.id, revision: self.revision }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RunState {
    /// It can be confirmed.
    Planned,
    Running,
    /// All letters that are left wait for a destination.
    Waiting,
    Finished,
    /// By a user, or because its queue is gone.
    Cancelled,
    /// It has waited for too long. It can be confirmed again.
    GaveUp,
    /// The user or a permission is gone. It can be confirmed again.
    Stopped,
}

impl RunState {
    pub(super) const fn is_active(self) -> bool {
        matches!(self, Self::Running | Self::Waiting)
    }

    /// Whether a confirmation starts it.
    pub(super) const fn is_startable(self) -> bool {
        matches!(self, Self::Planned | Self::GaveUp | Self::Stopped)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::GaveUp => "gave_up",
            Self::Stopped => "stopped",
        }
    }
}

impl Run {
    /// The first part of the keys of all runs.
    const KIND: &'static str = "letter-run";

    pub(super) fn key(&self) -> Bytes {
        Self::key_of(&self.namespace, &self.id)
    }

    pub(super) fn key_of(namespace: &str, id: &str) -> Bytes {
        key([Self::KIND, namespace, id])
    }

    pub(super) fn prefix() -> Bytes {
        key([Self::KIND])
    }

    pub(super) fn prefix_of(namespace: &str) -> Bytes {
        key([Self::KIND, namespace])
    }

    /// Stores the run. What frees space is stored also if the disk is full.
    pub(super) async fn store(&self, store: &dyn Store) -> Result<(), StoreError> {
        let write = || vec![put(self.key(), self)];
        if let Some(free) = self.frees_nothing() {
            match store.submit(free.into(), write()).await {
                // The queue is gone.
                Err(StoreError::Rejected(_)) => {}
                stored => return stored.map(drop),
            }
        }
        store.write_keys(WriteKeys { writes: write() }).await
    }

    /// Like [`store`](Self::store), together with the audit record of the act, on condition that the stored run has this
    /// version.
    pub(super) async fn store_recorded(
        &self,
        ctx: &RequestContext,
        condition: KeyCondition,
        targets: &[AuditTarget],
    ) -> Result<(), ChangeError> {
        let write = KeyWrite { condition, ..put(self.key(), self) };
        if let Some(free) = self.frees_nothing() {
            match ctx.act(with_targets(Change::of(free).with_writes([write.clone()]), targets)).await {
                // The queue is gone.
                Err(ChangeError::Store(StoreError::Rejected(Rejection::NoSuchQueue(_)))) => {}
                done => return done.map(drop),
            }
        }
        ctx.act(with_targets(Change::of_keys(vec![write]), targets)).await
    }

    /// An operation that removes nothing, for acts that free space: what is written with it is accepted on a full disk.
    fn frees_nothing(&self) -> Option<DeleteItems> {
        let no_item = ItemId::new(Ksuid::from_bytes([0; Ksuid::BYTES]));
        let queue = self.queue.clone();
        self.act.frees_space().then(|| DeleteItems { queue, partition: 0, ids: vec![no_item] })
    }

    /// The size of its lists, and of its letters that wait.
    pub(super) fn bytes(&self) -> u64 {
        let lists = self.parts.iter().chain(&self.reports).map(|part| part.bytes);
        lists.sum::<u64>() + self.waiting.len() as u64 * WaitingLetter::BYTES
    }

    /// Whether its reports have their maximum size. What comes after that is only counted, by cause.
    pub(super) fn has_full_report(&self) -> bool {
        self.reports.iter().map(|part| part.bytes).sum::<u64>() >= REPORTS_BYTES_MAX
    }

    pub(super) const fn remaining(&self) -> u64 {
        self.letters.saturating_sub(self.changed + self.skipped)
    }

    /// When it is removed; an active run is kept.
    pub(super) fn expires_at(&self) -> Option<Time> {
        match self.state {
            RunState::Running | RunState::Waiting => None,
            RunState::Planned => Some(self.planned_at.0.saturating_add(CONFIRMABLE)),
            RunState::Finished | RunState::Cancelled | RunState::GaveUp | RunState::Stopped => {
                Some(self.ended_at.unwrap_or(self.planned_at).0.saturating_add(KEPT))
            }
        }
    }

    pub(super) fn is_expired(&self, now: Time) -> bool {
        self.expires_at().is_some_and(|at| at <= now)
    }

    /// The run as the API shows it.
    pub(super) fn view(&self) -> LettersRun {
        let causes = |counts: &BTreeMap<String, u64>, failed: bool| {
            let causes = counts.iter();
            causes
                .map(move |(reason, letters)| RunCause { reason: reason.clone(), failed, letters: big_count(*letters) })
                .collect::<Vec<_>>()
        };
        let mut all = causes(&self.skips, false);
        all.extend(causes(&self.failures, true));
        all.sort_by_key(|cause| std::cmp::Reverse(cause.letters));
        LettersRun {
            id: self.id.clone(),
            queue_name: self.queue.to_string(),
            action: self.act.name().to_owned(),
            state: self.state.name().to_owned(),
            cause: self.cause.clone(),
            letters: big_count(self.letters),
            changed: big_count(self.changed),
            skipped: big_count(self.skipped),
            failed: big_count(self.failed),
            remaining: big_count(self.remaining()),
            causes: all,
            user: self.user.clone(),
            user_name: self.user_name.clone(),
            reason: self.reason.clone(),
            planned_at: Some(self.planned_at.0.into()),
            confirmed_at: self.confirmed_at.map(|at| at.0.into()),
            ended_at: self.ended_at.map(|at| at.0.into()),
            expires_at: self.expires_at().map(Into::into),
            digest: self.digest.clone(),
            rate: count(self.rate),
            give_up_after_seconds: big_count(self.give_up_after_seconds),
        }
    }
}

fn with_targets<O: Transactional>(change: Change<O>, targets: &[AuditTarget]) -> Change<O> {
    targets.iter().fold(change, |change, target| change.target(&target.kind, &target.name))
}
