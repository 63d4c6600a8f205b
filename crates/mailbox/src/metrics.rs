//! The metrics of a mailbox. Their label `mailbox` is its name, unless senders choose the name.

use metrics::{Counter, counter};

use crate::{MailboxBackend, MailboxError, MailboxName, MailboxSettings};

/// The counters that a backend increments. See `docs/metrics.md`.
#[derive(Debug, Clone)]
pub struct MailboxMetrics {
    expired: Counter,
    orphans: Counter,
    stale_handles: Counter,
    receive_errors: Counter,
    blocking_errors: Counter,
}

impl MailboxMetrics {
    #[must_use]
    pub fn new(mailbox: &MailboxName, settings: &MailboxSettings) -> Self {
        let label = || label(mailbox, settings);
        Self {
            expired: counter!("redrive_mailbox_expired_total", "mailbox" => label()),
            orphans: counter!("redrive_mailbox_orphans_total", "mailbox" => label()),
            stale_handles: counter!("redrive_mailbox_stale_handles_total", "mailbox" => label()),
            receive_errors: counter!("redrive_mailbox_receive_errors_total", "mailbox" => label()),
            blocking_errors: counter!("redrive_mailbox_blocking_errors_total", "mailbox" => label()),
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

    /// Counts a command that failed while a receive waited in it.
    pub fn blocking_error(&self) {
        self.blocking_errors.increment(1);
    }

    /// Counts a handle that was refused.
    pub fn answer<T>(&self, answer: Result<T, MailboxError>) -> Result<T, MailboxError> {
        if let Err(MailboxError::ReceiptHandleExpired(_)) = &answer {
            self.stale_handles.increment(1);
        }
        answer
    }
}

/// Bodies that are not of the type of their mailbox.
pub(crate) const DECODE_ERRORS: &str = "redrive_mailbox_decode_errors_total";
/// Letters that were not accepted. The label is the mailbox of the message.
pub(crate) const LETTER_ERRORS: &str = "redrive_mailbox_letter_errors_total";
/// Last replies that their mailbox will never accept.
pub(crate) const UNSENT_REPLIES: &str = "redrive_mailbox_unsent_replies_total";

/// Increments a counter of a mailbox.
pub(crate) fn count(name: &'static str, mailbox: &dyn MailboxBackend) {
    counter!(name, "mailbox" => label(mailbox.name(), mailbox.settings())).increment(1);
}

/// Counts a letter that is durable. The label is the mailbox of letters.
pub(crate) fn count_letter(letters: &dyn MailboxBackend) {
    counter!("dlq_messages_sent_total", "queue" => letters.name().to_string()).increment(1);
}

/// Counts a lease that was extended, or found to be lost.
pub(crate) fn count_lease_extension<T>(mailbox: &dyn MailboxBackend, answer: &Result<T, MailboxError>) {
    let name = match answer {
        Ok(_) => "redrive_mailbox_lease_extensions_total",
        Err(MailboxError::ReceiptHandleExpired(_)) => "redrive_mailbox_lease_losses_total",
        Err(_) => return,
    };
    count(name, mailbox);
}

/// No name has braces.
fn label(mailbox: &MailboxName, settings: &MailboxSettings) -> String {
    if settings.is_labelled { mailbox.to_string() } else { "{replies}".to_owned() }
}
