//! Messages between a receive and its caller.

use std::sync::Arc;

use crate::{InTransitGuard, MailboxBackend, RawMessage};

/// Messages that were received for a caller who does not have them yet. Dropping them releases them in a task, so that
/// a cancelled call holds no lease.
#[derive(Debug)]
pub struct UnclaimedMessages {
    mailbox: Arc<dyn MailboxBackend>,
    messages: Vec<RawMessage>,
    in_transit: Option<InTransitGuard>,
}

impl UnclaimedMessages {
    pub fn new(mailbox: Arc<dyn MailboxBackend>, messages: Vec<RawMessage>) -> Self {
        let in_transit = Some(mailbox.in_transit().enter());
        Self { mailbox, messages, in_transit }
    }

    pub fn push(&mut self, message: RawMessage) {
        self.messages.push(message);
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
        let in_transit = self.in_transit.take();
        runtime.spawn(async move {
            let _in_transit = in_transit;
            // In reverse and one after the other, because each release goes to the head.
            for message in messages.iter().rev() {
                if let Err(error) = mailbox.release(&message.handle).await {
                    tracing::warn!(mailbox = %mailbox.name(), id = %message.id(), %error, "release failed");
                }
            }
        });
    }
}
