//! A guard recognises a failure that the work returns as a value, whatever its shape.

use redrive_core::{Category, Failure, Policy};
use redrive_model::Content;
use redrive_run::{Disposition, Guard, Guarded, Handled, Returned, StoreLetterBox, Task};
use serde_json::{Value, json};

use crate::fixture::{Fixture, dead, with_fixture};

async fn guarded<T: Returned>(fixture: &Fixture, returned: T) -> (Result<T, Failure>, Option<Disposition>) {
    let guard = Guard::new(StoreLetterBox::new(fixture.store()), dead(), Policy::builder().build().unwrap());
    let task = Task::new("sweep", Content::of_payload("x"));
    let Guarded { result, disposition } = guard.run(task, || async { Ok(returned) }).await;
    (result, disposition)
}

#[test]
fn every_shape_of_a_returned_failure_becomes_a_letter() {
    with_fixture(async |fixture| {
        let shapes = [
            (json!({"status": "failed"}), Category::Permanent),
            (json!({"status": "error", "error": "HTTP 503 Service Unavailable"}), Category::Transient),
            (json!({"status": "cancelled"}), Category::Permanent),
            (json!({"status": "timeout"}), Category::Network),
            (json!({"status": "FAILED", "message": "permission denied"}), Category::Permission),
            (json!({"success": false, "error": "quota exceeded"}), Category::Resource),
            (json!({"success": false}), Category::Permanent),
            (json!({"errors": ["invalid input", "and more"]}), Category::Validation),
            (json!({"errors": [{"message": "connection reset by peer"}]}), Category::Network),
            (json!({"errors": {"a": "access denied"}}), Category::Permission),
            (json!({"errors": "disk full"}), Category::Resource),
            (json!({"errors": 2}), Category::Permanent),
            (json!({"errors": true}), Category::Permanent),
            (json!({"status_code": 400}), Category::Validation),
            (json!({"status_code": 599}), Category::Network),
            (json!({"http_status": 404, "body": "…"}), Category::Permanent),
            (json!({"http": 401}), Category::Permission),
            (json!({"status": "completed", "status_code": 503}), Category::Transient),
            (json!({"grpc_code": 14}), Category::Transient),
            (json!({"grpc_status": 8}), Category::Resource),
            (json!({"grpc": 16}), Category::Permission),
            (json!({"success": false, "error_type": "TimeoutError"}), Category::Network),
        ];
        for (number, (shape, category)) in shapes.into_iter().enumerate() {
            let (result, disposition) = guarded(&fixture, shape.clone()).await;
            assert_eq!(result, Ok(shape.clone()), "the caller gets the value back unchanged");
            let disposition = disposition.unwrap_or_else(|| panic!("{shape} is a failure"));
            assert_eq!(disposition.error_category, category, "{shape} by {}", disposition.matched_rule);
            assert!(disposition.dlq_enqueued && disposition.status == "failed");
            assert_eq!(fixture.dead_letters().await.len(), number + 1);
        }
    });
}

#[test]
fn a_returned_value_without_a_failure_makes_no_letter() {
    with_fixture(async |fixture| {
        let shapes = [
            Value::Null,
            json!({}),
            json!([]),
            json!("failed"),
            json!(500),
            json!({"status": "completed"}),
            json!({"status": "ok", "error": "none to speak of"}),
            json!({"success": true}),
            json!({"errors": []}),
            json!({"errors": {}}),
            json!({"errors": null}),
            json!({"errors": ""}),
            json!({"errors": false}),
            json!({"status_code": 200}),
            json!({"status_code": 302}),
            json!({"status_code": 399}),
            json!({"grpc_code": 0}),
            json!({"failed": ["x"]}),
        ];
        for shape in shapes {
            let (result, disposition) = guarded(&fixture, shape.clone()).await;
            assert_eq!((result, disposition), (Ok(shape.clone()), None), "{shape}");
        }
        assert!(guarded(&fixture, Handled::DONE).await.1.is_none());
        assert!(guarded(&fixture, ()).await.1.is_none());
        assert!(guarded(&fixture, Some("text".to_owned())).await.1.is_none());
        assert!(guarded(&fixture, None::<Value>).await.1.is_none());
        assert!(fixture.dead_letters().await.is_empty());
    });
}

