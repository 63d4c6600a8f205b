//! How a gRPC status is classified.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, Evidence, Failure, GrpcCode, Span, Time};
use redrive_model::Content;
use redrive_run::{GrpcSettings, GrpcTarget, Handled};
use redrive_store::ManualClock;

use super::server::{Reply, Server};
use super::{METHOD, target};
use crate::work::{category, fail, handle, rule, work};

async fn failure_of(reply: Reply) -> Failure {
    let server = Server::answering(reply).await;
    fail(&target(&server.url), work(Content::default())).await
}

/// The table of the reference, repeated. Codes without a category are classified by their message, here "boom".
fn expected_category(code: u32) -> Category {
    match code {
        10 | 14 => Category::Transient,
        4 => Category::Network,
        8 => Category::Resource,
        7 | 16 => Category::Permission,
        3 | 11 => Category::Validation,
        _ => Category::Permanent,
    }
}

#[tokio::test]
async fn the_response_message_is_the_result() {
    let server = Server::answering(Reply::ok(&b"\0result\xff"[..])).await;
    let handled = handle(&target(&server.url), work(Content::default())).await;
    assert_eq!(handled, Handled::Done { result: Some(Bytes::from_static(b"\0result\xff")) });
}

#[tokio::test]
async fn every_status_code_has_the_category_of_the_reference() {
    for code in 1..=16 {
        let failure = failure_of(Reply::status(code, "boom")).await;
        assert_eq!(category(&failure), expected_category(code), "{code}");
        assert_eq!(failure.error.evidence, GrpcCode::from_number(code).map(Evidence::Grpc));
        let expected = if matches!(code, 2 | 13) { "default".to_owned() } else { format!("grpc:{code}") };
        assert_eq!(rule(&failure), expected);
        assert!(failure.error.message.ends_with(": boom"), "{failure}");
        assert!(!failure.message_without_answer().contains("boom"), "{failure}");
    }
}

#[tokio::test]
async fn an_unspecific_status_code_is_classified_by_its_message() {
    for code in [2, 13] {
        let failure = failure_of(Reply::status(code, "read timed out")).await;
        assert_eq!(category(&failure), Category::Network);
        assert_eq!(rule(&failure), "phrase:timed out");
    }
}

#[tokio::test]
async fn an_undefined_status_code_is_treated_as_unknown() {
    let failure = failure_of(Reply::status(99, "boom")).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Grpc(GrpcCode::Unknown)));
}

#[tokio::test]
async fn a_status_message_is_truncated_to_two_kibibytes_without_control_characters() {
    let failure = failure_of(Reply::status(9, &format!("%1B[1m{}", "x".repeat(3_000)))).await;
    let message = failure.error.message.split(": ").last().unwrap();
    assert_eq!(message.len(), 2_047, "the escape character became a space, which was trimmed");
    assert!(message.starts_with("[1mxx"), "{message}");
}

/// A `google.rpc.Status` with a `RetryInfo` of 7.5 s, in base64.
const DETAILS: &str = "CA4SBWxhdGVyGjYKKHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5SZXRyeUluZm8SCgoICAcQgMq17gE";

#[tokio::test]
async fn a_retry_info_sets_the_delay() {
    for code in [14, 8, 9] {
        let failure = failure_of(Reply::status_with(code, "later", &[("grpc-status-details-bin", DETAILS)])).await;
        assert_eq!(failure.retry_after, Some(Span::from_millis(7_500)), "{code}");
        assert_eq!(category(&failure), expected_category(code));
    }
}

#[tokio::test]
async fn the_longest_of_all_retry_hints_applies() {
    let retry_after =
        async |more: &[(&'static str, &str)]| failure_of(Reply::status_with(14, "later", more)).await.retry_after;
    assert_eq!(retry_after(&[("retry-after", "9")]).await, Some(Span::from_secs(9)));
    assert_eq!(retry_after(&[("grpc-retry-pushback-ms", "1500")]).await, Some(Span::from_millis(1_500)));
    let all = [("retry-after", "9"), ("grpc-retry-pushback-ms", "1500"), ("grpc-status-details-bin", DETAILS)];
    assert_eq!(retry_after(&all).await, Some(Span::from_secs(9)));
    assert_eq!(retry_after(&[("grpc-retry-pushback-ms", "-1")]).await, None);
    assert_eq!(retry_after(&[("retry-after", "soon"), ("grpc-status-details-bin", "AAAA")]).await, None);
}

#[tokio::test]
async fn a_retry_after_date_is_relative_to_the_clock_of_the_target() {
    let date = [("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT")];
    let server = Server::answering(Reply::status_with(14, "later", &date)).await;
    let clock = ManualClock::new(Time::from_secs(784_111_777));
    let target = target(&server.url).with_clock(Arc::new(clock));
    assert_eq!(fail(&target, work(Content::default())).await.retry_after, Some(Span::from_mins(1)));
}

#[tokio::test]
async fn an_http_status_without_grpc_maps_to_a_grpc_code() {
    for (status, code) in [
        (400, GrpcCode::Internal),
        (401, GrpcCode::Unauthenticated),
        (403, GrpcCode::PermissionDenied),
        (404, GrpcCode::Unimplemented),
        (429, GrpcCode::Unavailable),
        (503, GrpcCode::Unavailable),
    ] {
        let headers = vec![("retry-after", "3".to_owned())];
        let failure = failure_of(Reply::Http { status, headers }).await;
        assert_eq!(failure.error.evidence, Some(Evidence::Grpc(code)), "{status}: {failure}");
        assert_eq!(failure.retry_after, Some(Span::from_secs(3)), "{status}");
    }
}

#[tokio::test]
async fn a_success_without_a_message_is_an_internal_error() {
    let trailers = vec![("grpc-status", "0".to_owned())];
    let failure = failure_of(Reply::Trailers { message: None, trailers }).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Grpc(GrpcCode::Internal)), "{failure}");
}

#[tokio::test]
async fn a_response_over_the_size_limit_is_a_validation_failure() {
    let server = Server::answering(Reply::Announced(9)).await;
    let settings = GrpcSettings { message_bytes_max: 8, ..GrpcSettings::new(&server.url, METHOD) };
    let failure = fail(&GrpcTarget::new(&settings).unwrap(), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Validation, "{failure}");
    assert!(failure.error.message.contains("the limit is: 8 bytes"), "{failure}");
}

#[tokio::test]
async fn messages_up_to_the_size_limit_are_accepted() {
    let server = Server::answering(Reply::ok("12345678")).await;
    let settings = GrpcSettings { message_bytes_max: 8, ..GrpcSettings::new(&server.url, METHOD) };
    let handled = handle(&GrpcTarget::new(&settings).unwrap(), work(Content::of_payload("12345678"))).await;
    assert_eq!(handled, Handled::Done { result: Some("12345678".into()) });
}

#[tokio::test]
async fn a_payload_over_the_size_limit_is_not_sent() {
    let settings = GrpcSettings { message_bytes_max: 8, ..GrpcSettings::new("http://127.0.0.1:1", METHOD) };
    let failure = fail(&GrpcTarget::new(&settings).unwrap(), work(Content::of_payload("123456789"))).await;
    assert_eq!(category(&failure), Category::Validation);
    assert!(failure.error.message.ends_with("was not called: the payload has 9 bytes, and 8 may be sent"), "{failure}");
}
