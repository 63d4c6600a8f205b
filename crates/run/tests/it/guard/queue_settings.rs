//! A guard applies the current settings of its dead queue.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, Category, Classifier, PersistOutcome, Policy, Priority, RetryPolicy, RuleSpec, Strategy,
};
use redrive_model::{LetterOverrides, LetterTemplate, Templates, UpdateQueue};
use redrive_run::{Guard, StoreLetterBox};

use super::fixture::{create_queue, failure_of, raise, task};
use crate::fixture::with_fixture;

#[test]
fn the_settings_of_the_dead_queue_apply_to_captures() {
    with_fixture(async |fixture| {
        let policy = || Policy::builder().build().unwrap();
        let selective = create_queue(&fixture, "selective", |it| {
            it.letters.strategy = Some(Strategy::Selective);
            it.letters.max_retries = Some(7);
            it.letters.default_policy = Some(RetryPolicy::Linear);
        });
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), selective.await, policy());
        let captured = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!((captured.dlq_reason, captured.max_retries), (CaptureReason::Enqueued, 7));
        assert_eq!(
            captured.retry_policy,
            RetryPolicy::Exponential,
            "the policy of an automatic capture is derived from its category"
        );
        let skipped = raise(&guard, task("b"), failure_of(Category::Permission)).await;
        assert_eq!((skipped.dlq_reason, skipped.persist_outcome), (CaptureReason::SkippedByStrategy, None));
        let explicit = guard.capture(task("b"), failure_of(Category::Permission)).await;
        assert_eq!((explicit.dlq_reason, explicit.retry_policy), (CaptureReason::Enqueued, RetryPolicy::Linear));

        let disabled = create_queue(&fixture, "disabled", |it| it.letters.strategy = Some(Strategy::Disabled)).await;
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), disabled, policy());
        let rejected = guard.capture(task("a"), failure_of(Category::Transient)).await;
        assert_eq!(rejected.dlq_reason, CaptureReason::Disabled);
        assert_eq!(rejected.persist_outcome, Some(PersistOutcome::Rejected));
    });
}

/// A guard may run in another program than the server.
#[test]
fn changed_templates_of_the_dead_queue_apply_to_the_next_capture() {
    with_fixture(async |fixture| {
        let queue = create_queue(&fixture, "templates", |_| {}).await;
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), queue.clone(), Policy::builder().build().unwrap());
        let before = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!((before.retry_policy, before.max_retries), (RetryPolicy::Exponential, 3));

        let template = LetterTemplate {
            name: "all".to_owned(),
            when: Some("true".to_owned()),
            policy: Some(RetryPolicy::Linear),
            max_retries: Some(9),
            ..LetterTemplate::default()
        };
        let templates = Templates::default().with(template, None).unwrap();
        let letters = Some(LetterOverrides { templates, ..LetterOverrides::default() });
        fixture.store().update_queue(UpdateQueue { letters, ..UpdateQueue::of(queue) }).await.unwrap();
        let after = raise(&guard, task("b"), failure_of(Category::Transient)).await;
        assert_eq!((after.dlq_reason, after.retry_policy), (CaptureReason::Enqueued, RetryPolicy::Linear));
        assert_eq!(after.max_retries, 9);
    });
}

/// A guard that skipped failures under old settings must not cache that decision.
#[test]
fn a_failure_after_the_dead_queue_was_enabled_is_captured() {
    with_fixture(async |fixture| {
        let queue = create_queue(&fixture, "switched", |it| it.letters.strategy = Some(Strategy::Disabled)).await;
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), queue.clone(), Policy::builder().build().unwrap());
        for number in 0..3 {
            let skipped = raise(&guard, task(&format!("off-{number}")), failure_of(Category::Transient)).await;
            assert_eq!(skipped.dlq_reason, CaptureReason::Disabled);
        }
        let letters = Some(LetterOverrides { strategy: Some(Strategy::Automatic), ..LetterOverrides::default() });
        fixture.store().update_queue(UpdateQueue { letters, ..UpdateQueue::of(queue) }).await.unwrap();
        let captured = raise(&guard, task("on"), failure_of(Category::Transient)).await;
        assert_eq!((captured.dlq_reason, captured.dlq_enqueued), (CaptureReason::Enqueued, true));
    });
}

#[test]
fn templates_and_rules_read_the_metadata_of_a_task_and_its_priority_applies() {
    with_fixture(async |fixture| {
        let queue = create_queue(&fixture, "metadata", |it| {
            let template = LetterTemplate {
                name: "vip".to_owned(),
                when: Some("metadata.customer.level > 2".to_owned()),
                max_retries: Some(9),
                ..LetterTemplate::default()
            };
            it.letters.templates = Templates::default().with(template, None).unwrap();
        })
        .await;
        let rule = RuleSpec {
            name: "acme".to_owned(),
            when: Some("'acme' in metadata.tenants".to_owned()),
            policy: Some("linear".to_owned()),
            ..RuleSpec::default()
        };
        let classifier = Arc::new(Classifier::with_rules(&[rule]).unwrap());
        let policy = Policy::builder().classifier(classifier).build().unwrap();
        let guard = Guard::new(StoreLetterBox::new(fixture.store()), queue.clone(), policy);
        let mut task = task("a");
        task.metadata.insert("customer".to_owned(), serde_json::json!({ "level": 3 }));
        task.metadata.insert("tenants".to_owned(), serde_json::json!(["acme"]));
        task.metadata.insert("priority".to_owned(), "High".into());
        let disposition = raise(&guard, task, failure_of(Category::Transient)).await;
        assert_eq!((disposition.retry_policy, disposition.max_retries), (RetryPolicy::Linear, 9));
        let list = redrive_model::ListLetters { queue, statuses: Vec::new(), after: None, limit: 9 };
        let letters = fixture.store().letters(list).await.unwrap();
        assert_eq!(letters.iter().map(|letter| letter.info.priority).collect::<Vec<_>>(), [Priority::High]);
    });
}
