//! Which failures a guard captures, with which policy, and how it counts them.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, Category, Classifier, ErrorMatcher, Failure, PersistOutcome, Policy, RetryPolicy, RuleSpec, Status,
    Strategy,
};
use redrive_run::GuardStats;
use redrive_store::StoreError;

use super::fixture::{failure_of, guard, guard_with, raise, task};
use crate::fixture::{Fault, Fixture, run, with_fixture};

#[test]
fn a_strategy_captures_only_its_categories() {
    run(async {
        use Category::{Network, Resource, Transient};
        for strategy in [Strategy::Automatic, Strategy::Selective, Strategy::Manual, Strategy::Disabled] {
            let fixture = Fixture::new().await;
            let guard = guard(&fixture, strategy);
            for category in Category::ALL.iter().copied() {
                let disposition = raise(&guard, task(category.as_str()), failure_of(category)).await;
                assert_eq!(disposition.error_category, category);
                let expected = match strategy {
                    Strategy::Automatic => CaptureReason::Enqueued,
                    Strategy::Selective if [Transient, Network, Resource].contains(&category) => {
                        CaptureReason::Enqueued
                    }
                    Strategy::Selective | Strategy::Manual => CaptureReason::SkippedByStrategy,
                    Strategy::Disabled => CaptureReason::Disabled,
                };
                assert_eq!(disposition.dlq_reason, expected, "{strategy} {category}");
                let is_captured = expected == CaptureReason::Enqueued;
                assert_eq!(disposition.dlq_enqueued, is_captured);
                assert_eq!(disposition.dlq_task_id.is_some(), is_captured);
                assert_eq!(disposition.persist_outcome, is_captured.then_some(PersistOutcome::InMemory));
                assert_eq!(disposition.retry_policy, category.derived_policy());
            }
            let captured = match strategy {
                Strategy::Automatic => 6,
                Strategy::Selective => 3,
                Strategy::Manual | Strategy::Disabled => 0,
            };
            assert_eq!(fixture.dead_letters().await.len(), captured, "{strategy}");
        }
    });
}

#[test]
fn an_explicit_capture_is_stored_unless_the_strategy_is_disabled() {
    run(async {
        for strategy in [Strategy::Automatic, Strategy::Selective, Strategy::Manual, Strategy::Disabled] {
            let fixture = Fixture::new().await;
            let guard = guard(&fixture, strategy);
            let disposition = guard.capture(task("a"), failure_of(Category::Permanent)).await;
            if strategy == Strategy::Disabled {
                assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::Disabled, false));
                assert!(fixture.dead_letters().await.is_empty());
                continue;
            }
            assert_eq!(disposition.dlq_reason, CaptureReason::Enqueued, "{strategy}");
            assert_eq!(fixture.only_letter().await.context.unwrap().metadata["enqueued_by"], "manual");
            assert_eq!((guard.stats().manually_enqueued, guard.stats().auto_enqueued), (1, 0));
            assert_eq!((guard.stats().workflows_executed, guard.stats().workflows_failed), (0, 0));
        }
    });
}

#[test]
fn the_callers_policy_precedes_a_rule_and_a_rule_precedes_the_category() {
    with_fixture(async |fixture| {
        let rule = RuleSpec {
            name: "nightly".to_owned(),
            regex: Some("nightly".to_owned()),
            policy: Some("linear".to_owned()),
            max_retries: Some("7".to_owned()),
            ..RuleSpec::default()
        };
        let classifier = Arc::new(Classifier::with_rules(&[rule]).unwrap());
        let guard = guard_with(&fixture, Policy::builder().classifier(classifier).build().unwrap());
        let by_category = raise(&guard, task("a"), failure_of(Category::Network)).await;
        assert_eq!((by_category.retry_policy, by_category.max_retries), (RetryPolicy::Exponential, 3));
        let by_rule = raise(&guard, task("b"), Failure::new("nightly job failed")).await;
        assert_eq!((by_rule.retry_policy, by_rule.max_retries), (RetryPolicy::Linear, 7));
        assert_eq!(by_rule.matched_rule, "user:nightly");
        let mut own = task("c");
        (own.policy, own.max_retries) = (Some(RetryPolicy::Immediate), Some(0));
        let by_caller = raise(&guard, own, Failure::new("nightly job failed")).await;
        assert_eq!((by_caller.retry_policy, by_caller.max_retries), (RetryPolicy::Immediate, 0));
        let exhausted = fixture.dead_letters().await.into_iter().find(|it| it.info.source_id.as_deref() == Some("c"));
        assert_eq!(
            exhausted.unwrap().info.letter.unwrap().status,
            Status::Exhausted,
            "a letter without retries is exhausted immediately"
        );
    });
}

#[test]
fn an_excluded_error_is_skipped_by_policy() {
    with_fixture(async |fixture| {
        let exclude = ["category:network".parse::<ErrorMatcher>().unwrap()];
        let guard = guard_with(&fixture, Policy::builder().exclude(exclude).build().unwrap());
        let disposition = raise(&guard, task("a"), failure_of(Category::Network)).await;
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::SkippedByPolicy, false));
        assert!(raise(&guard, task("b"), failure_of(Category::Transient)).await.dlq_enqueued);
    });
}

#[test]
fn each_statistic_counts_only_its_own_events() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Selective);
        let mut expected = GuardStats {
            strategy: Strategy::Selective,
            workflows_executed: 0,
            workflows_failed: 0,
            auto_enqueued: 0,
            manually_enqueued: 0,
            skipped_permanent: 0,
            skipped_permission: 0,
            skipped_validation: 0,
            skipped_by_strategy: 0,
            enqueue_rate: 0.0,
        };
        assert_eq!(guard.stats(), expected);
        guard.run(task("ok"), || async { Ok::<_, Failure>(()) }).await;
        expected.workflows_executed = 1;
        assert_eq!(guard.stats(), expected);

        raise(&guard, task("a"), failure_of(Category::Transient)).await;
        raise(&guard, task("a"), failure_of(Category::Network)).await;
        (expected.workflows_executed, expected.workflows_failed, expected.auto_enqueued) = (3, 2, 2);
        expected.enqueue_rate = 100.0;
        assert_eq!(guard.stats(), expected);

        raise(&guard, task("b"), failure_of(Category::Permanent)).await;
        (expected.workflows_executed, expected.workflows_failed) = (4, 3);
        (expected.skipped_permanent, expected.skipped_by_strategy, expected.enqueue_rate) = (1, 1, 66.67);
        assert_eq!(guard.stats(), expected);

        raise(&guard, task("b"), failure_of(Category::Permission)).await;
        raise(&guard, task("b"), failure_of(Category::Validation)).await;
        raise(&guard, task("b"), failure_of(Category::Validation)).await;
        (expected.workflows_executed, expected.workflows_failed) = (7, 6);
        (expected.skipped_permission, expected.skipped_validation, expected.skipped_by_strategy) = (1, 2, 4);
        expected.enqueue_rate = 33.33;
        assert_eq!(guard.stats(), expected);

        guard.capture(task("c"), failure_of(Category::Permanent)).await;
        expected.manually_enqueued = 1;
        assert_eq!(guard.stats(), expected);

        // A capture that the store did not accept counts neither as a letter nor as skipped.
        fixture.store.inject(|_| Fault::Fail(StoreError::Overloaded));
        raise(&guard, task("d"), failure_of(Category::Transient)).await;
        guard.capture(task("d"), failure_of(Category::Transient)).await;
        (expected.workflows_executed, expected.workflows_failed, expected.enqueue_rate) = (8, 7, 28.57);
        assert_eq!(guard.stats(), expected);
    });
}
