//! What one letter is and does, as the reference's table of states has it: the model.

use redrive_core::{ItemId, LetterTerms, RetryPolicy, Span, Status, Time};

/// What is asked of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// It comes to be.
    Capture(Box<Letter>),
    /// A further failure of the same work.
    Merge,
    Claim {
        lease: Span,
    },
    ClaimByHand {
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
        end: End,
    },
    Extend {
        fence: ItemId,
        lease: Span,
    },
    Look,
}

/// What its holder says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Retry { at: Time, is_charged: bool },
    Permanent,
    Exhausted,
    Spent,
    Release,
    Defer { until: Time },
}

/// What whoever asked is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    Done,
    Taken {
        fence: ItemId,
        at: Time,
        is_unknown: bool,
    },
    /// It was so already: nothing was changed.
    Already,
    Conflict(Status),
    /// Another live letter has its source id.
    Held,
    NoSuchLetter,
    Stale,
    Deadline(Time),
    Seen(View),
}

/// What a list shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
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
    pub(super) view: View,
    pub(super) policy: RetryPolicy,
    pub(super) max_retries: u32,
    /// What it was before it was claimed or archived, and when it would have been due.
    pub(super) before: Option<(Status, Option<Time>)>,
    pub(super) holder: Holder,
}

/// Who works on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    Nobody,
    /// Somebody who was told so, until a time.
    Told {
        fence: ItemId,
        deadline: Time,
        is_by_hand: bool,
    },
    /// Somebody who was not told so, or does not listen any more.
    Unaware {
        deadline: Time,
    },
}

impl Letter {
    pub(super) fn new(body: String, policy: RetryPolicy, max_retries: u32, now: Time) -> Self {
        let (status, next_retry_at) = (Status::Pending, None);
        let view = View { status, retries: 0, total_attempts: 1, next_retry_at, is_unknown: false, body };
        let mut letter = Self { is_gone: false, view, policy, max_retries, before: None, holder: Holder::Nobody };
        letter.settle(now);
        letter
    }

    /// The rule that decides at the beginning and after every failure.
    fn settle(&mut self, now: Time) {
        let retries = self.view.retries;
        let is_spent = retries >= self.max_retries;
        let delay = match self.policy {
            _ if is_spent => None,
            RetryPolicy::Immediate if retries == 0 => Some(Span::ZERO),
            RetryPolicy::Immediate => Some(LetterTerms::RETRY_INTERVAL),
            RetryPolicy::Linear => Some(Span::from_mins(5).saturating_mul(u64::from(retries) + 1)),
            _ => None,
        };
        self.park(
            if is_spent { Status::Exhausted } else { Status::Pending },
            delay.map(|delay| now.saturating_add(delay)),
        );
    }

    fn park(&mut self, status: Status, due: Option<Time>) {
        (self.view.status, self.view.next_retry_at) = (status, due);
        (self.before, self.holder) = (None, Holder::Nobody);
    }

    fn fail(&mut self) {
        self.view.retries += 1;
        self.view.total_attempts += 1;
    }

    /// Answers, and becomes what it is then. The answer that was given names what only the store can know: ids.
    pub(super) fn answer(&mut self, ask: &Ask, told: Option<&Told>, now: Time) -> Told {
        if self.is_gone {
            return self.when_gone(ask);
        }
        let status = self.view.status;
        let is_free = matches!(status, Status::Pending | Status::Exhausted);
        match ask {
            Ask::Capture(_) => Told::Already,
            Ask::Merge if status.is_live() => Told::Done,
            Ask::Claim { lease } => {
                let due = self.view.next_retry_at.filter(|_| status == Status::Pending);
                let now = taken_at(told).unwrap_or(now);
                if due.is_some_and(|due| due <= now) {
                    self.claim(*lease, told, false, now)
                } else {
                    Told::Conflict(status)
                }
            }
            Ask::ClaimByHand { lease } if is_free => self.claim(*lease, told, true, now),
            Ask::Edit { body, max_retries } if is_free => {
                self.view.body.clone_from(body);
                self.max_retries = *max_retries;
                self.settle(now);
                Told::Done
            }
            Ask::Merge | Ask::ClaimByHand { .. } | Ask::Edit { .. } => Told::Conflict(status),
            Ask::Archive if status == Status::Archived => Told::Already,
            Ask::Archive => {
                let before = (status, self.view.next_retry_at);
                self.park(Status::Archived, None);
                self.before = Some(before);
                Told::Done
            }
            Ask::Restore => self.restore(told, now),
            Ask::Purge => {
                self.is_gone = true;
                Told::Done
            }
            Ask::Settle { fence, end } => self.end(*fence, end, now),
            Ask::Extend { fence, lease } => match &mut self.holder {
                Holder::Told { fence: held, deadline, .. } if held == fence => {
                    *deadline = (*deadline).max(now.saturating_add(*lease));
                    Told::Deadline(*deadline)
                }
                _ => Told::Stale,
            },
            Ask::Look => Told::Seen(self.view.clone()),
        }
    }

