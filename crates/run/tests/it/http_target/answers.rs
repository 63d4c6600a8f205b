//! How an answer is classified.

use bytes::Bytes;
use redrive_core::{Category, Evidence, Failure};
use redrive_model::Content;
use redrive_run::{Handled, HttpSettings, HttpTarget};

use super::server::{ReceivedRequest, Server, answer};
use super::target;
use crate::work::{category, fail, handle, rule, work};

async fn failure_of(answer: Vec<u8>) -> Failure {
    let server = Server::answering(answer).await;
    fail(&target(&server.url), work(Content::default())).await
}

async fn result_of(answer: Vec<u8>, body_bytes_max: usize) -> Handled {
    let server = Server::answering(answer).await;
    let settings = HttpSettings { body_is_result: true, body_bytes_max, ..HttpSettings::new(&server.url) };
    handle(&HttpTarget::new(&settings).unwrap(), work(Content::default())).await
}

/// Answers with the status in the payload.
fn status_of_payload(received: &ReceivedRequest) -> Vec<u8> {
    let status = String::from_utf8_lossy(&received.body);
    answer(status.parse().unwrap(), &[], "")
}

/// The table of the reference, repeated.
fn expected_category(status: u16) -> Category {
    match status {
        408 | 504 | 520 | 521 | 522 | 523 | 524 | 598 | 599 => Category::Network,
        507 => Category::Resource,
        401 | 403 | 407 | 451 | 511 => Category::Permission,
        400 | 405 | 406 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 422 | 428 | 431 => Category::Validation,
        409 | 421 | 423 | 425 | 429 | 500 | 502 | 503 | 506 | 508.. => Category::Transient,
        _ => Category::Permanent,
    }
}

#[tokio::test]
async fn every_error_status_has_the_category_of_the_reference() {
    let server = Server::answering_by(status_of_payload).await;
    let target = target(&server.url);
    for status in 400..600 {
        let failure = fail(&target, work(Content::of_payload(status.to_string()))).await;
        assert_eq!(category(&failure), expected_category(status), "{status}");
        assert_eq!(rule(&failure), format!("http:{status}"));
        assert_eq!(failure.retry_after, None);
        assert_eq!(failure.parts, Vec::<String>::new());
    }
}

#[tokio::test]
async fn every_2xx_status_but_207_is_a_success() {
    let server = Server::answering_by(status_of_payload).await;
    let target = target(&server.url);
    for status in (200..300).filter(|status| *status != 207) {
        let handled = handle(&target, work(Content::of_payload(status.to_string()))).await;
        assert_eq!(handled, Handled::DONE, "{status}");
    }
}

#[tokio::test]
async fn the_body_is_the_result_only_if_configured() {
    let body = answer(200, &[], b"\x00the result\xff");
    assert_eq!(
        result_of(body.clone(), 1024).await,
        Handled::Done { result: Some(Bytes::from_static(b"\x00the result\xff")) }
    );
    let server = Server::answering(body).await;
    assert_eq!(handle(&target(&server.url), work(Content::default())).await, Handled::DONE);
}

#[tokio::test]
async fn an_answer_without_content_is_an_empty_result() {
    let no_content = b"HTTP/1.1 204 No Content\r\n\r\n".to_vec();
    assert_eq!(result_of(no_content, 1024).await, Handled::Done { result: Some(Bytes::new()) });
}

#[tokio::test]
async fn a_result_over_the_size_limit_is_a_permanent_failure() {
    let fits = answer(200, &[], "12345678");
    assert_eq!(result_of(fits, 8).await, Handled::Done { result: Some(Bytes::from_static(b"12345678")) });
    let Handled::Failed(failure) = result_of(answer(200, &[], "123456789"), 8).await else {
        panic!("the result exceeds the limit");
    };
    assert_eq!(category(&failure), Category::Permanent, "a retry would get the same answer");
    assert_eq!(failure.error.code.as_deref(), Some("result_too_long"));
    assert!(failure.error.message.ends_with("answered 200 with more than 8 bytes, and a result is at most that long"));
}

