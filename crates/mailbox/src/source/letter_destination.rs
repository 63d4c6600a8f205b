//! Where the letters of a mailbox go.

use std::sync::Arc;

use redrive_run::DeadQueue;

use crate::MailboxBackend;

/// Where the letters of a mailbox go: to another mailbox, or to a dead queue.
#[derive(Debug, Clone)]
pub(crate) enum LetterDestination {
    Mailbox(Arc<dyn MailboxBackend>),
    DeadQueue(Box<DeadQueue>),
}
