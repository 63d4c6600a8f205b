//! Constants and constructors that the cases share.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, DeadReason, Failure, Fingerprint, Outcome, Rule, Span, Time, Trigger};
use redrive_model::{Attempt, Content, DestinationFilter, Header};

use super::NewWork;
use super::erased::AnyFence;
use crate::{DeadWork, Delivery, FinishedDelivery, Resolution, SettleError};

pub(super) const START: Time = Time::from_secs(1_800_000_000);
/// The smallest difference between two times.
pub(super) const INSTANT: Span = Span::from_micros(1);
/// A delay well below the length of any claim.
pub(super) const DELAY: Span = Span::from_secs(10);

pub(super) type AnyDelivery = Delivery<AnyFence>;
pub(super) type SettleAnswer = Result<(), SettleError>;

pub(super) const STALE: SettleAnswer = Err(SettleError::Stale);

pub(super) fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

pub(super) fn work(payload: &str) -> NewWork {
    NewWork { content: Content::of_payload(bytes(payload)), ..NewWork::default() }
}

pub(super) fn work_with(content: &Content) -> NewWork {
    NewWork { content: content.clone(), ..NewWork::default() }
}

pub(super) fn work_of(key: &str, payload: &str) -> NewWork {
    let content = Content { key: Some(bytes(key)), ..Content::of_payload(bytes(payload)) };
    NewWork { content, ..NewWork::default() }
}

pub(super) fn work_to(destination: &str, payload: &str) -> NewWork {
    NewWork { destination: Some(Arc::from(destination)), ..work(payload) }
}

/// Content with invalid UTF-8, a repeated header, header names that differ in case only, and an empty name and value.
pub(super) fn odd_content() -> Content {
    let header = |name: &str, value: &'static [u8]| Header { name: name.to_owned(), value: Bytes::from_static(value) };
    Content {
        key: Some(Bytes::from_static(&[0xFF, 0x00, 0xC3, 0x28])),
        headers: vec![
            header("trace", &[0, 159, 146, 150]),
            header("trace", b"again"),
            header("", b""),
            header("Trace", b"in another case"),
        ],
        payload: Bytes::from_static(&[0xF0, 0x28, 0x8C, 0x28, 0x00, 0x0A, 0xFF]),
        ..Content::default()
    }
}

pub(super) fn payload(got: &AnyDelivery) -> &Bytes {
    &got.work.content.payload
}

pub(super) fn payloads(all: &[AnyDelivery]) -> Vec<Bytes> {
    let mut payloads: Vec<_> = all.iter().map(|got| payload(got).clone()).collect();
    payloads.sort_unstable();
    payloads
}

pub(super) fn all_but(held: &[&str]) -> DestinationFilter {
    DestinationFilter::AllBut(held.iter().map(|held| Arc::from(*held)).collect())
}

pub(super) fn only(destination: &str) -> DestinationFilter {
    DestinationFilter::Only(vec![Arc::from(destination)])
}

pub(super) fn settlement(got: &AnyDelivery, resolution: Resolution) -> FinishedDelivery<AnyFence> {
    FinishedDelivery { fence: got.fence.clone(), resolution, attempt: None }
}

pub(super) fn with_record(got: &AnyDelivery, resolution: Resolution, attempt: Attempt) -> FinishedDelivery<AnyFence> {
    FinishedDelivery { fence: got.fence.clone(), resolution, attempt: Some(Box::new(attempt)) }
}

pub(super) const ACK: Resolution = Resolution::Ack { result: None };

pub(super) const fn retry(at: Time) -> Resolution {
    Resolution::Retry { at, charged: true }
}

pub(super) const fn retry_uncharged(at: Time) -> Resolution {
    Resolution::Retry { at, charged: false }
}

pub(super) fn dead_letter() -> Resolution {
    let failure = Failure::new("validation: no such customer");
    let category = Category::Validation;
    let reason = DeadReason::Permanent { category, rule: Rule::Default };
    Resolution::DeadLetter(Box::new(DeadWork { reason, category, fingerprint: Fingerprint::of(&failure), failure }))
}

/// The record of a failed attempt, with times, error, classification and worker.
pub(super) fn record(error: &str) -> Attempt {
    Attempt {
        started_at: Some(START),
        ended_at: Some(START.saturating_add(INSTANT)),
        error_type: Some("connection.reset".to_owned()),
        error: error.to_owned(),
        category: Some(Category::Network),
        rule: Some("phrase:connection reset".to_owned()),
        fingerprint: Some(Fingerprint::of(&Failure::new(error))),
        worker: Some(Arc::from("worker-7")),
        ..Attempt::new(Trigger::Automatic, Outcome::Failure)
    }
}

/// The record of an attempt with these failed parts.
pub(super) fn record_of_parts(failed: &[&str]) -> Attempt {
    let failed_parts = failed.iter().map(|part| (*part).to_owned()).collect();
    Attempt { outcome: Outcome::Partial, failed_parts, ..record("some failed") }
}
