//! Sends dead letters back to their mailbox.

use std::sync::Arc;

use redrive_core::{Span, Time};

use super::metrics;
use crate::{DeadLetter, MailboxBackend, MailboxError, MailboxName, MessageId, NewMessage, ReplyResolver};

/// How long a letter is leased while it is replayed.
const LEASE: Span = Span::from_secs(60);

/// How many letters one call reads.
const PAGE: u32 = 100;

/// How many failures a report lists.
const FAILURES_MAX: usize = 100;

/// Sends the messages of dead letters back to the mailbox that they came from, as new messages with the same body.
///
/// A letter is moved in one step if both mailboxes are on the same backend, else in steps that can be repeated. The new
/// message has an id that is derived from the letter and that the mailbox accepts once: two replays of a letter, at the
/// same time or after a crash, make one message. The id names the message of the letter, and begins with `replay`.
///
/// The sender of the message may get a second reply: the first was that it was dead-lettered.
#[derive(Debug, Clone)]
pub struct Replay {
    letters: Arc<dyn MailboxBackend>,
    source: Arc<dyn MailboxBackend>,
    resolver: ReplyResolver,
}

/// Why a letter was not replayed. It stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("there is no letter {0}, or a consumer has it")]
    NotAvailable(MessageId),
    #[error("letter {0} cannot be decoded")]
    Undecodable(MessageId),
    #[error("letter {id} came from mailbox '{from}', not from '{to}'")]
    OtherSource { id: MessageId, from: String, to: MailboxName },
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
}

/// What a replay by a predicate did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayReport {
    pub replayed: u64,
    /// Letters that the predicate did not choose.
    pub skipped: u64,
    /// Letters that a consumer has, or had meanwhile.
    pub leased: u64,
    /// Letters that came during the replay, for example about messages that it replayed.
    pub newer: u64,
    /// The error of a backend that ended the replay before it had read all letters.
    pub ended_by: Option<MailboxError>,
    /// The first failures, with the ids of the letters. They are still there.
    pub failures: Vec<(MessageId, ReplayError)>,
    pub failed: u64,
}

/// A letter that was replayed: the id of the new message, and the time.
#[derive(Debug)]
struct Replayed {
    id: MessageId,
    at: Time,
}

impl Replay {
    /// Replays letters to `source`. A letter whose message expects a reply is replayed only if the resolver finds the
    /// mailbox of the reply.
    pub fn new(letters: Arc<dyn MailboxBackend>, source: Arc<dyn MailboxBackend>, resolver: ReplyResolver) -> Self {
        Self { letters, source, resolver }
    }

    /// Replays the letter with this id, and removes it. Returns the id of the new message.
    ///
    /// # Errors
    ///
    /// [`ReplayError`]; the letter stays.
    pub async fn one(&self, id: &MessageId) -> Result<MessageId, ReplayError> {
        self.replay(id).await.map(|replayed| replayed.id)
    }

    async fn replay(&self, id: &MessageId) -> Result<Replayed, ReplayError> {
        let Some(taken) = self.letters.take(id, LEASE).await? else {
            return Err(ReplayError::NotAvailable(id.clone()));
        };
        let moved = async {
            let letter = DeadLetter::from_body(&taken.body).map_err(|_| ReplayError::Undecodable(id.clone()))?;
            let message = self.message(&letter).await?;
            let new_id = message.id.clone().unwrap_or_else(|| id.clone());
            self.letters.dead_letter(&taken.handle, message, &*self.source).await?;
            tracing::info!(letter_id = %id, message_id = %new_id, request_id = letter.request_id, "dead letter replayed");
            // By the clock of the letters' backend.
            Ok(Replayed { id: new_id, at: taken.deadline.saturating_sub(taken.lease) })
        };
        let moved = moved.await;
        match &moved {
            Ok(_) => metrics::replayed(&*self.letters),
            // If an answer was lost, the letter may be gone; if not, the next replay makes no second message.
            Err(_) => match self.letters.release(&taken.handle).await {
                Ok(()) | Err(MailboxError::ReceiptHandleExpired(_)) => {}
                Err(error) => tracing::warn!(letter_id = %id, %error, "letter was not released; its lease will end"),
            },
        }
        moved
    }

    /// Replays the letters that the predicate chooses, each at most once. The others are read without a lease: nothing
    /// about them changes. Letters that come after the first one was replayed are not looked at. Ends when a backend is
    /// not available.
    ///
    /// # Errors
    ///
    /// If letters cannot be read. Letters that were replayed before are gone; the call may be repeated.
    pub async fn matching(&self, choose: impl Fn(&DeadLetter) -> bool) -> Result<ReplayReport, MailboxError> {
        let mut report = ReplayReport::default();
        let mut from = None;
        let mut first_at = None;
        loop {
            let page = self.letters.browse(from.as_ref(), PAGE).await?;
            for browsed in page.messages {
                // A message that fails again makes another letter, which must not be replayed again.
                if first_at.is_some_and(|at| browsed.enqueued_at > at) {
                    report.newer += 1;
                    continue;
                }
                if browsed.is_leased {
                    report.leased += 1;
                    continue;
                }
                let outcome = match DeadLetter::from_body(&browsed.body) {
                    Err(_) => Err(ReplayError::Undecodable(browsed.id.clone())),
                    Ok(letter) if !choose(&letter) => {
                        report.skipped += 1;
                        continue;
                    }
                    Ok(_) => self.replay(&browsed.id).await,
                };
                match outcome {
                    Ok(replayed) => {
                        report.replayed += 1;
                        first_at.get_or_insert(replayed.at);
                    }
                    // A consumer, or another replay, was faster.
                    Err(ReplayError::NotAvailable(_)) => report.leased += 1,
                    Err(ReplayError::Mailbox(error @ MailboxError::Connection { .. })) => {
                        report.ended_by = Some(error);
                        return Ok(report);
                    }
                    Err(error) => {
                        report.failed += 1;
                        if report.failures.len() < FAILURES_MAX {
                            report.failures.push((browsed.id, error));
                        }
                    }
                }
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(report),
            }
        }
    }

    /// Sends the message of a letter that the caller has, for the handler of a
    /// [`DlqConsumer`](super::DlqConsumer), which removes the letter. Returns the id of the new message.
    ///
    /// # Errors
    ///
    /// [`ReplayError`].
    pub async fn resend(&self, letter: &DeadLetter) -> Result<MessageId, ReplayError> {
        let message = self.message(letter).await?;
        Ok(self.source.send(message).await?)
    }

    /// The message of a letter, with its reply mailbox resolved again.
    async fn message(&self, letter: &DeadLetter) -> Result<NewMessage, ReplayError> {
        let source = self.source.name();
        if letter.source_mailbox != source.as_str() {
            let (id, from) = (MessageId::from_stored(&letter.message_id), letter.source_mailbox.clone());
            return Err(ReplayError::OtherSource { id, from, to: source.clone() });
        }
        let reply_to = match &letter.reply_to {
            Some(name) => Some(self.resolver.resolve(name).await?.name().clone()),
            None => None,
        };
        let original = MessageId::from_stored(&letter.message_id);
        let id = MessageId::of_replay(source, &original, letter.dead_lettered_at);
        Ok(NewMessage { id: Some(id), body: letter.body.clone(), reply_to })
    }
}
