//! Work of which some parts failed: status 207.

use bytes::Bytes;
use redrive_core::{Category, Failure, Span};
use redrive_model::Content;
use redrive_run::{Handled, HttpSettings, HttpTarget, Work};

use super::server::{Server, answer};
use super::target;
use crate::work::{category, fail, handle, work};

fn three_parts() -> Work {
    Work { parts: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], ..work(Content::default()) }
}

async fn failure_of(body: &str) -> Failure {
    let server = Server::answering(answer(207, &["content-type: application/json"], body)).await;
    fail(&target(&server.url), three_parts()).await
}

#[tokio::test]
async fn failed_parts_are_reported_and_their_errors_are_classified() {
    let failure = failure_of(r#"{"failed":[{"part":"a","error":"TimeoutError: no answer"},{"part":"c"}]}"#).await;
    assert_eq!(failure.parts, ["a", "c"]);
    assert_eq!(category(&failure), Category::Network);
    assert_eq!(failure.causes.len(), 1);
    assert_eq!(failure.causes[0].message, "TimeoutError: no answer");
    assert!(failure.error.message.ends_with("answered 207 Multi-Status: 2 of 3 parts failed"), "{failure}");
}

#[tokio::test]
async fn the_short_form_lists_failed_parts_with_an_optional_error() {
    let failure = failure_of(r#"{"failed_parts":["b","b"]}"#).await;
    assert_eq!(failure.parts, ["b"]);
    assert_eq!(category(&failure), Category::Permanent, "without an error the failure is permanent");
    let failure = failure_of(r#"{"failed_parts":["b"],"error":"service unavailable"}"#).await;
    assert_eq!(category(&failure), Category::Transient);
}

#[tokio::test]
async fn all_parts_may_fail() {
    let failure = failure_of(r#"{"failed_parts":["a","b","c"]}"#).await;
    assert_eq!(failure.parts, ["a", "b", "c"]);
}

#[tokio::test]
async fn names_of_parts_do_not_influence_the_category() {
    let failure = failure_of(r#"{"failed_parts":["timeout"]}"#).await;
    assert_eq!(category(&failure), Category::Permanent);
}

#[tokio::test]
async fn a_207_without_failed_parts_is_a_success() {
    for body in [r#"{"failed":[]}"#, r#"{"failed_parts":[]}"#, r#"{"failed":[],"more":1}"#] {
        let server = Server::answering(answer(207, &[], body)).await;
        assert_eq!(handle(&target(&server.url), three_parts()).await, Handled::DONE, "{body}");
        let settings = HttpSettings { body_is_result: true, ..HttpSettings::new(&server.url) };
        let with_result = HttpTarget::new(&settings).unwrap();
        let result = Some(Bytes::from_static(body.as_bytes()));
        assert_eq!(handle(&with_result, three_parts()).await, Handled::Done { result });
    }
}

#[tokio::test]
async fn a_207_with_an_unrecognised_body_is_a_permanent_failure_of_the_whole_work() {
    for body in ["", "{}", "[]", "timeout", r#"{"failed":["a"]}"#, r#"{"failed":[{"error":"timeout"}]}"#] {
        let failure = failure_of(body).await;
        assert_eq!(failure.parts, Vec::<String>::new(), "{body}");
        assert_eq!(failure.error.code.as_deref(), Some("unrecognised_result"));
        assert_eq!(category(&failure), Category::Permanent, "{body}");
    }
}

#[tokio::test]
async fn a_207_with_a_body_over_the_size_limit_is_a_failure_of_the_whole_work() {
    let server = Server::answering(answer(207, &[], r#"{"failed_parts":["a"]}"#)).await;
    let settings = HttpSettings { body_bytes_max: 8, ..HttpSettings::new(&server.url) };
    let failure = fail(&HttpTarget::new(&settings).unwrap(), three_parts()).await;
    assert_eq!(failure.parts, Vec::<String>::new());
    assert_eq!(failure.error.code.as_deref(), Some("unrecognised_result"));
}

#[tokio::test]
async fn errors_of_many_parts_are_truncated_and_their_names_are_not() {
    let error = "x".repeat(3_000);
    let failed: Vec<_> = (0..200).map(|part| format!(r#"{{"part":"p{part}","error":"{error}"}}"#)).collect();
    let failure = failure_of(&format!(r#"{{"failed":[{}]}}"#, failed.join(","))).await;
    assert_eq!(failure.parts.len(), 200);
    assert_eq!(failure.causes.iter().map(|cause| cause.message.len()).sum::<usize>(), 8 * 1024);
}

#[tokio::test]
async fn retry_after_applies_to_a_207() {
    let server = Server::answering(answer(207, &["retry-after: 9"], r#"{"failed_parts":["a"]}"#)).await;
    let failure = fail(&target(&server.url), three_parts()).await;
    assert_eq!(failure.retry_after, Some(Span::from_secs(9)));
}
