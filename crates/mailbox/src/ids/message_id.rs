//! The id of a message.

use std::fmt;
use std::sync::Arc;

use redrive_core::Time;

use super::{InvalidId, MailboxName};

/// Identifies a message in its mailbox: a random UUID, or an id that the sender supplied to be accepted once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(Arc<str>);

impl MessageId {
    /// The longest id that a sender may supply.
    pub const BYTES_MAX: usize = 512;

    /// An id of the sender.
    ///
    /// # Errors
    ///
    /// If the id is empty, too long, or contains control characters.
    pub fn new(id: &str) -> Result<Self, InvalidId> {
        if id.is_empty() || id.len() > Self::BYTES_MAX || id.chars().any(char::is_control) {
            let allowed = "1 to 512 bytes without control characters";
            return Err(InvalidId { what: "message id", value: id.to_owned(), allowed });
        }
        Ok(Self(Arc::from(id)))
    }

    /// The id of the letter about a message. It is the same for every hand-over, so that a repeated one makes no second
    /// letter. A sender may use an id again when the source has forgotten it, but the mailbox of letters may remember
    /// it longer: the time of the send keeps the two messages apart.
    #[must_use]
    pub fn of_letter(source: &MailboxName, message: &Self, enqueued_at: Time) -> Self {
        Self::derived("letter", source, message, enqueued_at)
    }

    /// The id of the last reply to a message, derived as that of a letter. The reply mailbox accepts it once.
    #[must_use]
    pub fn of_terminal_reply(source: &MailboxName, message: &Self, enqueued_at: Time) -> Self {
        Self::derived("reply", source, message, enqueued_at)
    }

    /// The id of the message that replays a letter: the same for every replay of it. It names the message that was first
    /// sent, however often its letters were replayed.
    #[must_use]
    pub fn of_replay(source: &MailboxName, message: &Self, dead_lettered_at: Time) -> Self {
        let first = message.replayed().unwrap_or(message.as_str());
        Self::derived("replay", source, &Self(Arc::from(first)), dead_lettered_at)
    }

    /// The id of the message that was first sent, if this one is a replay of its letter.
    pub fn replayed(&self) -> Option<&str> {
        let rest = self.0.strip_prefix("replay{")?.split_once('}')?.1;
        let (micros, first) = rest.split_once(':')?;
        micros.parse::<i64>().is_ok().then_some(first)
    }

    /// The braces, which no name contains, and the digits keep any two triples apart.
    fn derived(kind: &str, source: &MailboxName, message: &Self, enqueued_at: Time) -> Self {
        Self(Arc::from(format!("{kind}{{{source}}}{}:{message}", enqueued_at.as_micros())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An id that a backend stored before.
    #[must_use]
    pub fn from_stored(id: &str) -> Self {
        Self(Arc::from(id))
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
