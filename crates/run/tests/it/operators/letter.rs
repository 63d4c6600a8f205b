//! The model of one letter: its states and transitions, as in the reference's table of states.

use redrive_core::{ItemId, LetterTerms, RetryPolicy, Span, Status, Time};

/// A request about one letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LetterOp {
    /// Creates the letter.
    Capture(Box<Letter>),
    /// A further failure of the same work.
    Merge,
    Claim {
        lease: Span,
    },
    ManualClaim {
        lease: Span,
    },
    Archive,
    Restore,
    Edit {
        body: String,
        max_retries: u32,
    },
    Purge,
    Settle {
        fence: ItemId,
        result: ClaimResult,
    },
    Extend {
        fence: ItemId,
        lease: Span,
    },
    Read,
}

/// The result with which the holder settles its claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClaimResult {
    Done,
    Retry { at: Time, is_charged: bool },
    Permanent,
    Exhausted,
    Spent,
    Release,
    Defer { until: Time },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LetterReply {
    Done,
    Claimed {
        fence: ItemId,
        at: Time,
        is_unknown: bool,
    },
    /// The letter was already in that state.
    Unchanged,
    Conflict(Status),
    /// Another live letter has its source id.
    SourceIdInUse,
    NoSuchLetter,
    Stale,
    Deadline(Time),
    View(LetterView),
}

/// The fields of a letter in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LetterView {
    pub(super) status: Status,
    pub(super) retries: u32,
    pub(super) total_attempts: u32,
    pub(super) next_retry_at: Option<Time>,
    pub(super) is_unknown: bool,
    pub(super) body: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) is_gone: bool,
    pub(super) view: LetterView,
    pub(super) policy: RetryPolicy,
    pub(super) max_retries: u32,
    /// The status and due time before the claim or the archiving.
    pub(super) before: Option<(Status, Option<Time>)>,
    pub(super) holder: Holder,
}

/// The holder of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    None,
    /// The claim's reply was received, and the fence is known.
    Known {
        fence: ItemId,
        deadline: Time,
        is_manual: bool,
    },
    /// The claim's reply was not received.
    Unknown {
        deadline: Time,
    },
}

impl Letter {
    pub(super) fn new(body: String, policy: RetryPolicy, max_retries: u32, now: Time) -> Self {
        let (status, next_retry_at) = (Status::Pending, None);
        let view = LetterView { status, retries: 0, total_attempts: 1, next_retry_at, is_unknown: false, body };
        let mut letter = Self { is_gone: false, view, policy, max_retries, before: None, holder: Holder::None };
        letter.schedule(now);
        letter
    }

    /// Sets status and due time by the policy, after the capture and after every failure.
    fn schedule(&mut self, now: Time) {
        let retries = self.view.retries;
        let is_spent = retries >= self.max_retries;
        let delay = match self.policy {
            _ if is_spent => None,
            RetryPolicy::Immediate if retries == 0 => Some(Span::ZERO),
            RetryPolicy::Immediate => Some(LetterTerms::RETRY_INTERVAL),
            RetryPolicy::Linear => Some(Span::from_mins(5).saturating_mul(u64::from(retries) + 1)),
            _ => None,
        };
        self.set_status(
            if is_spent { Status::Exhausted } else { Status::Pending },
            delay.map(|delay| now.saturating_add(delay)),
        );
    }

    fn set_status(&mut self, status: Status, due: Option<Time>) {
        (self.view.status, self.view.next_retry_at) = (status, due);
        (self.before, self.holder) = (None, Holder::None);
    }

    fn fail(&mut self) {
        self.view.retries += 1;
        self.view.total_attempts += 1;
    }

    /// Applies a request and returns its reply. Ids, which only the store knows, are taken from the reply that was
    /// received.
    pub(super) fn apply(&mut self, op: &LetterOp, received: Option<&LetterReply>, now: Time) -> LetterReply {
        if self.is_gone {
            return self.apply_when_gone(op);
        }
        let status = self.view.status;
        let is_free = matches!(status, Status::Pending | Status::Exhausted);
        match op {
            LetterOp::Capture(_) => LetterReply::Unchanged,
            LetterOp::Merge if status.is_live() => LetterReply::Done,
            LetterOp::Claim { lease } => {
                let due = self.view.next_retry_at.filter(|_| status == Status::Pending);
                let now = claimed_at(received).unwrap_or(now);
                if due.is_some_and(|due| due <= now) {
                    self.claim(*lease, received, false, now)
                } else {
                    LetterReply::Conflict(status)
                }
            }
            LetterOp::ManualClaim { lease } if is_free => self.claim(*lease, received, true, now),
            LetterOp::Edit { body, max_retries } if is_free => {
                self.view.body.clone_from(body);
                self.max_retries = *max_retries;
                self.schedule(now);
                LetterReply::Done
            }
            LetterOp::Merge | LetterOp::ManualClaim { .. } | LetterOp::Edit { .. } => LetterReply::Conflict(status),
            LetterOp::Archive if status == Status::Archived => LetterReply::Unchanged,
            LetterOp::Archive => {
                let before = (status, self.view.next_retry_at);
                self.set_status(Status::Archived, None);
                self.before = Some(before);
                LetterReply::Done
            }
            LetterOp::Restore => self.restore(received, now),
            LetterOp::Purge => {
                self.is_gone = true;
                LetterReply::Done
            }
            LetterOp::Settle { fence, result } => self.settle(*fence, result, now),
            LetterOp::Extend { fence, lease } => match &mut self.holder {
                Holder::Known { fence: held, deadline, .. } if held == fence => {
                    *deadline = (*deadline).max(now.saturating_add(*lease));
                    LetterReply::Deadline(*deadline)
                }
                _ => LetterReply::Stale,
            },
            LetterOp::Read => LetterReply::View(self.view.clone()),
        }
    }

