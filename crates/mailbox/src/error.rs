//! The errors of a mailbox.

use crate::ids::{InvalidId, MailboxName, MessageId, ReceiptHandle};

/// Why an operation of a mailbox failed. Every backend maps the errors of its client library to these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailboxError {
    /// The handle is not the one of a valid lease: it expired, or the message was settled, returned or purged.
    #[error("the receipt handle of message {0} has expired; drop the result")]
    ReceiptHandleExpired(MessageId),
    /// This delivery was settled through the same message before.
    #[error("message {0} is finalised; a settled message accepts no further operation")]
    MessageFinalized(MessageId),
    #[error("message {0} has no reply_to; its sender expects no reply")]
    ReplyNotAvailable(MessageId),
    #[error("invalid {parameter} {value}: allowed are {allowed}")]
    InvalidParameter { parameter: &'static str, value: String, allowed: String },
    #[error("mailbox '{mailbox}' is full: it holds {capacity} messages; receive some, or raise its capacity")]
    Full { mailbox: MailboxName, capacity: u64 },
    /// The backend did not answer, or not in a usable way. The operation may have taken effect.
    #[error("mailbox '{mailbox}' is not available: {reason}")]
    Connection { mailbox: MailboxName, reason: String },
    #[error("mailbox '{0}' is closed")]
    Closed(MailboxName),
    #[error("the body is not valid for its type: {0}")]
    Serialization(String),
    #[error("reply mailbox '{name}' cannot be used: {reason}")]
    Resolution { name: String, reason: String },
}

impl MailboxError {
    pub(crate) fn invalid(parameter: &'static str, value: &impl ToString, allowed: impl Into<String>) -> Self {
        Self::InvalidParameter { parameter, value: value.to_string(), allowed: allowed.into() }
    }

    /// The error of an operation with a handle that is not valid.
    pub fn stale(handle: &ReceiptHandle) -> Self {
        Self::ReceiptHandleExpired(handle.id().clone())
    }

    /// Whether the same call may succeed later without a change by the caller.
    pub const fn is_temporary(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::Connection { .. })
    }
}

impl From<InvalidId> for MailboxError {
    fn from(InvalidId { what, value, allowed }: InvalidId) -> Self {
        let value = format!("'{}'", value.escape_debug());
        Self::InvalidParameter { parameter: what, value, allowed: allowed.to_owned() }
    }
}
