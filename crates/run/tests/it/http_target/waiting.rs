//! The delay that the target asks for with `Retry-After`.

use std::sync::Arc;

use redrive_core::{Attempts, Category, Policy, Span, Time};
use redrive_model::Content;
use redrive_store::ManualClock;

use super::server::{Server, answer};
use super::target;
use crate::work::{category, fail, work};

/// Sun, 06 Nov 1994 08:49:37 GMT
const NOW: Time = Time::from_secs(784_111_777);

async fn retry_after(status: u16, header: &str) -> Option<Span> {
    let server = Server::answering(answer(status, &[header], "later")).await;
    let target = target(&server.url).with_clock(Arc::new(ManualClock::new(NOW)));
    let failure = fail(&target, work(Content::default())).await;
    failure.retry_after
}

#[tokio::test]
async fn retry_after_is_read_as_seconds_or_as_a_date_with_any_error_status() {
    for status in [403, 404, 413, 429, 500, 503] {
        assert_eq!(retry_after(status, "Retry-After: 120").await, Some(Span::from_secs(120)), "{status}");
        let date = "Retry-After: Sun, 06 Nov 1994 09:49:37 GMT";
        assert_eq!(retry_after(status, date).await, Some(Span::from_hours(1)), "{status}");
    }
}

#[tokio::test]
async fn a_past_date_and_an_invalid_value_cause_no_delay() {
    assert_eq!(retry_after(429, "Retry-After: Sun, 06 Nov 1994 08:00:00 GMT").await, Some(Span::ZERO));
    assert_eq!(retry_after(429, "Retry-After: soon").await, None);
    assert_eq!(retry_after(429, "Retry-Before: 1").await, None);
}

#[tokio::test]
async fn the_next_attempt_is_not_due_before_the_requested_delay_and_is_charged() {
    let server = Server::answering(answer(429, &["Retry-After: 7200"], "")).await;
    let failure = fail(&target(&server.url), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Transient);
    let policy = Policy::builder().max_attempts(3).build().unwrap();
    let decided = policy.decide(&failure, Attempts::charged(1, NOW), NOW, 0);
    assert_eq!(decided.decision.to_string(), "retry at 1994-11-06T10:49:37.000Z");
    let decided = policy.decide(&failure, Attempts::charged(3, NOW), NOW, 0);
    assert!(decided.decision.to_string().starts_with("dead"), "{}", decided.decision);
}
