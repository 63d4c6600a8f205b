//! Sample values and short constructors for the cases.

use std::sync::Arc;

use crate::StoreError;
use redrive_core::{
    Category, DelayHint, Failure, Fingerprint, ItemId, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Span,
    Time, Trigger,
};
use redrive_model::{
    Attempt, CaptureContext, Content, DeadCause, FullLetter, NewItem, NewLetter, Origin, Rejection, RetryAt,
    SettleAction, Settled, StoredItem, first_rejection,
};

pub(super) const START: Time = Time::from_secs(1_800_000_000);
/// The smallest difference between two times.
pub(super) const INSTANT: Span = Span::from_micros(1);
pub(super) const SECOND: Span = Span::from_secs(1);
pub(super) const MINUTE: Span = Span::from_mins(1);
pub(super) const HOUR: Span = Span::from_hours(1);
pub(super) const DAY: Span = Span::from_days(1);

pub(super) fn name(name: &str) -> QueueName {
    QueueName::new(name).unwrap()
}

pub(super) fn item(payload: &'static str) -> NewItem {
    NewItem::of_payload(payload)
}

pub(super) fn item_at(payload: &'static str, at: Time) -> NewItem {
    NewItem { enqueue_at: Some(at), ..item(payload) }
}

pub(super) fn item_named(payload: &'static str, message_id: &str) -> NewItem {
    NewItem { message_id: Some(message_id.into()), ..item(payload) }
}

pub(super) fn item_of(payload: &'static str, priority: Priority) -> NewItem {
    NewItem { priority, ..item(payload) }
}

pub(super) fn ids(items: &[StoredItem]) -> Vec<ItemId> {
    items.iter().map(|item| item.info.id).collect()
}

pub(super) fn payload(item: &impl WithContent) -> String {
    String::from_utf8(item.content().payload.to_vec()).unwrap()
}

/// An item or a letter.
pub(super) trait WithContent {
    fn content(&self) -> &Content;
}

impl WithContent for StoredItem {
    fn content(&self) -> &Content {
        &self.content
    }
}

impl WithContent for FullLetter {
    fn content(&self) -> &Content {
        &self.content
    }
}

/// How many of the first items were settled, and why the next one was rejected.
#[derive(Debug, PartialEq)]
pub(super) struct SettleProgress {
    pub(super) done: usize,
    pub(super) rejected: Option<Rejection>,
}

impl SettleProgress {
    pub(super) fn of(answers: &[Result<Settled, Rejection>]) -> Self {
        let done = answers.iter().take_while(|answer| answer.is_ok()).count();
        Self { done, rejected: first_rejection(answers).cloned() }
    }
}

pub(super) fn payloads(items: &[StoredItem]) -> Vec<String> {
    items.iter().map(payload).collect()
}

/// The rejection of a request that must be rejected.
#[track_caller]
pub(super) fn rejection<T: std::fmt::Debug>(answer: Result<T, StoreError>) -> Rejection {
    match answer {
        Err(StoreError::Rejected(rejection)) => rejection,
        other => panic!("expected a rejection: {other:?}"),
    }
}

pub(super) const fn retry() -> SettleAction {
    SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true }
}

pub(super) const fn retry_at(at: Time) -> SettleAction {
    SettleAction::Retry { at: RetryAt::Undecided(Some(at)), attempt: None, charged: true }
}

/// A retry with the record of the failed attempt.
pub(super) fn failed(error: &str, category: Category) -> SettleAction {
    SettleAction::Retry {
        at: RetryAt::Undecided(None),
        attempt: Some(Box::new(attempt(error, category))),
        charged: true,
    }
}

pub(super) const fn complete() -> SettleAction {
    SettleAction::Complete { attempt: None }
}

pub(super) const fn dead() -> SettleAction {
    SettleAction::Dead { attempt: None, why: DeadCause::Permanent }
}

pub(super) fn attempt(error: &str, category: Category) -> Attempt {
    Attempt {
        error: error.to_owned(),
        category: Some(category),
        fingerprint: Some(fingerprint(error)),
        ..Attempt::new(Trigger::Automatic, Outcome::Failure)
    }
}

pub(super) fn fingerprint(error: &str) -> Fingerprint {
    Fingerprint::of(&Failure::new(error))
}

pub(super) const FAULT: &str = "connection reset by peer";

/// A network failure, retried three times, after 1, 2 and 4 minutes.
pub(super) fn failure(source_id: &str) -> NewLetter {
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(Content::of_payload(format!("the work of {source_id}"))),
        context: CaptureContext { origin: origin(), ..CaptureContext::default() },
        attempt: attempt(FAULT, Category::Network),
        category: Category::Network,
        fingerprint: fingerprint(FAULT),
        policy: RetryPolicy::Exponential,
        policy_source: PolicySource::Explicit,
        max_retries: 3,
        hint: DelayHint::NONE,
        priority: Priority::Medium,
        destination: Arc::from("billing"),
        failed_at: START,
        is_of_source: false,
    }
}

/// A failure with the policy `never`: only an operator can retry it.
pub(super) fn failure_for_good(source_id: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Never, ..failure(source_id) }
}

/// A failure with the policy `immediate`: its first retry is due at once.
pub(super) fn failure_due(source_id: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Immediate, ..failure(source_id) }
}

/// An origin without coordinates of the message.
pub(super) fn origin() -> Origin {
    Origin { transport: "kafka".into(), name: "orders".into(), ..Origin::default() }
}

/// A failure of the message at this offset of its partition.
pub(super) fn failure_of_offset(source_id: &str, offset: i64) -> NewLetter {
    let origin = Origin { partition: Some(0), offset: Some(offset), ..origin() };
    NewLetter { context: CaptureContext { origin, ..CaptureContext::default() }, ..failure(source_id) }
}
