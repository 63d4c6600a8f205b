//! Messages between a receive and its caller.

use std::sync::Arc;

use crate::{MailboxBackend, RawMessage};

/// Messages that were received for a caller who does not have them yet. Dropping them releases them in a task, so that
/// a cancelled call holds no lease.
#[derive(Debug)]
pub struct UnclaimedMessages {
    mailbox: Arc<dyn MailboxBackend>,
    messages: Vec<RawMessage>,
}

impl UnclaimedMessages {
    pub fn new(mailbox: Arc<dyn MailboxBackend>, messages: Vec<RawMessage>) -> Self {
        Self { mailbox, messages }
    }

    pub fn messages(&self) -> &[RawMessage] {
        &self.messages
    }

    /// Hands the messages to the caller.
    #[must_use]
    pub fn claim(mut self) -> Vec<RawMessage> {
        std::mem::take(&mut self.messages)
    }
}

impl Drop for UnclaimedMessages {
    fn drop(&mut self) {
        if self.messages.is_empty() {
            return;
        }
        // Without a runtime the process is ending, and the leases expire.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (mailbox, messages) = (Arc::clone(&self.mailbox), std::mem::take(&mut self.messages));
        runtime.spawn(async move {
            // In reverse and one after the other, because each release goes to the head.
            for message in messages.iter().rev() {
                if let Err(error) = mailbox.release(&message.handle).await {
                    tracing::warn!(mailbox = %mailbox.name(), id = %message.id(), %error, "release failed");
                }
            }
        });
    }
}
