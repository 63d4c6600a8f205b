//! The end of work that failed permanently: its letter, and the last reply to its sender.
//!
//! Without a reply, the hand-over to a mailbox of the same backend is one step. Otherwise it takes up to four, in an order
//! in which a crash between any two of them is harmless:
//!
//! 1. Note in the message that it failed permanently. If it is delivered again, only the next steps are repeated.
//! 2. Send the letter, under an id that its mailbox or its dead queue accepts once.
//! 3. Send the reply, if one is expected, under an id that its mailbox accepts once: never before the letter is durable.
//! 4. Delete the message.
//!
//! So the message itself is the intent to reply, and the end of its lease has it swept.

use redrive_core::{Backoff, Span};
use redrive_model::Attempt;
use redrive_run::{DeadWork, SettleError};

use super::claim::{ClaimedMessage, Settling};
use super::dead_queue::{FailedMessage, StoredFailure};
use super::source::settle_error;
use super::{LetterDestination, MailboxSource};
use crate::metrics::{LETTER_ERRORS, UNSENT_REPLIES, count, count_letter};
use crate::terminal_reply::FailedRequest;
use crate::{
    DeadLetter, HandOverSpec, MailboxBackend, MailboxError, MessageId, NackSpec, NewMessage, ReplyMailbox, ReplyState,
    Verdict, check_hand_over,
};

/// How long a letter is leased to note in it that the reply cannot be sent.
const NOTE_LEASE: Span = Span::from_secs(30);

/// What became of the last reply.
enum LastReply {
    NotExpected,
    /// The name cannot be resolved: no reply can ever be sent.
    Unresolved,
    Due(ReplyMailbox, bytes::Bytes),
}

/// A reply that is due: where it goes, and its body.
type DueReply = (ReplyMailbox, bytes::Bytes);

impl MailboxSource {
    pub(super) async fn dead_letter(
        &self,
        claimed: &ClaimedMessage,
        settling: &mut Settling,
        dead: &DeadWork,
        attempt: Option<&Attempt>,
    ) -> Result<(), SettleError> {
        let letter = self.letter(claimed, dead, attempt);
        let Some(letters) = &self.letters else { return self.return_without_letter(claimed, &letter).await };
        let verdict = Verdict::failed(verdict_type(letters, claimed, &letter, dead), letter.delivery_count);
        settling.verdict = Some(verdict.clone());
        let reply = self.last_reply(&letter).await.map_err(|error| self.not_handed_over(&error))?;
        let (reply_state, reply) = match reply {
            LastReply::NotExpected => (ReplyState::NotExpected, None),
            LastReply::Unresolved => (ReplyState::Unresolved, None),
            LastReply::Due(mailbox, body) => (ReplyState::FollowsLetter, Some((mailbox, body))),
        };
        let letter = DeadLetter { reply_state, ..letter };
        let spec = HandOverSpec { lease: self.extension, error: letter.last_error.clone(), verdict };
        match letters {
            LetterDestination::Mailbox(letters) => {
                let message = letter.to_message(self.mailbox.name()).map_err(|error| self.not_handed_over(&error))?;
                match reply {
                    None if self.mailbox.is_atomic_with(&**letters) => {
                        self.hand_over(claimed, message, &**letters).await?;
                    }
                    reply => self.hand_over_in_steps(claimed, spec, message, &**letters, reply).await?,
                }
                // The store of a dead queue counts its letters.
                count_letter(&**letters);
            }
            LetterDestination::DeadQueue(queue) => {
                self.begin_hand_over(claimed, spec).await?;
                let failed = FailedMessage { message: &claimed.message, letter: &letter, dead, attempt };
                let is_kept = self.capture(queue, failed).await?;
                self.send_last_reply(claimed, reply).await?;
                self.acknowledge(claimed).await?;
                if !is_kept {
                    return Ok(());
                }
            }
        }
        let DeadLetter { message_id, source_mailbox, delivery_count, last_error_type, last_error, .. } = &letter;
        let request_id = letter.request_id.as_deref();
        tracing::warn!(
            message_id,
            request_id,
            source_mailbox,
            delivery_count,
            error_type = last_error_type,
            error_message = last_error,
            "message dead-lettered"
        );
        Ok(())
    }

    /// Replaces the message by its letter, in one step.
    async fn hand_over(
        &self,
        claimed: &ClaimedMessage,
        letter: NewMessage,
        letters: &dyn MailboxBackend,
    ) -> Result<(), SettleError> {
        let handed_over = self.mailbox.dead_letter(&claimed.message.handle, letter, letters).await;
        handed_over.map_err(|error| match &error {
            MailboxError::ReceiptHandleExpired(_) => SettleError::Stale,
            MailboxError::Connection { mailbox, .. } if mailbox == self.mailbox.name() => settle_error(&error),
            _ => self.not_handed_over(&error),
        })
    }

    async fn hand_over_in_steps(
        &self,
        claimed: &ClaimedMessage,
        spec: HandOverSpec,
        letter: NewMessage,
        letters: &dyn MailboxBackend,
        reply: Option<DueReply>,
    ) -> Result<(), SettleError> {
        let letter_id =
            check_hand_over(&*self.mailbox, &letter, letters).map_err(|error| self.not_handed_over(&error))?;
        self.begin_hand_over(claimed, spec).await?;
        letters.send(letter).await.map_err(|error| self.not_handed_over(&error))?;
        if let Some(error) = self.send_last_reply(claimed, reply).await? {
            note_unsent_reply(letters, &letter_id, &error).await;
        }
        self.acknowledge(claimed).await
    }

    async fn begin_hand_over(&self, claimed: &ClaimedMessage, spec: HandOverSpec) -> Result<(), SettleError> {
        let begun = self.mailbox.begin_hand_over(&claimed.message.handle, spec).await;
        begun.map(drop).map_err(|error| settle_error(&error))
    }

