//! Where the letters of the log go: a dead queue of a store.

use std::sync::Arc;

use redrive_core::{Outcome, PolicySource, Priority, QueueName, RetryPolicy, Time, Trigger};
use redrive_model::{Attempt, Capture, CaptureContext, NewLetter};
use redrive_run::{DeadWork, SettleError};
use redrive_store::{Store, StoreError};

use super::log::{Fence, Record, origin};

#[derive(Debug, Clone)]
pub(super) struct DeadQueue {
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
}

impl DeadQueue {
    /// Makes the letter durable. One that was taken before is not taken twice: asking again is safe.
    pub(super) async fn take(&self, letter: NewLetter) -> Result<(), SettleError> {
        let capture = Capture::new(self.queue.clone(), vec![letter]);
        match self.store.capture(capture).await {
            Ok(_) => Ok(()),
            Err(StoreError::Rejected(refusal)) => Err(SettleError::HandOver(refusal.to_string())),
            Err(error) => Err(SettleError::Unavailable(error.to_string())),
        }
    }
}

/// All that a letter says of a record that failed for good.
pub(super) fn letter_of(
    record: &Record,
    fence: Fence,
    dead: &DeadWork,
    attempt: Option<&Attempt>,
    name: &str,
    now: Time,
) -> NewLetter {
    let unknown = || Attempt::new(Trigger::Automatic, Outcome::Failure);
    NewLetter {
        source_id: format!("{name}/{}", fence.offset).into(),
        content: Arc::clone(&record.content),
        context: CaptureContext {
            origin: origin(name, fence.offset),
            parts: record.parts().to_vec(),
            ..CaptureContext::default()
        },
        // Whoever repeats a hand-over made no attempt: the one that failed counts.
        attempt: attempt.or_else(|| record.newest_failure()).cloned().unwrap_or_else(unknown),
        category: dead.category,
        fingerprint: dead.fingerprint,
        policy: RetryPolicy::Never,
        policy_source: PolicySource::Default,
        max_retries: 3,
        priority: Priority::Medium,
        destination: Arc::clone(&record.destination),
        failed_at: now,
    }
}
