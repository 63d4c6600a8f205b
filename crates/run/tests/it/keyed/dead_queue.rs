//! The destination of the log's letters: a dead queue of a store.

use std::sync::Arc;

use redrive_core::{DelayHint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Time, Trigger};
use redrive_model::{Attempt, Capture, CaptureContext, NewLetter};
use redrive_run::{DeadWork, SettleError};
use redrive_store::{Store, StoreError};

use super::log::{Fence, Record, origin};

#[derive(Debug, Clone)]
pub(crate) struct DeadQueue {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) queue: QueueName,
}

impl DeadQueue {
    /// Captures the letter. A second capture of the same work makes no second letter, so that a retry is safe.
    pub(super) async fn capture(&self, letter: NewLetter) -> Result<(), SettleError> {
        let capture = Capture::new(self.queue.clone(), vec![letter]);
        match self.store.capture(capture).await {
            Ok(_) => Ok(()),
            Err(StoreError::Rejected(rejection)) => Err(SettleError::HandOver(rejection.to_string())),
            Err(error) => Err(SettleError::Unavailable(error.to_string())),
        }
    }
}

/// The letter of a record that failed permanently.
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
        // A repeated hand-over made no attempt: the attempt that failed is recorded.
        attempt: attempt.or_else(|| record.newest_failure()).cloned().unwrap_or_else(unknown),
        category: dead.category,
        fingerprint: dead.fingerprint,
        policy: RetryPolicy::Never,
        policy_source: PolicySource::Default,
        max_retries: 3,
        hint: DelayHint::NONE,
        priority: Priority::Medium,
        destination: Arc::clone(&record.destination),
        failed_at: now,
        is_of_source: false,
    }
}
