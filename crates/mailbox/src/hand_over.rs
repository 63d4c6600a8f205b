//! The hand-over of a message to a mailbox of another backend.

use redrive_core::Span;

use crate::{LeaseExtension, MailboxBackend, MailboxError, MessageId, NewMessage, ReceiptHandle};

/// How long the lease is kept for the hand-over.
const HAND_OVER_LEASE: Span = Span::from_secs(60);

/// Hands a message over in steps: extends the lease, sends the letter under its id, and deletes the message.
///
/// A crash between two steps repeats the hand-over with the next delivery and yields one letter. If the lease is lost
/// between the send and the deletion, and the next delivery succeeds, a letter exists for a message that succeeded.
///
/// # Errors
///
/// As [`MailboxBackend::dead_letter`].
pub async fn hand_over_in_steps(
    from: &dyn MailboxBackend,
    handle: &ReceiptHandle,
    letter: NewMessage,
    to: &dyn MailboxBackend,
) -> Result<(), MailboxError> {
    check_hand_over(from, &letter, to)?;
    from.extend(handle, LeaseExtension::to(HAND_OVER_LEASE)).await?;
    to.send(letter).await?;
    from.acknowledge(handle).await
}

/// Rejects what no backend can hand over. Returns the id of the letter. For implementations of
/// [`MailboxBackend::dead_letter`].
///
/// # Errors
///
/// `InvalidParameter` if the letter has no id or is too large, or both mailboxes are the same.
pub fn check_hand_over(
    from: &dyn MailboxBackend,
    letter: &NewMessage,
    to: &dyn MailboxBackend,
) -> Result<MessageId, MailboxError> {
    let Some(id) = &letter.id else {
        return Err(MailboxError::invalid("letter", &"without id", "letters with the id of MessageId::of_letter"));
    };
    if from.name() == to.name() {
        let allowed = "mailboxes other than the source";
        return Err(MailboxError::invalid("mailbox of letters", &format!("'{}'", to.name()), allowed));
    }
    to.settings().check_body(&letter.body)?;
    Ok(id.clone())
}