/// A result with an error count of zero is a success.
#[test]
fn an_error_count_of_zero_is_no_failure() {
    with_fixture(async |fixture| {
        assert_eq!(guarded(&fixture, json!({"status": "completed", "errors": 0})).await.1, None);
    });
}

/// HTTP clients put the numeric status code into `status`.
#[test]
fn a_numeric_status_is_read_as_an_http_status_code() {
    with_fixture(async |fixture| {
        let disposition = guarded(&fixture, json!({"status": 503})).await.1.expect("a failure");
        assert_eq!(disposition.matched_rule, "http:503");
        assert_eq!(guarded(&fixture, json!({"status": 204})).await.1, None);
    });
}

#[test]
fn an_unknown_http_status_code_is_a_failure() {
    with_fixture(async |fixture| {
        assert!(guarded(&fixture, json!({"status_code": 600})).await.1.is_some());
    });
}

#[test]
fn a_returned_handled_or_option_is_inspected_for_a_failure() {
    with_fixture(async |fixture| {
        let (result, disposition) = guarded(&fixture, Handled::failed(Failure::new("HTTP 404 Not Found"))).await;
        assert!(matches!(result, Ok(Handled::Failed(_))));
        assert_eq!(disposition.unwrap().error_category, Category::Permanent);
        assert_eq!(guarded(&fixture, Some(json!({"success": false}))).await.1.unwrap().status, "failed");
    });
}

#[test]
fn a_partial_failure_becomes_a_letter_for_the_failed_parts() {
    with_fixture(async |fixture| {
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), dead(), Policy::builder().build().unwrap());
        let shapes = [
            json!({"status": "partial", "failed": ["b", "c"], "error": "HTTP 503"}),
            json!({"status": "partial", "failed_repos": [{"repo": "b", "error": "x"}, {"part": "c"}], "error": "HTTP 503"}),
            json!({"status": "partial", "failed": {"b": "no", "c": "no"}, "error": "HTTP 503"}),
        ];
        for (number, shape) in shapes.into_iter().enumerate() {
            let task = Task::new("sweep", Content::of_payload("x")).with_parts(["a", "b", "c"]);
            let Guarded { disposition, .. } = guard.run(task, || async { Ok::<_, Failure>(shape) }).await;
            assert!(disposition.unwrap().dlq_enqueued);
            let letters = fixture.dead_letters().await;
            let letter = fixture.record(letters[number].info.letter.as_ref().unwrap().id).await;
            assert_eq!(letter.context.unwrap().parts, ["b", "c"]);
            assert_eq!(letter.attempts[0].outcome, redrive_core::Outcome::Partial);
            assert_eq!(letter.attempts[0].failed_parts, ["b", "c"]);
        }
    });
}

/// If all parts failed, the outcome is a failure and not a partial one.
#[test]
fn failed_parts_that_the_task_does_not_have_are_ignored() {
    with_fixture(async |fixture| {
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), dead(), Policy::builder().build().unwrap());
        let result = json!({"status": "partial", "failed": ["b", "a", "what"], "error": "HTTP 503"});
        let task = Task::new("sweep", Content::of_payload("x")).with_parts(["a", "b"]);
        guard.run(task, || async { Ok::<_, Failure>(result) }).await;
        let letter = fixture.only_letter().await;
        let mut parts = letter.context.unwrap().parts;
        parts.sort();
        assert_eq!(parts, ["a", "b"]);
        assert_eq!(letter.attempts[0].outcome, redrive_core::Outcome::Failure);
    });
}
