//! Letters for tests.

use std::sync::Arc;

use redrive_core::{
    Category, DelayHint, Failure, Fingerprint, LetterId, Metadata, Outcome, PolicySource, Priority, QueueName,
    RetryPolicy, Span, Time, Trigger,
};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    Attempt, Capture, CaptureContext, ClaimById, Content, CreateQueue, FullLetter, NewLetter, Origin, QueueSettings,
    RetryAt, SettleAction, StoredItem,
};
use redrive_store::Store;

pub(crate) const FAILED_AT: Time = Time::from_secs(1_790_000_000);

pub(crate) fn name(name: &str) -> QueueName {
    QueueName::new(name).unwrap()
}

pub(crate) fn memory() -> Arc<EmbeddedStore> {
    Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap())
}

/// A store with a queue.
pub(crate) async fn memory_with(name: &str) -> (Arc<EmbeddedStore>, QueueName) {
    let store = memory();
    let queue = queue(&*store, name).await;
    (store, queue)
}

pub(crate) async fn queue(store: &dyn Store, queue: &str) -> QueueName {
    store.create_queue(CreateQueue { settings: QueueSettings::new(name(queue)) }).await.unwrap().name
}

pub(crate) fn attempt(error: &str, category: Category) -> Attempt {
    Attempt {
        error: error.to_owned(),
        category: Some(category),
        rule: Some(format!("word:{category}")),
        fingerprint: Some(Fingerprint::of(&Failure::new(error))),
        ..Attempt::new(Trigger::Automatic, Outcome::Failure)
    }
}

/// A failure with two parts.
pub(crate) fn failure(source_id: &str) -> NewLetter {
    failure_of(source_id, "connection reset by peer", Category::Network)
}

pub(crate) fn failure_of(source_id: &str, error: &str, category: Category) -> NewLetter {
    let origin = Origin { transport: "kafka".into(), name: "orders".into(), ..Origin::default() };
    let metadata = Metadata::from([("team".to_owned(), "payments".into())]);
    let parts = vec!["repo/a".to_owned(), "repo/b".to_owned()];
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(Content::of_payload(format!("{{\"id\":\"{source_id}\",\"type\":\"sweep\"}}"))),
        context: CaptureContext {
            origin,
            parts,
            metadata,
            trace_id: Some("4bf92f".to_owned()),
            ..CaptureContext::default()
        },
        attempt: attempt(error, category),
        category,
        fingerprint: Fingerprint::of(&Failure::new(error)),
        policy: RetryPolicy::Exponential,
        policy_source: PolicySource::Explicit,
        max_retries: 3,
        hint: DelayHint::NONE,
        priority: Priority::Medium,
        destination: Arc::from("billing"),
        failed_at: FAILED_AT,
        is_of_source: false,
    }
}

pub(crate) async fn capture(store: &dyn Store, queue: &QueueName, letter: NewLetter) -> LetterId {
    store.capture(Capture::new(queue.clone(), vec![letter])).await.unwrap()[0].letter
}

pub(crate) async fn record(store: &dyn Store, queue: &QueueName, letter: LetterId) -> FullLetter {
    store.letter(redrive_model::GetLetter { queue: queue.clone(), letter }).await.unwrap()
}

/// Claims a letter manually.
pub(crate) async fn claim(store: &dyn Store, queue: &QueueName, letter: LetterId) -> Option<StoredItem> {
    let claim = ClaimById {
        queue: queue.clone(),
        letters: vec![letter.into()],
        lease: Span::from_mins(10),
        trigger: Trigger::Manual,
    };
    store.claim_by_id(claim).await.ok()?.letters.into_iter().next()
}

/// Retries a letter manually, with the given outcome.
pub(crate) async fn try_once(store: &dyn Store, queue: &QueueName, letter: LetterId, action: SettleAction) -> bool {
    let Some(held) = claim(store, queue, letter).await else { return false };
    store.settle_all(queue.clone(), None, vec![held.info.id], action).await.is_ok()
}

pub(crate) fn failed(error: &str, category: Category) -> SettleAction {
    SettleAction::Retry {
        at: RetryAt::Undecided(None),
        attempt: Some(Box::new(attempt(error, category))),
        charged: true,
    }
}