    fn when_gone(&mut self, ask: &Ask) -> Told {
        match ask {
            Ask::Settle { .. } | Ask::Extend { .. } => Told::Stale,
            Ask::Purge => Told::Already,
            _ => Told::NoSuchLetter,
        }
    }

    fn claim(&mut self, lease: Span, told: Option<&Told>, is_by_hand: bool, now: Time) -> Told {
        self.before = Some((self.view.status, self.view.next_retry_at.take()));
        self.view.status = Status::Retrying;
        let deadline = now.saturating_add(lease);
        let Some(Told::Taken { fence, .. }) = told else {
            self.holder = Holder::Unaware { deadline };
            return Told::Done;
        };
        self.holder = Holder::Told { fence: *fence, deadline, is_by_hand };
        Told::Taken { fence: *fence, at: now, is_unknown: self.view.is_unknown }
    }

    fn restore(&mut self, told: Option<&Told>, now: Time) -> Told {
        let Some((status, due)) = self.before.filter(|_| self.view.status == Status::Archived) else {
            return Told::Already;
        };
        // Whether another has its source id is looked at elsewhere; one that is done needs none.
        if told == Some(&Told::Held) && status.is_live() {
            return Told::Held;
        }
        match status {
            Status::Retrying => {
                self.fail();
                self.view.is_unknown = true;
                self.settle(now);
            }
            status => self.park(status, due.map(|due| due.max(now))),
        }
        Told::Done
    }

    fn end(&mut self, fence: ItemId, end: &End, now: Time) -> Told {
        let Holder::Told { fence: held, is_by_hand, .. } = self.holder else { return Told::Stale };
        if held != fence {
            return Told::Stale;
        }
        let (status, due) = self.before.unwrap_or((Status::Pending, None));
        match end {
            End::Done => {
                self.view.total_attempts += 1;
                self.park(Status::Completed, None);
            }
            End::Retry { at, is_charged } => {
                if *is_charged {
                    self.fail();
                }
                self.settle(now);
                self.view.next_retry_at = self.view.next_retry_at.map(|_| (*at).max(now));
            }
            End::Permanent => {
                self.fail();
                self.settle(now);
                self.view.next_retry_at = None;
            }
            End::Exhausted => {
                self.fail();
                self.park(Status::Exhausted, None);
            }
            End::Spent => self.park(Status::Exhausted, None),
            End::Release => self.park(status, due),
            End::Defer { .. } if is_by_hand => self.park(status, due),
            End::Defer { until } => self.park(status, Some(*until)),
        }
        Told::Done
    }

    /// What may become of it by itself.
    pub(super) fn by_itself(&self, now: Time) -> Vec<Self> {
        let mut after = Vec::new();
        if self.is_gone {
            return after;
        }
        if let Holder::Told { deadline, .. } | Holder::Unaware { deadline } = self.holder
            && deadline <= now
        {
            let mut lost = self.clone();
            lost.fail();
            lost.view.is_unknown = true;
            lost.settle(now);
            after.push(lost);
        }
        if let (Holder::Unaware { .. }, Some((status, due))) = (self.holder, self.before) {
            let mut returned = self.clone();
            returned.park(status, due);
            after.push(returned);
        }
        after
    }
}

const fn taken_at(told: Option<&Told>) -> Option<Time> {
    match told {
        Some(Told::Taken { at, .. }) => Some(*at),
        _ => None,
    }
}
