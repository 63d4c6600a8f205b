//! The metrics of a mailbox. The label is its name, which comes from the configuration.

use metrics::{Counter, counter};

use crate::{MailboxError, MailboxName};

/// The counters of a mailbox. See `docs/mailbox.md`.
#[derive(Clone)]
pub struct MailboxNumbers {
    expired: Counter,
    orphans: Counter,
    stale_handles: Counter,
    receive_errors: Counter,
}

impl MailboxNumbers {
    #[must_use]
    pub fn new(mailbox: &MailboxName) -> Self {
        let name = || mailbox.to_string();
        Self {
            expired: counter!("redrive_mailbox_expired_total", "mailbox" => name()),
            orphans: counter!("redrive_mailbox_orphans_total", "mailbox" => name()),
            stale_handles: counter!("redrive_mailbox_stale_handles_total", "mailbox" => name()),
            receive_errors: counter!("redrive_mailbox_receive_errors_total", "mailbox" => name()),
        }
    }

    /// Counts messages that were removed at the end of their retention.
    pub fn expired(&self, count: u64) {
        if count > 0 {
            self.expired.increment(count);
        }
    }

    /// Counts ids without a body that were removed.
    pub fn orphans(&self, count: u64) {
        if count > 0 {
            self.orphans.increment(count);
        }
    }

    pub fn receive_error(&self) {
        self.receive_errors.increment(1);
    }

    /// Counts a handle that was refused.
    pub fn answer<T>(&self, answer: Result<T, MailboxError>) -> Result<T, MailboxError> {
        if let Err(MailboxError::ReceiptHandleExpired(_)) = &answer {
            self.stale_handles.increment(1);
        }
        answer
    }
}

impl std::fmt::Debug for MailboxNumbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailboxNumbers").finish_non_exhaustive()
    }
}
