//! A returned failure is a failure, whatever its shape; and what is none is none.

use redrive_core::{Category, Failure, Policy};
use redrive_model::Content;
use redrive_run::{Disposition, Guard, Guarded, Handled, Returned, StoreLetterBox, Task};
use serde_json::{Value, json};

use crate::rig::{World, dead, run};

async fn guarded<T: Returned>(world: &World, returned: T) -> (Result<T, Failure>, Option<Disposition>) {
    let guard = Guard::new(StoreLetterBox::new(world.store()), dead(), Policy::builder().build().unwrap());
    let task = Task::new("sweep", Content::of_payload("x"));
    let Guarded { result, disposition } = guard.run(task, || async { Ok(returned) }).await;
    (result, disposition)
}

#[test]
fn every_shape_of_a_returned_failure_becomes_a_letter() {
    run(async {
        let world = World::new().await;
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
            let (result, disposition) = guarded(&world, shape.clone()).await;
            assert_eq!(result, Ok(shape.clone()), "the caller gets what it returned");
            let disposition = disposition.unwrap_or_else(|| panic!("{shape} is a failure"));
            assert_eq!(disposition.error_category, category, "{shape} by {}", disposition.matched_rule);
            assert!(disposition.dlq_enqueued && disposition.status == "failed");
            assert_eq!(world.dead_letters().await.len(), number + 1);
        }
    });
}

#[test]
fn what_tells_of_no_failure_is_none() {
    run(async {
        let world = World::new().await;
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
            let (result, disposition) = guarded(&world, shape.clone()).await;
            assert_eq!((result, disposition), (Ok(shape.clone()), None), "{shape}");
        }
        assert!(guarded(&world, Handled::DONE).await.1.is_none());
        assert!(guarded(&world, ()).await.1.is_none());
        assert!(guarded(&world, Some("text".to_owned())).await.1.is_none());
        assert!(guarded(&world, None::<Value>).await.1.is_none());
        assert!(world.dead_letters().await.is_empty());
    });
}

/// A result that counts its errors and has none is a success.
#[test]
fn a_count_of_no_errors_is_no_failure() {
    run(async {
        let world = World::new().await;
        assert_eq!(guarded(&world, json!({"status": "completed", "errors": 0})).await.1, None);
    });
}

/// `status` is where an HTTP client puts its number.
#[test]
fn a_status_that_is_a_number_of_http_is_read_as_one() {
    run(async {
        let world = World::new().await;
        let disposition = guarded(&world, json!({"status": 503})).await.1.expect("a failure");
        assert_eq!(disposition.matched_rule, "http:503");
        assert_eq!(guarded(&world, json!({"status": 204})).await.1, None);
    });
}

#[test]
fn a_code_of_http_beyond_those_that_are_known_is_a_failure_too() {
    run(async {
        let world = World::new().await;
        assert!(guarded(&world, json!({"status_code": 600})).await.1.is_some());
    });
}

#[test]
fn what_a_handler_would_have_said_is_understood() {
    run(async {
        let world = World::new().await;
        let (result, disposition) = guarded(&world, Handled::failed(Failure::new("HTTP 404 Not Found"))).await;
        assert!(matches!(result, Ok(Handled::Failed(_))));
        assert_eq!(disposition.unwrap().error_category, Category::Permanent);
        assert_eq!(guarded(&world, Some(json!({"success": false}))).await.1.unwrap().status, "failed");
    });
}

#[test]
fn a_result_that_failed_in_part_is_a_letter_for_that_part() {
    run(async {
        let world = World::new().await;
        let guard = Guard::new(StoreLetterBox::new(world.store()), dead(), Policy::builder().build().unwrap());
        let shapes = [
            json!({"status": "partial", "failed": ["b", "c"], "error": "HTTP 503"}),
            json!({"status": "partial", "failed_repos": [{"repo": "b", "error": "x"}, {"part": "c"}], "error": "HTTP 503"}),
            json!({"status": "partial", "failed": {"b": "no", "c": "no"}, "error": "HTTP 503"}),
        ];
        for (number, shape) in shapes.into_iter().enumerate() {
            let task = Task::new("sweep", Content::of_payload("x")).with_parts(["a", "b", "c"]);
            let Guarded { disposition, .. } = guard.run(task, || async { Ok::<_, Failure>(shape) }).await;
            assert!(disposition.unwrap().dlq_enqueued);
            let letters = world.dead_letters().await;
            let letter = world.record(letters[number].info.letter.as_ref().unwrap().id).await;
            assert_eq!(letter.context.unwrap().parts, ["b", "c"]);
            assert_eq!(letter.attempts[0].outcome, redrive_core::Outcome::Partial);
            assert_eq!(letter.attempts[0].failed_parts, ["b", "c"]);
        }
    });
}

/// All failed is a failure, and parts that the task does not have are nobody's.
#[test]
fn parts_are_those_of_the_task() {
    run(async {
        let world = World::new().await;
        let guard = Guard::new(StoreLetterBox::new(world.store()), dead(), Policy::builder().build().unwrap());
        let result = json!({"status": "partial", "failed": ["b", "a", "what"], "error": "HTTP 503"});
        let task = Task::new("sweep", Content::of_payload("x")).with_parts(["a", "b"]);
        guard.run(task, || async { Ok::<_, Failure>(result) }).await;
        let letter = world.the_letter().await;
        let mut parts = letter.context.unwrap().parts;
        parts.sort();
        assert_eq!(parts, ["a", "b"]);
        assert_eq!(letter.attempts[0].outcome, redrive_core::Outcome::Failure);
    });
}