#[tokio::test]
async fn an_endless_answer_fails_at_the_size_limit() {
    let endless = [b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec(), b"4\r\nmore\r\n".repeat(4096)];
    let Handled::Failed(failure) = result_of(endless.concat(), 1024).await else {
        panic!("the result exceeds the limit");
    };
    assert_eq!(failure.error.code.as_deref(), Some("result_too_long"));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_its_location_is_in_the_error() {
    let elsewhere = Server::answering(answer(200, &[], "")).await;
    for status in [300, 301, 302, 303, 304, 305, 307, 308] {
        let location = format!("location: {}/new?token=5ecret", elsewhere.url);
        let failure = failure_of(answer(status, &[&location], "temporarily unavailable")).await;
        assert_eq!(category(&failure), Category::Permanent, "{status}");
        assert_eq!(failure.error.evidence, Some(Evidence::http(status)));
        assert_eq!(failure.error.kind.as_ref().unwrap().as_str(), "http.redirect");
        let text = format!("answered {status}, a redirect to {}/new; redirects are not followed", elsewhere.url);
        assert!(failure.error.message.ends_with(&text), "{failure}");
    }
}

#[tokio::test]
async fn the_text_of_an_error_body_is_in_the_message() {
    let failure = failure_of(answer(500, &["content-type: text/plain"], "disk \u{1b}[1mdied\n")).await;
    assert!(failure.error.message.ends_with("answered 500 Internal Server Error: disk  [1mdied"), "{failure}");
    let own = failure.message_without_answer();
    assert!(own.ends_with("answered 500 Internal Server Error"), "what the health of a destination shows: {own}");
    let failure = failure_of(answer(422, &["content-type: application/problem+json"], r#"{"title":"no"}"#)).await;
    assert!(failure.error.message.ends_with(r#"answered 422 Unprocessable Entity: {"title":"no"}"#), "{failure}");
    let failure = failure_of(answer(500, &[], "no type")).await;
    assert!(failure.error.message.ends_with(": no type"), "{failure}");
    let failure = failure_of(answer(599, &[], "")).await;
    assert!(failure.error.message.ends_with("answered 599"), "{failure}");
}

#[tokio::test]
async fn a_binary_error_body_is_not_in_the_message() {
    for (headers, body) in [
        (&["content-type: application/octet-stream"][..], "bytes"),
        (&["content-type: image/png"], "bytes"),
        (&[], "bytes\0"),
    ] {
        let failure = failure_of(answer(500, headers, body)).await;
        assert!(failure.error.message.ends_with("answered 500 Internal Server Error"), "{failure}");
    }
}

#[tokio::test]
async fn a_long_error_body_is_truncated_to_two_kibibytes() {
    let failure = failure_of(answer(500, &[], "x".repeat(3 << 20))).await;
    let text = failure.error.message.split(": ").last().unwrap();
    assert_eq!(text, "x".repeat(2048));
    assert_eq!(category(&failure), Category::Transient);
}

#[tokio::test]
async fn a_403_is_a_permission_failure_unless_it_is_a_rate_limit() {
    let forbidden = failure_of(answer(403, &[], "no")).await;
    assert_eq!(category(&forbidden), Category::Permission);
    let below_limit = failure_of(answer(403, &["x-ratelimit-remaining: 10"], "no")).await;
    assert_eq!(category(&below_limit), Category::Permission);
    for header in ["x-ratelimit-remaining: 0", "RateLimit-Remaining: 0", "retry-after: 60"] {
        let limited = failure_of(answer(403, &[header], "no")).await;
        assert_eq!(category(&limited), Category::Transient, "{header}");
        assert_eq!(limited.error.evidence, Some(Evidence::Http { status: 403, rate_limited: true }));
    }
    let phrase = failure_of(answer(403, &[], "API rate limit reached")).await;
    assert_eq!(category(&phrase), Category::Transient);
}
