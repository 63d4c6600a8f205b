//! A mailbox as the origin to which letters of a dead queue are handed back.

use async_trait::async_trait;
use redrive_core::{Evidence, Failure, GrpcCode};
use redrive_run::{Call, HandBack, Handled};

use crate::source::{SourceMessage, TRANSPORT};
use crate::{MailboxError, MailboxName, MessageId, NewMessage, ReplyMailbox, ReplyResolver};

/// Hands letters back to their mailboxes: the transport `mailbox` of an [`OriginTarget`](redrive_run::OriginTarget).
///
/// The message has the body of the letter, as last edited, and the `reply_to` of the first message, which the receiving
/// loop resolves again; its attempts begin again. Its id is derived from the letter and the number of the hand-back, and
/// the mailbox accepts it once within its retention: a hand-back that is repeated, because its answer was lost, sends one
/// message. If the message fails again, that is a further failure of the same letter.
///
/// ```
/// use std::sync::Arc;
/// use redrive_core::QueueName;
/// use redrive_mailbox::{MailboxBackend, MailboxHandBack, ReplyResolver};
/// use redrive_run::OriginTarget;
/// use redrive_store::Store;
///
/// fn target(store: Arc<dyn Store>, requests: Arc<dyn MailboxBackend>) -> OriginTarget {
///     let mailboxes = MailboxHandBack::new(ReplyResolver::builder().register(requests).build());
///     OriginTarget::new(store, QueueName::new("requests-dead").unwrap()).with(Arc::new(mailboxes))
/// }
/// ```
#[derive(Debug, Clone)]
pub struct MailboxHandBack {
    mailboxes: ReplyResolver,
}

impl MailboxHandBack {
    /// Hands letters back to these mailboxes only: those that are registered, and those that the factory may open.
    pub const fn new(mailboxes: ReplyResolver) -> Self {
        Self { mailboxes }
    }

    /// The mailbox of a letter, and what is sent to it.
    async fn message(&self, call: &Call) -> Result<(ReplyMailbox, NewMessage), Failure> {
        let refused = |why: String| Failure::new(format!("not retryable: {why}"));
        let name = MailboxName::new(&call.origin.name)
            .map_err(|_| refused("the name of its origin is not a mailbox name".to_owned()))?;
        let resolved = self.mailboxes.resolve_optional(name.as_str()).await.map_err(|error| failure(&name, &error))?;
        let mailbox = resolved.ok_or_else(|| {
            refused(format!("mailbox '{name}' is not among the mailboxes to which its letters may be handed back"))
        })?;
        let reply_to = call.reply_to.as_deref().map(MailboxName::new).transpose();
        let reply_to = reply_to.map_err(|_| refused("its reply_to is not a mailbox name".to_owned()))?;
        Ok((mailbox, NewMessage { id: Some(id(call)), body: call.content.payload.clone(), reply_to }))
    }
}

#[async_trait]
impl HandBack for MailboxHandBack {
    fn transport(&self) -> &'static str {
        TRANSPORT
    }

    async fn hand_back(&self, call: &Call) -> Handled {
        let (mailbox, message) = match self.message(call).await {
            Ok(found) => found,
            Err(failure) => return Handled::failed(failure),
        };
        match mailbox.send_message(message).await {
            Ok(_) => Handled::DONE,
            Err(error) => Handled::failed(failure(mailbox.name(), &error)),
        }
    }
}

/// The id of the message that hands this letter back. An edited letter is other work: under the id of an earlier hand-back
/// its content would be dropped as a repetition.
fn id(call: &Call) -> MessageId {
    let letter = call.id.to_string().replace(':', "_");
    let letter = match call.edition {
        None => letter,
        Some(edition) => format!("{letter}.{edition:032x}"),
    };
    match SourceMessage::of_origin(&call.origin) {
        Some(source) => MessageId::of_hand_back(&source.next_hand_back(&letter)),
        // A letter without coordinates is a new one if it fails again.
        None => MessageId::from_stored(&format!("handback:{letter}:{}", call.origin.replays)),
    }
}

/// What an error says about a retry, in terms that the classifier knows.
fn failure(mailbox: &MailboxName, error: &MailboxError) -> Failure {
    let evidence = match error {
        MailboxError::Full { .. } => GrpcCode::ResourceExhausted,
        MailboxError::InvalidParameter { .. } | MailboxError::Serialization(_) => GrpcCode::InvalidArgument,
        _ => GrpcCode::Unavailable,
    };
    Failure::new(format!("the hand-back to mailbox '{mailbox}' failed: {error}"))
        .with_evidence(Evidence::Grpc(evidence))
}
