//! The last reply to a message.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::Span;
use serde::Serialize;

use crate::{LeaseExtension, MailboxBackend, MailboxError, MessageId, RawMessage, ReplyResolver};

/// Encodes the reply about work that failed permanently.
pub(crate) type FailureReply = Arc<dyn Fn(FailedRequest) -> Result<Bytes, MailboxError> + Send + Sync>;

/// What a sender learns about its work that failed permanently.
#[derive(Debug, Serialize)]
pub(crate) struct FailedRequest {
    pub(crate) request_id: Option<String>,
    pub(crate) error: String,
    /// The body of the request.
    #[serde(skip)]
    pub(crate) body: Bytes,
}

/// Sends the last reply to a message of this mailbox, under an id that the reply mailbox accepts once. A holder that
/// lost its lease sends nothing: the next holder replies.
pub(crate) async fn reply_once(
    mailbox: &dyn MailboxBackend,
    message: &RawMessage,
    resolver: &ReplyResolver,
    body: Bytes,
) -> Result<MessageId, MailboxError> {
    let name = message.reply_to()?;
    mailbox.extend(&message.handle, LeaseExtension::to(Span::ZERO)).await?;
    let id = MessageId::of_terminal_reply(mailbox.name(), message.id(), message.enqueued_at);
    resolver.resolve(name).await?.send(Some(id), body).await
}
