//! An open record of a partition.

use redrive_core::{Failure, Time};
use redrive_model::Attempt;
use redrive_run::DeadWork;

use crate::record::Record;

/// A record that was delivered and is not done.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) record: Record,
    pub(crate) state: SlotState,
    /// The records that are processed one after the other; `None` if the order of this one is free.
    pub(super) chain: Option<u64>,
    /// The sequence number of the next open record of the chain.
    pub(super) next: Option<u64>,
    /// Charged attempts.
    pub(crate) attempts: u32,
    /// Whether the current claim counts as an attempt.
    pub(super) is_claim_charged: bool,
    /// Number of deliveries, which also identifies the current claim.
    pub(crate) deliveries: u32,
    /// When the record arrived.
    pub(crate) since: Time,
    /// Set after the first failure.
    pub(crate) history: Option<Box<History>>,
}

/// What a failed record remembers for its next delivery and for its letter.
#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) is_hand_over_only: bool,
    pub(crate) parts: Vec<String>,
    pub(crate) newest: Option<Attempt>,
    /// Why the record is given up; set while its letter waits for its hand-over.
    pub(crate) dead: Option<Box<DeadWork>>,
    /// The record fails without an attempt, for this reason.
    pub(crate) unrun: Option<Box<Failure>>,
    /// Failed hand-overs, and the error of the last one.
    pub(crate) hand_overs_failed: u32,
    pub(crate) hand_over_error: Option<String>,
    /// The DLQ topic has the letter, and the dead queue not yet.
    pub(crate) is_published: bool,
}

/// The state of an open record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotState {
    /// Behind an earlier record of its key, or of its partition.
    Queued,
    Runnable,
    /// Held by the runner.
    Claimed,
    /// Its letter is being handed over.
    HandingOver,
    /// Not before this time: it waits for its next attempt or its next hand-over.
    Waiting(Time),
}

impl SlotState {
    pub(super) const COUNT: usize = 5;

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Queued => 0,
            Self::Runnable => 1,
            Self::Claimed => 2,
            Self::HandingOver => 3,
            Self::Waiting(_) => 4,
        }
    }

    /// Whether the runner or a hand-over holds the record.
    pub(super) const fn is_held(self) -> bool {
        matches!(self, Self::Claimed | Self::HandingOver)
    }
}

impl Slot {
    pub(super) const fn new(record: Record, chain: Option<u64>, state: SlotState, since: Time) -> Self {
        Self {
            record,
            state,
            chain,
            next: None,
            attempts: 0,
            is_claim_charged: false,
            deliveries: 0,
            since,
            history: None,
        }
    }

    pub(super) fn history_mut(&mut self) -> &mut History {
        self.history.get_or_insert_default()
    }

    pub(crate) fn is_hand_over_only(&self) -> bool {
        self.history.as_ref().is_some_and(|history| history.is_hand_over_only)
    }

    /// Whether the record failed for good, and its letter is not durable yet.
    pub(crate) fn has_letter(&self) -> bool {
        self.history.as_ref().is_some_and(|history| history.is_hand_over_only || history.dead.is_some())
    }

    /// Notes a claim. A delivery for the hand-over alone makes no attempt, nor does one of a record that failed before and
    /// now fails without an attempt.
    pub(super) fn claimed(&mut self) {
        let is_unrun = self.history.as_ref().is_some_and(|history| history.unrun.is_some());
        self.is_claim_charged = !(self.is_hand_over_only() || is_unrun && self.attempts > 0);
        self.attempts += u32::from(self.is_claim_charged);
        self.deliveries += 1;
    }

    /// Takes back what [`claimed`](Self::claimed) has charged.
    pub(super) fn uncharge(&mut self) {
        self.attempts -= u32::from(std::mem::take(&mut self.is_claim_charged));
    }

    /// Records a failed attempt and its failed parts.
    pub(super) fn record_failure(&mut self, attempt: Option<&Attempt>) {
        let Some(attempt) = attempt else { return };
        let history = self.history_mut();
        if !attempt.failed_parts.is_empty() {
            history.parts.clone_from(&attempt.failed_parts);
        }
        history.newest = Some(attempt.clone());
    }
}
