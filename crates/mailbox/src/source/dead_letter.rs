//! The end of work that failed permanently: its letter, and the last reply to its sender.
//!
//! Without a reply, the hand-over to a mailbox of the same backend is one step. Otherwise it takes up to four, in an order
//! in which a crash between any two of them is harmless:
//!
//! 1. Note in the message that it failed permanently. If it is delivered again, only the next steps are repeated.
//! 2. Send the letter, under an id that its mailbox accepts once.
//! 3. Send the reply, if one is expected, under an id that its mailbox accepts once: never before the letter is durable.
//! 4. Delete the message.
//!
//! So the message itself is the intent to reply, and the end of its lease has it swept.

use redrive_core::{Backoff, Span};
use redrive_model::Attempt;
use redrive_run::{DeadWork, SettleError};

use super::MailboxSource;
use super::claim::{ClaimedMessage, Settling};
use super::source::settle_error;
use crate::metrics::{count_letter, count_letter_error, count_unsent_reply};
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
        let verdict = Verdict::condemned(letter.last_error_type.as_str(), letter.delivery_count);
        settling.verdict = Some(verdict.clone());
        let not_handed_over = |error: MailboxError| {
            count_letter_error(&*self.mailbox);
            SettleError::HandOver(error.to_string())
        };
        let reply = self.last_reply(&letter).await.map_err(not_handed_over)?;
        let reply_state = match reply {
            LastReply::NotExpected => ReplyState::NotExpected,
            LastReply::Unresolved => ReplyState::Unresolved,
            LastReply::Due(..) => ReplyState::FollowsLetter,
        };
        let letter = DeadLetter { reply_state, ..letter };
        let message = letter.to_message(self.mailbox.name()).map_err(not_handed_over)?;
        let reply = match reply {
            LastReply::Due(mailbox, body) => Some((mailbox, body)),
            LastReply::NotExpected | LastReply::Unresolved => None,
        };
        match reply {
            None if self.mailbox.is_atomic_with(&**letters) => {
                let handle = &claimed.message.handle;
                let handed_over = self.mailbox.dead_letter(handle, message, &**letters).await;
                handed_over.map_err(|error| match &error {
                    MailboxError::ReceiptHandleExpired(_) => SettleError::Stale,
                    MailboxError::Connection { mailbox, .. } if mailbox == self.mailbox.name() => settle_error(&error),
                    _ => not_handed_over(error),
                })?;
            }
            reply => {
                let spec = HandOverSpec { lease: self.extension, error: letter.last_error.clone(), verdict };
                self.hand_over_in_steps(claimed, spec, message, &**letters, reply).await?;
            }
        }
        count_letter(&**letters);
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

    async fn hand_over_in_steps(
        &self,
        claimed: &ClaimedMessage,
        spec: HandOverSpec,
        letter: NewMessage,
        letters: &dyn MailboxBackend,
        reply: Option<(ReplyMailbox, bytes::Bytes)>,
    ) -> Result<(), SettleError> {
        let handle = &claimed.message.handle;
        let not_handed_over = |error: &MailboxError| {
            count_letter_error(&*self.mailbox);
            SettleError::HandOver(error.to_string())
        };
        let letter_id = check_hand_over(&*self.mailbox, &letter, letters).map_err(|error| not_handed_over(&error))?;
        self.mailbox.begin_hand_over(handle, spec).await.map_err(|error| settle_error(&error))?;
        letters.send(letter).await.map_err(|error| not_handed_over(&error))?;
        if let Some((mailbox, body)) = reply {
            let reply_id = MessageId::of_terminal_reply(self.mailbox.name(), handle.id(), claimed.message.enqueued_at);
            match mailbox.send(Some(reply_id), body).await {
                Ok(_) => {}
                // The same reply will never be accepted.
                Err(error @ (MailboxError::InvalidParameter { .. } | MailboxError::Serialization(_))) => {
                    self.note_unsent_reply(letters, &letter_id, &error).await;
                }
                Err(error) => return Err(SettleError::HandOver(format!("the reply was not sent: {error}"))),
            }
        }
        self.mailbox.acknowledge(handle).await.map_err(|error| settle_error(&error))
    }

    /// Notes in the letter that the last reply cannot be sent, unless a consumer has the letter.
    async fn note_unsent_reply(&self, letters: &dyn MailboxBackend, letter_id: &MessageId, error: &MailboxError) {
        count_unsent_reply(&*self.mailbox);
        tracing::error!(%letter_id, %error, "last reply cannot be sent");
        let note = async {
            let Some(letter) = letters.take(letter_id, NOTE_LEASE).await? else { return Ok(()) };
            let last_error = Some(format!("the last reply cannot be sent: {error}"));
            letters.nack(&letter.handle, NackSpec { charge: false, last_error, ..NackSpec::default() }).await
        };
        if let Err(error) = note.await {
            tracing::warn!(%letter_id, %error, "letter was not marked");
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
                    Some(Verdict::Condemned { error_type, .. }) => error_type.to_string(),
                    None => by_failure(),
                };
                (stored.as_deref().unwrap_or(&failure.message), error_type)
            }
        };
        // A delivery that only repeats the hand-over is no attempt.
        let made = match &message.verdict {
            Some(Verdict::Condemned { attempts: Some(attempts), .. }) => *attempts,
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
