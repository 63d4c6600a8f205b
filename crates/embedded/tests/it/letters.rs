//! Sample letters for tests.

use std::sync::Arc;

use redrive_core::{Category, DelayHint, Failure, Fingerprint, Outcome, PolicySource, Priority, RetryPolicy, Trigger};
use redrive_embedded::EmbeddedStore;
use redrive_model::{Attempt, Capture, CaptureContext, Captured, Content, NewLetter, Origin};
use redrive_store::{Store, StoreError};

use crate::rig::{START, name, payload};

/// A letter whose source id is this number.
pub(crate) fn letter(number: u64, content: Arc<Content>, policy: RetryPolicy) -> NewLetter {
    let origin = Origin {
        transport: "kafka".into(),
        name: "payments".into(),
        offset: i64::try_from(number).ok(),
        ..Origin::default()
    };
    NewLetter {
        source_id: format!("payment-{number}").into(),
        content,
        context: CaptureContext { origin, ..CaptureContext::default() },
        attempt: attempt(),
        category: Category::Transient,
        fingerprint: Fingerprint::of(&Failure::new("it did not work")),
        policy,
        policy_source: PolicySource::Explicit,
        max_retries: 3,
        hint: DelayHint::NONE,
        priority: Priority::Medium,
        destination: Arc::from("payments"),
        failed_at: START,
        is_of_source: false,
    }
}

pub(crate) fn attempt() -> Attempt {
    Attempt { error: "it did not work".to_owned(), ..Attempt::new(Trigger::Automatic, Outcome::Failure) }
}

pub(crate) fn small(number: u64) -> NewLetter {
    letter(number, Arc::new(Content::of_payload(payload(number, 200))), RetryPolicy::Never)
}

pub(crate) async fn capture(
    store: &EmbeddedStore,
    queue: &str,
    number: u64,
    policy: RetryPolicy,
) -> Result<Vec<Captured>, StoreError> {
    let letters = vec![NewLetter { policy, ..small(number) }];
    store.capture(Capture::new(name(queue), letters)).await
}
