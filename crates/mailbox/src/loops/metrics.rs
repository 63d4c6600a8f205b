//! The metrics of dead letters, by the names of the specification. Their label `queue` is the mailbox of letters.

use std::time::Duration;

use metrics::{counter, gauge, histogram};
use redrive_core::Span;

use crate::MailboxBackend;

/// Counts a letter that a consumer processed, and its age.
pub(super) fn processed(letters: &dyn MailboxBackend, age: Span) {
    counter!("dlq_messages_processed_total", "queue" => letters.name().to_string()).increment(1);
    histogram!("dlq_message_age_seconds", "queue" => letters.name().to_string())
        .record(Duration::from(age).as_secs_f64());
}

/// Records how long a handler took, successfully or not.
pub(super) fn handled(letters: &dyn MailboxBackend, took: Span) {
    histogram!("dlq_processing_duration_ms", "queue" => letters.name().to_string())
        .record(Duration::from(took).as_secs_f64() * 1e3);
}

pub(super) fn replayed(letters: &dyn MailboxBackend) {
    counter!("dlq_messages_replayed_total", "queue" => letters.name().to_string()).increment(1);
}

pub(super) fn discarded(letters: &dyn MailboxBackend) {
    counter!("dlq_messages_discarded_total", "queue" => letters.name().to_string()).increment(1);
}

pub(super) fn depth(letters: &dyn MailboxBackend, depth: u64) {
    gauge!("dlq_queue_depth", "queue" => letters.name().to_string()).set(depth as f64);
}
