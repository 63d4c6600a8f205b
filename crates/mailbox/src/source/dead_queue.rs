//! The letter of a message in a dead queue.

use std::fmt;
use std::sync::Arc;

use redrive_core::{Category, Failure, Kind, Metadata};
use redrive_model::capture::FailedWork;
use redrive_model::{Attempt, CaptureContext, Content, Origin};
use redrive_run::{DeadQueue, DeadWork, SettleError};

use super::MailboxSource;
use super::source_message::SourceMessage;
use crate::{DeadLetter, RawMessage, ReplyState, Verdict};

/// Metadata key of a letter: when the message was first received.
const FIRST_RECEIVED_AT: &str = "first_received_at";
/// Metadata key of a letter: how many attempts were made.
const DELIVERY_COUNT: &str = "delivery_count";
/// Metadata key of a letter: whether the sender of the message learns of its end.
const REPLY_STATE: &str = "reply_state";

/// A message that failed permanently.
#[derive(Clone, Copy)]
pub(super) struct FailedMessage<'m> {
    pub(super) message: &'m RawMessage,
    pub(super) letter: &'m DeadLetter,
    pub(super) dead: &'m DeadWork,
    /// The attempt of this delivery.
    pub(super) attempt: Option<&'m Attempt>,
}

impl MailboxSource {
    /// Captures the letter of a message. Returns whether one is kept. A second capture of the same message makes no
    /// second letter.
    pub(super) async fn capture(&self, queue: &DeadQueue, failed: FailedMessage<'_>) -> Result<bool, SettleError> {
        let (mailbox, message) = (self.mailbox.name(), failed.message);
        let own = SourceMessage::new(mailbox, message);
        let answer = match SourceMessage::before_hand_back(mailbox, message) {
            None => queue.post(&failed.work(&own, queue)).await,
            Some(first) => match queue.post(&failed.work(&first, queue)).await {
                // The id of a hand-back is no proof: if it names a letter of other work, this message has its own.
                Err(error) if error.is_of_other_work() => queue.post(&failed.work(&own, queue)).await,
                answer => answer,
            },
        };
        match answer {
            Ok(_) => Ok(true),
            Err(error) if error.is_unwanted() => {
                tracing::info!(message_id = %message.id(), %mailbox, reason = %error, "no letter is kept");
                Ok(false)
            }
            Err(error) => Err(self.not_handed_over(&error)),
        }
    }
}

impl FailedMessage<'_> {
    fn work(&self, source: &SourceMessage, queue: &DeadQueue) -> FailedWork {
        let Self { message, letter, attempt, .. } = self;
        let stored = self.stored();
        let failed_parts = attempt.map(|attempt| &attempt.failed_parts).filter(|parts| !parts.is_empty());
        let context = CaptureContext {
            origin: Origin { server: queue.server.clone(), ..source.origin() },
            parts: failed_parts.unwrap_or(&message.parts).clone(),
            metadata: metadata(letter),
            reply_to: letter.reply_to.as_deref().map(str::to_owned),
            trace_id: letter.trace_id.clone(),
            request_id: letter.request_id.clone(),
            ..CaptureContext::default()
        };
        FailedWork {
            content: Arc::new(Content::of_payload(letter.body.clone())),
            context,
            attempt: letter.delivery_count.max(1),
            started_at: attempt.and_then(|attempt| attempt.started_at),
            failed_at: attempt.and_then(|attempt| attempt.ended_at).unwrap_or(letter.dead_lettered_at),
            category: stored.category,
            is_of_source: true,
            ..FailedWork::new(source.source_id(), self.failure(&stored), letter.dead_lettered_at)
        }
    }

    /// The failure that decided, without its text: that of this delivery, or of an earlier one whose hand-over failed.
    fn stored(&self) -> StoredFailure {
        match &self.message.verdict {
            Some(Verdict::Failed { error_type, .. }) => StoredFailure::read(error_type),
            None => StoredFailure::of(self.dead),
        }
    }

    fn failure(&self, stored: &StoredFailure) -> Failure {
        if let Some(attempt) = self.attempt {
            let mut failure = self.dead.failure.clone();
            // The letter keeps the record of the attempt.
            if !attempt.error.is_empty() {
                failure.error.message.clone_from(&attempt.error);
            }
            return failure;
        }
        // No attempt was made in this delivery: the error of the last one counts.
        let mut failure = Failure::new(self.letter.last_error.clone());
        failure.error.kind.clone_from(&stored.kind);
        failure
    }
}

fn metadata(letter: &DeadLetter) -> Metadata {
    let mut metadata = Metadata::new();
    metadata.insert(FIRST_RECEIVED_AT.to_owned(), letter.first_received_at.to_string().into());
    metadata.insert(DELIVERY_COUNT.to_owned(), letter.delivery_count.into());
    let reply_state = match letter.reply_state {
        ReplyState::NotExpected => return metadata,
        ReplyState::FollowsLetter => "follows_letter",
        ReplyState::Unresolved => "unresolved",
    };
    metadata.insert(REPLY_STATE.to_owned(), reply_state.into());
    metadata
}

/// What a message keeps of its failure, beside the text, until its letter is durable: `category/kind`, `category` or
/// `kind`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredFailure {
    category: Option<Category>,
    kind: Option<Kind>,
}

impl StoredFailure {
    pub(super) fn of(dead: &DeadWork) -> Self {
        Self { category: Some(dead.category), kind: dead.failure.error.kind.clone() }
    }

    pub(super) fn read(text: &str) -> Self {
        let kind = |text: &str| text.parse().ok();
        let (category, rest) = match text.split_once('/') {
            Some((category, rest)) => (category, Some(rest)),
            None => (text, None),
        };
        match category.parse() {
            Ok(category) => Self { category: Some(category), kind: rest.and_then(kind) },
            Err(_) => Self { category: None, kind: kind(text) },
        }
    }

    /// The type of the error in a letter: its kind, or its category.
    pub(super) fn error_type(&self) -> String {
        match (&self.kind, self.category) {
            (Some(kind), _) => kind.to_string(),
            (None, Some(category)) => category.to_string(),
            (None, None) => "unknown".to_owned(),
        }
    }
}

impl fmt::Display for StoredFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.category, &self.kind) {
            (Some(category), Some(kind)) => write!(f, "{category}/{kind}"),
            (Some(category), None) => category.fmt(f),
            (None, Some(kind)) => kind.fmt(f),
            (None, None) => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn category_and_kind_of_a_failure_are_read_as_they_were_stored() {
        let of = |category: Option<Category>, kind: Option<&str>| StoredFailure {
            category,
            kind: kind.map(|kind| kind.parse().unwrap()),
        };
        for stored in [
            of(Some(Category::Validation), Some("quota.tokens")),
            of(Some(Category::Network), None),
            of(None, Some("quota.tokens")),
            of(None, Some("a/b")),
        ] {
            assert_eq!(StoredFailure::read(&stored.to_string()), stored);
        }
    }

    #[test]
    fn the_type_in_a_letter_is_the_kind_or_else_the_category() {
        let types = ["validation/quota", "network", "quota", ""].map(|text| StoredFailure::read(text).error_type());
        assert_eq!(types, ["quota", "network", "quota", "unknown"]);
    }
}
