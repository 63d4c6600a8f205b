//! Messages as bytes.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Span, Time};

use crate::{MailboxError, MailboxName, MessageId, ReceiptHandle};

/// A message to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// An id to be accepted once, for as long as the mailbox keeps messages: sending it again changes nothing and
    /// succeeds. `None` assigns a random id.
    pub id: Option<MessageId>,
    pub body: Bytes,
    /// The mailbox that expects the reply.
    pub reply_to: Option<MailboxName>,
}

impl NewMessage {
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self { id: None, body: body.into(), reply_to: None }
    }
}

/// A received message. It is leased until its deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawMessage {
    pub handle: ReceiptHandle,
    pub body: Bytes,
    /// As it was sent, even if no such mailbox can be resolved.
    pub reply_to: Option<Arc<str>>,
    /// Number of deliveries, including this one.
    pub delivery_count: u32,
    /// How many of the earlier deliveries were returned without a charge.
    pub uncharged: u32,
    /// By the clock of the backend, as are the other times.
    pub enqueued_at: Time,
    pub first_received_at: Time,
    /// When the lease ends unless it is extended.
    pub deadline: Time,
    /// How long it lasts from now on. The clock of the receiver may differ from that of the backend.
    pub lease: Span,
    /// The text that the latest return with an error left.
    pub last_error: Option<Arc<str>>,
    pub verdict: Option<Verdict>,
    /// The named parts that remain to be done. Empty means the whole message.
    pub parts: Vec<String>,
}

impl RawMessage {
    pub fn id(&self) -> &MessageId {
        self.handle.id()
    }

    /// The name of the mailbox that expects the reply.
    pub(crate) fn reply_to(&self) -> Result<&str, MailboxError> {
        self.reply_to.as_deref().ok_or_else(|| MailboxError::ReplyNotAvailable(self.id().clone()))
    }

    /// Number of this attempt: deliveries without those that were not charged.
    pub const fn attempt(&self) -> u32 {
        self.delivery_count.saturating_sub(self.uncharged)
    }
}

/// What was decided about a message before this delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It failed permanently with an error of this type, and its hand-over to its dead letters is not complete: only the
    /// hand-over is repeated.
    Failed {
        error_type: Arc<str>,
        /// Number of attempts that were made; `None` if an earlier version did not store it.
        attempts: Option<u32>,
    },
}

impl Verdict {
    pub fn failed(error_type: impl Into<Arc<str>>, attempts: u32) -> Self {
        Self::Failed { error_type: error_type.into(), attempts: Some(attempts) }
    }

    /// The form on the wire.
    pub fn to_wire(&self) -> String {
        match self {
            Self::Failed { error_type, attempts: Some(attempts) } => format!("condemned:{attempts}:{error_type}"),
            Self::Failed { error_type, attempts: None } => format!("condemned::{error_type}"),
        }
    }

    /// Reads the form on the wire. `None` for a verdict of a later version, on which this version may not act.
    pub fn from_wire(text: &str) -> Option<Self> {
        if text == "condemned" {
            return Some(Self::Failed { error_type: Arc::from("unknown"), attempts: None });
        }
        let (attempts, error_type) = text.strip_prefix("condemned:")?.split_once(':')?;
        Some(Self::Failed { error_type: error_type.into(), attempts: attempts.parse().ok() })
    }
}

/// A message that was read without a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowsedMessage {
    pub id: MessageId,
    pub body: Bytes,
    pub reply_to: Option<Arc<str>>,
    /// Number of deliveries so far.
    pub delivery_count: u32,
    pub enqueued_at: Time,
    /// Whether a receiver has it now.
    pub is_leased: bool,
}

/// A part of a mailbox that was read without leases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowsePage {
    pub messages: Vec<BrowsedMessage>,
    /// Where the next part begins; `None` if there is none.
    pub next: Option<BrowseCursor>,
}

/// A place in a mailbox, as its backend knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowseCursor(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_survives_the_wire_and_that_of_an_earlier_version_is_read() {
        for verdict in [
            Verdict::failed("quota.tokens", 5),
            Verdict::failed("a:b", 0),
            Verdict::Failed { error_type: Arc::from("unknown"), attempts: None },
        ] {
            assert_eq!(Verdict::from_wire(&verdict.to_wire()), Some(verdict));
        }
        let earlier = Verdict::Failed { error_type: Arc::from("unknown"), attempts: None };
        assert_eq!(Verdict::from_wire("condemned"), Some(earlier));
        assert_eq!(Verdict::from_wire("pardoned:1:a"), None);
    }
}
