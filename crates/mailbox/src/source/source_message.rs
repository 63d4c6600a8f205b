//! The identity of a message that failed: its first send, and how often it was handed back.
//!
//! A message that is handed back has another id. That id says which message it was at first, so that a further failure
//! is one of the same letter.

use std::sync::{Arc, LazyLock};

use redrive_core::Time;
use redrive_model::Origin;

use crate::{HandedBack, MailboxName, RawMessage};

/// Maximum length of a source id.
const SOURCE_ID_BYTES_MAX: usize = 512;

/// The message that a letter is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceMessage {
    mailbox: Arc<str>,
    id: String,
    /// A sender may use an id again when the mailbox has forgotten it: the time keeps the two messages apart.
    enqueued_at: Time,
    /// How often it was handed back before it failed.
    replays: u32,
}

impl SourceMessage {
    pub(crate) fn new(mailbox: &MailboxName, message: &RawMessage) -> Self {
        Self { mailbox: mailbox.to_arc(), id: message.id().to_string(), enqueued_at: message.enqueued_at, replays: 0 }
    }

    /// The message that this one was before it was handed back, if its id says so.
    pub(crate) fn before_hand_back(mailbox: &MailboxName, message: &RawMessage) -> Option<Self> {
        let HandedBack { first, enqueued_at, replays, .. } =
            message.id().handed_back().filter(|earlier| earlier.mailbox == mailbox.as_str())?;
        Some(Self { mailbox: mailbox.to_arc(), id: first.to_owned(), enqueued_at, replays })
    }

    /// The source of a letter; `None` if its origin is no message.
    pub(crate) fn of_origin(origin: &Origin) -> Option<Self> {
        Some(Self {
            mailbox: Arc::clone(&origin.name),
            id: origin.message_id.clone()?,
            enqueued_at: origin.timestamp?,
            replays: origin.replays,
        })
    }

    /// What the id of the next hand-back says.
    pub(crate) fn next_hand_back<'s>(&'s self, letter: &'s str) -> HandedBack<'s> {
        let Self { mailbox, id, enqueued_at, replays } = self;
        HandedBack { mailbox, first: id, enqueued_at: *enqueued_at, replays: replays.saturating_add(1), letter }
    }

    /// With an offset, the timestamp is part of the coordinates: that of a message is the time of its send.
    pub(crate) fn origin(&self) -> Origin {
        Origin {
            transport: transport(),
            name: Arc::clone(&self.mailbox),
            offset: Some(self.enqueued_at.as_micros()),
            timestamp: Some(self.enqueued_at),
            message_id: Some(self.id.clone()),
            replays: self.replays,
            ..Origin::default()
        }
    }

    /// The source id of a letter about the message.
    pub(crate) fn source_id(&self) -> String {
        let Self { mailbox, id, enqueued_at, .. } = self;
        let micros = enqueued_at.as_micros();
        let source_id = format!("{mailbox}/{id}@{micros}");
        match self.origin().coordinates() {
            Some(hash) if source_id.len() > SOURCE_ID_BYTES_MAX => {
                format!("{mailbox}/#{:032x}@{micros}", u128::from_be_bytes(hash))
            }
            _ => source_id,
        }
    }
}

/// The transport of all origins of this crate.
pub(crate) const TRANSPORT: &str = "mailbox";

pub(crate) fn transport() -> Arc<str> {
    static SHARED: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(TRANSPORT));
    Arc::clone(&SHARED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: &str, micros: i64) -> SourceMessage {
        let enqueued_at = Time::from_micros(micros);
        SourceMessage { mailbox: "requests".into(), id: id.to_owned(), enqueued_at, replays: 0 }
    }

    #[test]
    fn messages_that_differ_in_their_id_or_their_send_have_their_own_letters() {
        let first = source("a", 1);
        for other in [source("b", 1), source("a", 2)] {
            assert_ne!(first.origin().coordinates(), other.origin().coordinates());
            assert_ne!(first.source_id(), other.source_id());
        }
        let again = SourceMessage { replays: 4, ..first.clone() };
        assert_eq!(first.origin().coordinates(), again.origin().coordinates());
        assert_eq!(first.source_id(), again.source_id());
    }

    #[test]
    fn a_letter_leads_to_its_message() {
        let message = SourceMessage { replays: 2, ..source("a", 7) };
        assert_eq!(SourceMessage::of_origin(&message.origin()), Some(message));
        assert_eq!(SourceMessage::of_origin(&Origin::default()), None);
    }

    #[test]
    fn the_source_id_of_a_long_id_is_allowed_and_unique() {
        let (long, other) = ("a".repeat(512), format!("{}b", "a".repeat(511)));
        let (long, other) = (source(&long, 1).source_id(), source(&other, 1).source_id());
        assert!(long.len() <= SOURCE_ID_BYTES_MAX, "{long}");
        assert_ne!(long, other);
    }
}
