//! The id of a message.

use std::fmt;
use std::sync::Arc;

use redrive_core::Time;

use super::{InvalidId, MailboxName};

/// What the id of a message says that a dead queue handed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandedBack<'i> {
    /// The mailbox to which it was first sent.
    pub mailbox: &'i str,
    /// The id of the message that was first sent, and when.
    pub first: &'i str,
    pub enqueued_at: Time,
    /// How often it was handed back, with this one.
    pub replays: u32,
    /// The id of its letter; if the letter was edited, with a digest of its content.
    pub letter: &'i str,
}

impl HandedBack<'_> {
    /// The highest number that is believed: the next failure of a letter with the greatest number could not be
    /// distinguished from a repeated report.
    const REPLAYS_MAX: u32 = 1_000_000;
}

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

    /// The id of the message that hands a letter of a dead queue back: the same for every repetition of one hand-back.
    pub(crate) fn of_hand_back(handed_back: &HandedBack<'_>) -> Self {
        let HandedBack { mailbox, first, enqueued_at, replays, letter } = handed_back;
        Self(Arc::from(format!("handback{{{mailbox}}}{replays}:{}:{letter}:{first}", enqueued_at.as_micros())))
    }

    /// What this message is a hand-back of, if it is one. The id is no proof: a sender may choose any.
    pub fn handed_back(&self) -> Option<HandedBack<'_>> {
        let (mailbox, rest) = self.0.strip_prefix("handback{")?.split_once('}')?;
        let mut fields = rest.splitn(4, ':');
        let (replays, micros) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let (letter, first) = (fields.next()?, fields.next()?);
        let is_believed = (1..=HandedBack::REPLAYS_MAX).contains(&replays) && !first.is_empty();
        is_believed.then_some(HandedBack { mailbox, first, enqueued_at: Time::from_micros(micros), replays, letter })
    }

    /// The id of the message that was first sent, if this one is a replay of its letter.
    pub fn replayed(&self) -> Option<&str> {
        if let Some(HandedBack { first, .. }) = self.handed_back() {
            return Some(first);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn handed_back(first: &str) -> HandedBack<'_> {
        let enqueued_at = Time::from_micros(1_794_744_060_250_123);
        HandedBack { mailbox: "requests", first, enqueued_at, replays: 3, letter: "3M928yx0UrfVbDwCKPpjAHbKnmG.0a" }
    }

    #[test]
    fn the_id_of_a_hand_back_leads_to_the_first_message() {
        for first in ["0b1c", "a:b:c", "replay{requests}7:x", "{}"] {
            let id = MessageId::of_hand_back(&handed_back(first));
            assert_eq!(id.handed_back(), Some(handed_back(first)));
            assert_eq!(id.replayed(), Some(first));
        }
    }

    #[test]
    fn other_ids_are_no_hand_backs() {
        for id in [
            "0b1c",
            "handback",
            "handback{requests}",
            "handback{requests}0:7:letter:first",
            "handback{requests}1000001:7:letter:first",
            "handback{requests}-1:7:letter:first",
            "handback{requests}1:x:letter:first",
            "handback{requests}1:7:letter:",
            "handback{requests}1:7:letter",
            "replay{requests}7:first",
        ] {
            assert_eq!(MessageId::from_stored(id).handed_back(), None, "{id}");
        }
    }
}