    fn apply_when_gone(&mut self, op: &LetterOp) -> LetterReply {
        match op {
            LetterOp::Settle { .. } | LetterOp::Extend { .. } => LetterReply::Stale,
            LetterOp::Purge => LetterReply::Unchanged,
            _ => LetterReply::NoSuchLetter,
        }
    }

    fn claim(&mut self, lease: Span, received: Option<&LetterReply>, is_manual: bool, now: Time) -> LetterReply {
        self.before = Some((self.view.status, self.view.next_retry_at.take()));
        self.view.status = Status::Retrying;
        let deadline = now.saturating_add(lease);
        let Some(LetterReply::Claimed { fence, .. }) = received else {
            self.holder = Holder::Unknown { deadline };
            return LetterReply::Done;
        };
        self.holder = Holder::Known { fence: *fence, deadline, is_manual };
        LetterReply::Claimed { fence: *fence, at: now, is_unknown: self.view.is_unknown }
    }

    fn restore(&mut self, received: Option<&LetterReply>, now: Time) -> LetterReply {
        let Some((status, due)) = self.before.filter(|_| self.view.status == Status::Archived) else {
            return LetterReply::Unchanged;
        };
        // The model knows no other letters, so it trusts the reply about the source id; a completed letter needs none.
        if received == Some(&LetterReply::SourceIdInUse) && status.is_live() {
            return LetterReply::SourceIdInUse;
        }
        match status {
            Status::Retrying => {
                self.fail();
                self.view.is_unknown = true;
                self.schedule(now);
            }
            status => self.set_status(status, due.map(|due| due.max(now))),
        }
        LetterReply::Done
    }

    fn settle(&mut self, fence: ItemId, result: &ClaimResult, now: Time) -> LetterReply {
        let Holder::Known { fence: held, is_manual, .. } = self.holder else { return LetterReply::Stale };
        if held != fence {
            return LetterReply::Stale;
        }
        let (status, due) = self.before.unwrap_or((Status::Pending, None));
        match result {
            ClaimResult::Done => {
                self.view.total_attempts += 1;
                self.set_status(Status::Completed, None);
            }
            ClaimResult::Retry { at, is_charged } => {
                if *is_charged {
                    self.fail();
                }
                self.schedule(now);
                self.view.next_retry_at = self.view.next_retry_at.map(|_| (*at).max(now));
            }
            ClaimResult::Permanent => {
                self.fail();
                self.schedule(now);
                self.view.next_retry_at = None;
            }
            ClaimResult::Exhausted => {
                self.fail();
                self.set_status(Status::Exhausted, None);
            }
            ClaimResult::Spent => self.set_status(Status::Exhausted, None),
            ClaimResult::Release => self.set_status(status, due),
            ClaimResult::Defer { .. } if is_manual => self.set_status(status, due),
            ClaimResult::Defer { until } => self.set_status(status, Some(*until)),
        }
        LetterReply::Done
    }

    /// The states that the letter may reach without a request: its claim expires, or the store releases a claim whose
    /// caller is gone.
    pub(super) fn automatic_changes(&self, now: Time) -> Vec<Self> {
        let mut after = Vec::new();
        if self.is_gone {
            return after;
        }
        if let Holder::Known { deadline, .. } | Holder::Unknown { deadline } = self.holder
            && deadline <= now
        {
            let mut lost = self.clone();
            lost.fail();
            lost.view.is_unknown = true;
            lost.schedule(now);
            after.push(lost);
        }
        if let (Holder::Unknown { .. }, Some((status, due))) = (self.holder, self.before) {
            let mut released = self.clone();
            released.set_status(status, due);
            after.push(released);
        }
        after
    }
}

const fn claimed_at(received: Option<&LetterReply>) -> Option<Time> {
    match received {
        Some(LetterReply::Claimed { at, .. }) => Some(*at),
        _ => None,
    }
}
