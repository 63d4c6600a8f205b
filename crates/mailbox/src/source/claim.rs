//! The claim of a message.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use redrive_core::Time;
use tokio::sync::Mutex;

use crate::body_check::BodyIds;
use crate::{RawMessage, Verdict};

/// The claim of a message: its delivery, with what a letter about it needs.
#[derive(Debug, Clone)]
pub struct MailboxClaim(pub(super) Arc<ClaimedMessage>);

#[derive(Debug)]
pub(super) struct ClaimedMessage {
    pub(super) message: RawMessage,
    pub(super) ids: BodyIds,
    /// When the lease ends unless it is extended, in microseconds, by the clock of the runner.
    deadline: AtomicI64,
    /// Held while the claim is settled: between the steps of a hand-over, no other settlement may take effect.
    pub(super) settling: Mutex<Settling>,
}

impl ClaimedMessage {
    /// Notes that the lease was extended to this time at least. Returns when it ends: a lease is never shortened.
    pub(super) fn extended(&self, to: Time) -> Time {
        Time::from_micros(self.deadline.fetch_max(to.as_micros(), Ordering::Relaxed)).max(to)
    }
}

#[derive(Debug, Default)]
pub(super) struct Settling {
    /// The verdict about work whose letter could not be handed over.
    pub(super) verdict: Option<Verdict>,
}

impl MailboxClaim {
    pub(super) fn new(message: RawMessage, ids: BodyIds, deadline: Time) -> Self {
        Self(Arc::new(ClaimedMessage {
            message,
            ids,
            deadline: AtomicI64::new(deadline.as_micros()),
            settling: Mutex::default(),
        }))
    }
}

impl From<RawMessage> for MailboxClaim {
    fn from(message: RawMessage) -> Self {
        let deadline = message.deadline;
        Self::new(message, BodyIds::default(), deadline)
    }
}
