//! A dead queue, and letters for it.

use std::sync::Arc;

use redrive_core::{
    Category, DelayHint, Failure, Fingerprint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Time, Trigger,
};
use redrive_model::{Attempt, CaptureContext, Content, NewLetter};

pub(crate) const NOW: Time = Time::from_secs(1_800_000_000);

pub(crate) fn dead() -> QueueName {
    QueueName::new("dead").unwrap()
}

/// A letter that is retried manually only.
pub(crate) fn letter(source_id: &str) -> NewLetter {
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(Content::of_payload("work")),
        context: CaptureContext::default(),
        attempt: Attempt::new(Trigger::Automatic, Outcome::Failure),
        category: Category::Transient,
        fingerprint: Fingerprint::of(&Failure::new("timed out")),
        policy: RetryPolicy::Never,
        policy_source: PolicySource::Explicit,
        max_retries: 3,
        hint: DelayHint::NONE,
        priority: Priority::Medium,
        destination: Arc::from("billing"),
        failed_at: NOW,
        is_of_source: false,
    }
}