    pub(super) async fn acknowledge(&self, claimed: &ClaimedMessage) -> Result<(), SettleError> {
        self.mailbox.acknowledge(&claimed.message.handle).await.map_err(|error| settle_error(&error))
    }

    /// Counts a letter that was not accepted.
    pub(super) fn not_handed_over(&self, error: &dyn std::fmt::Display) -> SettleError {
        count(LETTER_ERRORS, &*self.mailbox);
        SettleError::HandOver(error.to_string())
    }

    /// Sends the last reply, if one is due. Returns the error of a reply that will never be accepted.
    async fn send_last_reply(
        &self,
        claimed: &ClaimedMessage,
        reply: Option<DueReply>,
    ) -> Result<Option<MailboxError>, SettleError> {
        let Some((mailbox, body)) = reply else { return Ok(None) };
        let (message_id, enqueued_at) = (claimed.message.id(), claimed.message.enqueued_at);
        let reply_id = MessageId::of_terminal_reply(self.mailbox.name(), message_id, enqueued_at);
        match mailbox.send(Some(reply_id), body).await {
            Ok(_) => Ok(None),
            Err(error @ (MailboxError::InvalidParameter { .. } | MailboxError::Serialization(_))) => {
                count(UNSENT_REPLIES, &*self.mailbox);
                tracing::error!(%message_id, %error, "last reply cannot be sent");
                Ok(Some(error))
            }
            Err(error) => Err(SettleError::HandOver(format!("the reply was not sent: {error}"))),
        }
    }

    /// The last reply to the sender of the work, if it expects one.
    async fn last_reply(&self, letter: &DeadLetter) -> Result<LastReply, MailboxError> {
        let (Some(name), Some(encode)) = (&letter.reply_to, &self.failure_reply) else {
            return Ok(LastReply::NotExpected);
        };
        let Some(mailbox) = self.resolver.resolve_optional(name).await? else { return Ok(LastReply::Unresolved) };
        let (attempts, error) = (letter.delivery_count, &letter.last_error);
        let failed = FailedRequest {
            request_id: letter.request_id.clone(),
            body: letter.body.clone(),
            error: format!("Dead-lettered after {attempts} attempts: {error}"),
        };
        Ok(LastReply::Due(mailbox, encode(failed)?))
    }

    /// Returns work that has no dead letters.
    async fn return_without_letter(&self, claimed: &ClaimedMessage, letter: &DeadLetter) -> Result<(), SettleError> {
        let delay = Backoff::MAILBOX.delay(letter.delivery_count.max(1), 0).unwrap_or_default();
        let nack = NackSpec { last_error: Some(letter.last_error.clone()), ..NackSpec::after(delay) };
        self.mailbox.nack(&claimed.message.handle, nack).await.map_err(|error| settle_error(&error))?;
        Err(SettleError::Refused("the source has no mailbox of letters".to_owned()))
    }

    fn letter(&self, claimed: &ClaimedMessage, dead: &DeadWork, attempt: Option<&Attempt>) -> DeadLetter {
        let message = &claimed.message;
        let failure = &dead.failure.error;
        let by_failure = || failure.kind.as_ref().map_or_else(|| dead.category.to_string(), ToString::to_string);
        // Without an attempt in this delivery, the error of the last one counts.
        let (error, error_type) = match (attempt, &message.last_error) {
            (Some(attempt), _) => {
                let error = if attempt.error.is_empty() { &failure.message } else { &attempt.error };
                (error.as_str(), attempt.error_type.clone().unwrap_or_else(by_failure))
            }
            (None, stored) => {
                let error_type = match &message.verdict {
                    Some(Verdict::Failed { error_type, .. }) => StoredFailure::read(error_type).error_type(),
                    None => by_failure(),
                };
                (stored.as_deref().unwrap_or(&failure.message), error_type)
            }
        };
        // A delivery that only repeats the hand-over is no attempt.
        let made = match &message.verdict {
            Some(Verdict::Failed { attempts: Some(attempts), .. }) => *attempts,
            _ => message.attempt().saturating_sub(u32::from(attempt.is_none())),
        };
        DeadLetter {
            delivery_count: made,
            request_id: claimed.ids.request_id.clone(),
            trace_id: claimed.ids.trace_id.clone(),
            ..DeadLetter::new(self.mailbox.name(), message, error, error_type, self.clock.now())
        }
    }
}

/// The type of the error that the verdict has. A letter of a dead queue also needs the category, which an error may have
/// by evidence that is not stored.
fn verdict_type(letters: &LetterDestination, claimed: &ClaimedMessage, letter: &DeadLetter, dead: &DeadWork) -> String {
    match (letters, &claimed.message.verdict) {
        (_, Some(Verdict::Failed { error_type, .. })) => error_type.to_string(),
        (LetterDestination::Mailbox(_), None) => letter.last_error_type.clone(),
        (LetterDestination::DeadQueue(_), None) => StoredFailure::of(dead).to_string(),
    }
}

/// Notes in the letter that the last reply cannot be sent, unless a consumer has the letter.
async fn note_unsent_reply(letters: &dyn MailboxBackend, letter_id: &MessageId, error: &MailboxError) {
    let note = async {
        let Some(letter) = letters.take(letter_id, NOTE_LEASE).await? else { return Ok(()) };
        let last_error = Some(format!("the last reply cannot be sent: {error}"));
        letters.nack(&letter.handle, NackSpec { charge: false, last_error, ..NackSpec::default() }).await
    };
    if let Err(error) = note.await {
        tracing::warn!(%letter_id, %error, "letter was not marked");
    }
}
