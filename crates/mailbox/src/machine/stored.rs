//! A stored message and its state.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::Time;

use crate::Verdict;

#[derive(Debug)]
pub(super) struct Stored {
    /// Its place among all messages, by the order of their sends.
    pub(super) number: u64,
    pub(super) body: Bytes,
    pub(super) reply_to: Option<Arc<str>>,
    pub(super) enqueued_at: Time,
    pub(super) first_received_at: Option<Time>,
    pub(super) delivery_count: u32,
    pub(super) uncharged: u32,
    pub(super) last_error: Option<Arc<str>>,
    pub(super) verdict: Option<Verdict>,
    pub(super) parts: Vec<String>,
    /// The end of its retention; `None` if it is kept forever.
    pub(super) expires_at: Option<Time>,
    pub(super) state: MessageState,
}

/// The state of a message that is not gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MessageState {
    /// Visible, at this position.
    Pending(i64),
    Leased {
        deadline: Time,
        nonce: Arc<str>,
    },
    Delayed {
        until: Time,
    },
}

impl MessageState {
    /// When the message becomes visible without an operation.
    pub(super) const fn due(&self) -> Option<Time> {
        match self {
            Self::Pending(_) => None,
            Self::Leased { deadline, .. } => Some(*deadline),
            Self::Delayed { until } => Some(*until),
        }
    }
}
