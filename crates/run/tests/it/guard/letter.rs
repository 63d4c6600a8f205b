//! The letter of a captured failure, and the disposition that describes it to the caller.

use redrive_core::{
    CaptureReason, Category, Failure, PersistOutcome, PolicySource, Priority, RetryPolicy, Span, Status, Strategy,
};
use redrive_model::{Content, Origin};
use redrive_run::Task;

use super::fixture::{failure_of, guard, raise, task};
use crate::fixture::{START, with_fixture};

#[test]
fn a_letter_carries_every_field_of_its_task() {
    with_fixture(async |fixture| {
        let mut task = task("sweep-17").with_parts(["a", "b"]);
        task.metadata.insert("team".to_owned(), "blue".into());
        task.destination = Some("git".to_owned());
        task.priority = Some(Priority::High);
        task.submitted_by = Some("ann".to_owned());
        task.reply_to = Some("inbox".to_owned());
        task.trace_id = Some("t1".to_owned());
        task.request_id = Some("r1".to_owned());
        let guard = guard(&fixture, Strategy::Automatic);
        let failure = Failure::of_kind("TimeoutError".parse().unwrap(), "");
        let guarded = guard
            .run(task, || async {
                fixture.advance(Span::from_secs(3));
                Err::<(), _>(failure)
            })
            .await;
        let disposition = guarded.disposition.unwrap();
        assert_eq!(disposition.workflow_id, "sweep-17");
        assert_eq!(disposition.dlq_task_id.as_deref(), Some("sweep-17"));
        assert_eq!(disposition.error_type.as_deref(), Some("TimeoutError"));
        assert_eq!((disposition.retry_policy, disposition.max_retries), (RetryPolicy::Exponential, 3));
        assert_eq!(disposition.matched_rule, "name:timeout*");

        let letter = fixture.only_letter().await;
        let failed_at = START.saturating_add(Span::from_secs(3));
        let attempt = &letter.attempts[0];
        assert_eq!((attempt.started_at, attempt.ended_at), (Some(START), Some(failed_at)));
        let info = letter.info;
        assert_eq!((info.source_id.as_deref(), info.priority), (Some("sweep-17"), Priority::High));
        let about = info.letter.unwrap();
        assert_eq!((&*about.destination, about.status, about.first_failed_at), ("git", Status::Pending, failed_at));
        assert_eq!((about.policy, about.policy_source), (RetryPolicy::Exponential, PolicySource::Derived));
        assert_eq!(about.next_retry_at, Some(failed_at.saturating_add(Span::from_mins(1))));
        let context = letter.context.unwrap();
        let origin = Origin { transport: "guard".into(), name: "sweep".into(), ..Origin::default() };
        assert_eq!((context.origin, context.parts), (origin, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(context.submitted_by.as_deref(), Some("ann"));
        assert_eq!((context.reply_to.as_deref(), context.trace_id.as_deref()), (Some("inbox"), Some("t1")));
        assert_eq!(context.request_id.as_deref(), Some("r1"));
        let metadata: Vec<_> =
            context.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str().unwrap())).collect();
        let at = failed_at.to_string();
        assert_eq!(
            metadata,
            [
                ("enqueued_at", at.as_str()),
                ("enqueued_by", "automatic"),
                ("original_error_type", "TimeoutError"),
                ("team", "blue")
            ]
        );
    });
}

#[test]
fn a_task_without_an_id_gets_a_new_one_each_time() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        let mut ids = std::collections::BTreeSet::new();
        for _ in 0..100 {
            let disposition =
                raise(&guard, Task::new("sweep", Content::of_payload("x")), failure_of(Category::Network)).await;
            let id = disposition.workflow_id;
            let hex = id.strip_prefix("wf_").and_then(|rest| rest.strip_suffix("_sweep")).expect("wf_<8 hex>_<type>");
            assert!(hex.len() == 8 && hex.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
            ids.insert(id);
        }
        assert_eq!((ids.len(), fixture.dead_letters().await.len()), (100, 100));
    });
}

#[test]
fn a_second_failure_of_the_same_work_is_merged_into_its_letter() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        let first = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        fixture.advance(Span::from_secs(10));
        let second = raise(&guard, task("a"), failure_of(Category::Resource)).await;
        assert_eq!((first.dlq_reason, second.dlq_reason), (CaptureReason::Enqueued, CaptureReason::Merged));
        assert!(second.dlq_enqueued && second.dlq_task_id.as_deref() == Some("a"));
        let letter = fixture.only_letter().await;
        let about = letter.info.letter.unwrap();
        assert_eq!((about.category, about.retries, letter.attempts.len()), (Category::Resource, 0, 2));
        assert_eq!((about.first_failed_at, about.last_failed_at), (START, START.saturating_add(Span::from_secs(10))));
    });
}

#[test]
fn other_work_with_the_same_id_is_rejected_as_a_duplicate() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        raise(&guard, task("a"), failure_of(Category::Transient)).await;
        let other = Task::new("sweep", Content::of_payload("other")).with_id("a");
        let disposition = raise(&guard, other, failure_of(Category::Transient)).await;
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::Duplicate, false));
        assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Rejected));
        assert_eq!(fixture.only_letter().await.content.payload, "a");
    });
}

#[test]
fn a_disposition_has_the_json_fields_of_the_reference() {
    with_fixture(async |fixture| {
        let disposition =
            raise(&guard(&fixture, Strategy::Automatic), task("a"), failure_of(Category::Transient)).await;
        let written = serde_json::to_value(&disposition).unwrap();
        let fields = written.as_object().unwrap();
        let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "dlq_enqueued",
                "dlq_reason",
                "dlq_task_id",
                "error",
                "error_category",
                "error_type",
                "matched_rule",
                "max_retries",
                "persist_outcome",
                "retry_policy",
                "status",
                "workflow_id"
            ]
        );
        assert_eq!((&written["status"], &written["dlq_reason"]), (&"failed".into(), &"enqueued".into()));
        assert_eq!(
            (&written["persist_outcome"], &written["retry_policy"]),
            (&"in_memory".into(), &"exponential".into())
        );
    });
}
