//! What becomes of a failure: kept, merged, skipped, refused. The caller's own result in every case.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{
    CaptureReason, Category, Classifier, ErrorMatcher, Evidence, Failure, PersistOutcome, Policy, PolicySource,
    Priority, QueueName, RetryPolicy, RuleSpec, Span, Status, Strategy,
};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    Content, CreateQueue, GetStats, LetterOverrides, LetterTemplate, OnDuplicate, Origin, Templates, UpdateQueue,
};
use redrive_run::{Disposition, Guard, GuardStats, StoreLetterBox, Task};
use redrive_store::{ManualClock, Request, Store, StoreError};

use crate::rig::{Act, START, World, dead, named, queue, run};

pub(super) fn guard(world: &World, strategy: Strategy) -> Guard {
    guard_with(world, Policy::builder().strategy(strategy).build().unwrap())
}

fn guard_with(world: &World, policy: Policy) -> Guard {
    Guard::new(StoreLetterBox::new(world.store()), dead(), policy).with_clock(Arc::new(world.clock.clone()))
}

pub(super) fn task(id: &str) -> Task {
    Task::new("sweep", Content::of_payload(id.to_owned())).with_id(id)
}

async fn raise(guard: &Guard, task: Task, failure: Failure) -> Disposition {
    let guarded = guard.run(task, || async { Err::<(), _>(failure.clone()) }).await;
    assert_eq!(guarded.result.as_ref().unwrap_err(), &failure);
    guarded.disposition.expect("a failure has a disposition")
}

/// One failure of each category.
pub(super) fn of(category: Category) -> Failure {
    Failure::typed(match category {
        Category::Transient => Evidence::http(503),
        Category::Network => Evidence::http(504),
        Category::Resource => Evidence::http(507),
        Category::Permission => Evidence::http(403),
        Category::Validation => Evidence::http(422),
        Category::Permanent => Evidence::http(404),
    })
}

#[test]
fn strategies_keep_the_categories_that_they_name() {
    run(async {
        use Category::{Network, Resource, Transient};
        for strategy in [Strategy::Automatic, Strategy::Selective, Strategy::Manual, Strategy::Disabled] {
            let world = World::new().await;
            let guard = guard(&world, strategy);
            for category in Category::ALL.iter().copied() {
                let disposition = raise(&guard, task(category.as_str()), of(category)).await;
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
                let is_kept = expected == CaptureReason::Enqueued;
                assert_eq!(disposition.dlq_enqueued, is_kept);
                assert_eq!(disposition.dlq_task_id.is_some(), is_kept);
                assert_eq!(disposition.persist_outcome, is_kept.then_some(PersistOutcome::InMemory));
                assert_eq!(disposition.retry_policy, category.derived_policy());
            }
            let kept = match strategy {
                Strategy::Automatic => 6,
                Strategy::Selective => 3,
                Strategy::Manual | Strategy::Disabled => 0,
            };
            assert_eq!(world.dead_letters().await.len(), kept, "{strategy}");
        }
    });
}

#[test]
fn what_is_handed_over_explicitly_is_kept_unless_all_is_disabled() {
    run(async {
        for strategy in [Strategy::Automatic, Strategy::Selective, Strategy::Manual, Strategy::Disabled] {
            let world = World::new().await;
            let guard = guard(&world, strategy);
            let disposition = guard.capture(task("a"), of(Category::Permanent)).await;
            if strategy == Strategy::Disabled {
                assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::Disabled, false));
                assert!(world.dead_letters().await.is_empty());
                continue;
            }
            assert_eq!(disposition.dlq_reason, CaptureReason::Enqueued, "{strategy}");
            assert_eq!(world.the_letter().await.context.unwrap().metadata["enqueued_by"], "manual");
            assert_eq!((guard.stats().manually_enqueued, guard.stats().auto_enqueued), (1, 0));
            assert_eq!((guard.stats().workflows_executed, guard.stats().workflows_failed), (0, 0));
        }
    });
}

#[test]
fn a_letter_says_all_that_its_task_said() {
    run(async {
        let world = World::new().await;
        let mut task = task("sweep-17").with_parts(["a", "b"]);
        task.metadata.insert("team".to_owned(), "blue".to_owned());
        task.destination = Some("git".to_owned());
        task.priority = Priority::High;
        task.submitted_by = Some("ann".to_owned());
        task.reply_to = Some("inbox".to_owned());
        task.trace_id = Some("t1".to_owned());
        task.request_id = Some("r1".to_owned());
        let guard = guard(&world, Strategy::Automatic);
        let failure = Failure::of_kind("TimeoutError".parse().unwrap(), "");
        let guarded = guard
            .run(task, || async {
                world.advance(Span::from_secs(3));
                Err::<(), _>(failure)
            })
            .await;
        let disposition = guarded.disposition.unwrap();
        assert_eq!(disposition.workflow_id, "sweep-17");
        assert_eq!(disposition.dlq_task_id.as_deref(), Some("sweep-17"));
        assert_eq!(disposition.error_type.as_deref(), Some("TimeoutError"));
        assert_eq!((disposition.retry_policy, disposition.max_retries), (RetryPolicy::Exponential, 3));
        assert_eq!(disposition.matched_rule, "name:timeout*");

        let letter = world.the_letter().await;
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
        let origin = Origin { transport: "guard".to_owned(), name: "sweep".to_owned(), ..Origin::default() };
        assert_eq!((context.origin, context.parts), (origin, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(context.submitted_by.as_deref(), Some("ann"));
        assert_eq!((context.reply_to.as_deref(), context.trace_id.as_deref()), (Some("inbox"), Some("t1")));
        assert_eq!(context.request_id.as_deref(), Some("r1"));
        let metadata: Vec<_> = context.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
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
fn work_without_an_id_gets_one_of_its_own_each_time() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        let mut ids = std::collections::BTreeSet::new();
        for _ in 0..100 {
            let disposition = raise(&guard, Task::new("sweep", Content::of_payload("x")), of(Category::Network)).await;
            let id = disposition.workflow_id;
            let hex = id.strip_prefix("wf_").and_then(|rest| rest.strip_suffix("_sweep")).expect("wf_<8 hex>_<type>");
            assert!(hex.len() == 8 && hex.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
            ids.insert(id);
        }
        assert_eq!((ids.len(), world.dead_letters().await.len()), (100, 100));
    });
}

#[test]
fn the_callers_policy_goes_before_a_rule_and_a_rule_before_the_category() {
    run(async {
        let world = World::new().await;
        let rule = RuleSpec {
            name: "nightly".to_owned(),
            regex: Some("nightly".to_owned()),
            policy: Some("linear".to_owned()),
            max_retries: Some("7".to_owned()),
            ..RuleSpec::default()
        };
        let classifier = Arc::new(Classifier::with_rules(&[rule]).unwrap());
        let guard = guard_with(&world, Policy::builder().classifier(classifier).build().unwrap());
        let by_category = raise(&guard, task("a"), of(Category::Network)).await;
        assert_eq!((by_category.retry_policy, by_category.max_retries), (RetryPolicy::Exponential, 3));
        let by_rule = raise(&guard, task("b"), Failure::new("nightly job failed")).await;
        assert_eq!((by_rule.retry_policy, by_rule.max_retries), (RetryPolicy::Linear, 7));
        assert_eq!(by_rule.matched_rule, "user:nightly");
        let mut own = task("c");
        (own.policy, own.max_retries) = (Some(RetryPolicy::Immediate), Some(0));
        let by_caller = raise(&guard, own, Failure::new("nightly job failed")).await;
        assert_eq!((by_caller.retry_policy, by_caller.max_retries), (RetryPolicy::Immediate, 0));
        let exhausted = world.dead_letters().await.into_iter().find(|it| it.info.source_id.as_deref() == Some("c"));
        assert_eq!(exhausted.unwrap().info.letter.unwrap().status, Status::Exhausted, "no retries: spent at once");
    });
}

#[test]
fn an_excluded_error_is_skipped_by_policy() {
    run(async {
        let world = World::new().await;
        let exclude = ["category:network".parse::<ErrorMatcher>().unwrap()];
        let guard = guard_with(&world, Policy::builder().exclude(exclude).build().unwrap());
        let disposition = raise(&guard, task("a"), of(Category::Network)).await;
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::SkippedByPolicy, false));
        assert!(raise(&guard, task("b"), of(Category::Transient)).await.dlq_enqueued);
    });
}

#[test]
fn a_second_failure_of_the_same_work_goes_to_its_letter() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        let first = raise(&guard, task("a"), of(Category::Transient)).await;
        world.advance(Span::from_secs(10));
        let second = raise(&guard, task("a"), of(Category::Resource)).await;
        assert_eq!((first.dlq_reason, second.dlq_reason), (CaptureReason::Enqueued, CaptureReason::Merged));
        assert!(second.dlq_enqueued && second.dlq_task_id.as_deref() == Some("a"));
        let letter = world.the_letter().await;
        let about = letter.info.letter.unwrap();
        assert_eq!((about.category, about.retries, letter.attempts.len()), (Category::Resource, 0, 2));
        assert_eq!((about.first_failed_at, about.last_failed_at), (START, START.saturating_add(Span::from_secs(10))));
    });
}

#[test]
fn the_same_name_for_other_work_overwrites_nothing() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        raise(&guard, task("a"), of(Category::Transient)).await;
        let other = Task::new("sweep", Content::of_payload("other")).with_id("a");
        let disposition = raise(&guard, other, of(Category::Transient)).await;
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::Duplicate, false));
        assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Rejected));
        assert_eq!(world.the_letter().await.content.payload, "a");
    });
}

/// A dead queue with settings of its own.
async fn with_queue(world: &World, name: &str, change: impl FnOnce(&mut redrive_model::QueueSettings)) -> QueueName {
    let mut settings = queue(name);
    change(&mut settings);
    world.store.local.create_queue(CreateQueue { settings }).await.unwrap();
    named(name)
}

#[test]
fn reasons_of_the_store_are_told_by_their_names() {
    run(async {
        let world = World::new().await;
        let policy = || Policy::builder().build().unwrap();
        let small = with_queue(&world, "small", |it| it.letters.max_size = Some(1)).await;
        let strict = with_queue(&world, "strict", |it| it.letters.on_duplicate = Some(OnDuplicate::Reject)).await;

        let guard = Guard::new(StoreLetterBox::new(world.store()), small, policy());
        raise(&guard, task("a"), of(Category::Transient)).await;
        let full = raise(&guard, task("b"), of(Category::Transient)).await;
        assert_eq!((full.dlq_reason, full.persist_outcome), (CaptureReason::QueueFull, Some(PersistOutcome::Rejected)));

        let guard = Guard::new(StoreLetterBox::new(world.store()), strict, policy());
        raise(&guard, task("a"), of(Category::Transient)).await;
        let twice = raise(&guard, task("a"), of(Category::Transient)).await;
        assert_eq!(twice.dlq_reason, CaptureReason::Duplicate);

        let mut endless = task("endless");
        endless.max_retries = Some(101);
        let refused = raise(&guard, endless, of(Category::Transient)).await;
        assert_eq!(refused.dlq_reason, CaptureReason::Invalid);
        let nameless = raise(&guard, task(&"x".repeat(600)), of(Category::Transient)).await;
        assert_eq!(nameless.dlq_reason, CaptureReason::Invalid);

        let guard = Guard::new(StoreLetterBox::new(world.store()), named("nowhere"), policy());
        let nowhere = raise(&guard, task("a"), of(Category::Transient)).await;
        assert_eq!((nowhere.dlq_reason, nowhere.dlq_enqueued), (CaptureReason::PersistFailed, false));
    });
}

#[test]
fn a_guard_goes_by_what_its_dead_queue_says() {
    run(async {
        let world = World::new().await;
        let policy = || Policy::builder().build().unwrap();
        let selective = with_queue(&world, "selective", |it| {
            it.letters.strategy = Some(Strategy::Selective);
            it.letters.max_retries = Some(7);
            it.letters.default_policy = Some(RetryPolicy::Linear);
        });
        let guard = Guard::new(StoreLetterBox::new(world.store()), selective.await, policy());
        let kept = raise(&guard, task("a"), of(Category::Transient)).await;
        assert_eq!((kept.dlq_reason, kept.max_retries), (CaptureReason::Enqueued, 7));
        assert_eq!(kept.retry_policy, RetryPolicy::Exponential, "what was caught goes by its category");
        let skipped = raise(&guard, task("b"), of(Category::Permission)).await;
        assert_eq!((skipped.dlq_reason, skipped.persist_outcome), (CaptureReason::SkippedByStrategy, None));
        let by_hand = guard.capture(task("b"), of(Category::Permission)).await;
        assert_eq!((by_hand.dlq_reason, by_hand.retry_policy), (CaptureReason::Enqueued, RetryPolicy::Linear));

        let disabled = with_queue(&world, "disabled", |it| it.letters.strategy = Some(Strategy::Disabled)).await;
        let guard = Guard::new(StoreLetterBox::new(world.store()), disabled, policy());
        let refused = guard.capture(task("a"), of(Category::Transient)).await;
        assert_eq!(refused.dlq_reason, CaptureReason::Disabled);
        assert_eq!(refused.persist_outcome, Some(PersistOutcome::Rejected));
    });
}

/// A guard in another program than the server sees the templates of its dead queue, and every change of its settings.
#[test]
fn a_guard_sees_the_templates_of_its_dead_queue_and_their_changes() {
    run(async {
        let world = World::new().await;
        let queue = with_queue(&world, "templates", |_| {}).await;
        let guard = Guard::new(StoreLetterBox::new(world.store()), queue.clone(), Policy::builder().build().unwrap());
        let before = raise(&guard, task("a"), of(Category::Transient)).await;
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
        world.store().update_queue(UpdateQueue { letters, ..UpdateQueue::of(queue) }).await.unwrap();
        let after = raise(&guard, task("b"), of(Category::Transient)).await;
        assert_eq!((after.dlq_reason, after.retry_policy), (CaptureReason::Enqueued, RetryPolicy::Linear));
        assert_eq!(after.max_retries, 9);
    });
}

/// What a guard skipped under old settings says nothing about later failures.
#[test]
fn a_dead_queue_that_is_switched_on_gets_the_next_failure() {
    run(async {
        let world = World::new().await;
        let queue = with_queue(&world, "switched", |it| it.letters.strategy = Some(Strategy::Disabled)).await;
        let guard = Guard::new(StoreLetterBox::new(world.store()), queue.clone(), Policy::builder().build().unwrap());
        for number in 0..3 {
            let skipped = raise(&guard, task(&format!("off-{number}")), of(Category::Transient)).await;
            assert_eq!(skipped.dlq_reason, CaptureReason::Disabled);
        }
        let letters = Some(LetterOverrides { strategy: Some(Strategy::Automatic), ..LetterOverrides::default() });
        world.store().update_queue(UpdateQueue { letters, ..UpdateQueue::of(queue) }).await.unwrap();
        let kept = raise(&guard, task("on"), of(Category::Transient)).await;
        assert_eq!((kept.dlq_reason, kept.dlq_enqueued), (CaptureReason::Enqueued, true));
    });
}

#[test]
fn a_store_that_is_down_never_replaces_the_callers_own_error() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        for error in [
            StoreError::Overloaded,
            StoreError::Full,
            StoreError::Poisoned,
            StoreError::Closed,
            StoreError::WrongAnswer,
            StoreError::TimedOut,
        ] {
            let refused = error.clone();
            world.store.rule(move |_| Act::Refuse(refused.clone()));
            let disposition = raise(&guard, task("a"), of(Category::Transient)).await;
            assert_eq!(disposition.dlq_reason, CaptureReason::PersistFailed, "{error}");
            assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Rejected));
            assert!(!disposition.dlq_enqueued && disposition.dlq_task_id.is_none());
        }
        // A panic goes on, too.
        let run = guard.run::<(), Failure, _>(task("b"), || async { panic!("mind the gap") });
        assert!(AssertUnwindSafe(run).catch_unwind().await.is_err());
        world.store.open();
        assert_eq!(guard.stats().auto_enqueued, 0);
        assert!(raise(&guard, task("a"), of(Category::Transient)).await.dlq_enqueued);
    });
}

/// The answer was lost: the next failure of the same work finds the letter.
#[test]
fn a_capture_whose_answer_was_lost_is_one_letter() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        world.store.rule(|request| match request {
            Request::Capture(_) => Act::Lose(StoreError::Overloaded),
            _ => Act::Pass,
        });
        let lost = raise(&guard, task("a"), of(Category::Transient)).await;
        assert_eq!(lost.dlq_reason, CaptureReason::PersistFailed);
        world.store.open();
        let again = raise(&guard, task("a"), of(Category::Transient)).await;
        assert_eq!(again.dlq_reason, CaptureReason::Merged);
        assert_eq!(world.dead_letters().await.len(), 1);
    });
}

#[test]
fn a_letter_in_a_journal_is_persisted() {
    run(async {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guard-{}", std::process::id()));
        let clock = ManualClock::new(START);
        let options =
            EmbeddedOptions { clock: Arc::new(clock.clone()), segment_bytes: 1 << 20, ..EmbeddedOptions::default() };
        let world = World::over(EmbeddedStore::open(&directory, &options).unwrap(), clock.clone(), |_| {}).await;
        let disposition = raise(&guard(&world, Strategy::Automatic), task("a"), of(Category::Transient)).await;
        assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Persisted));
        world.store.local.close().await.unwrap();
        let again = EmbeddedStore::open(&directory, &options).unwrap();
        assert_eq!(again.stats(GetStats { queue: dead() }).await.unwrap().letters.live(), 1);
        again.close().await.unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
    });
}

#[test]
fn every_counter_moves_by_what_it_counts_and_by_nothing_else() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Selective);
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

        raise(&guard, task("a"), of(Category::Transient)).await;
        raise(&guard, task("a"), of(Category::Network)).await;
        (expected.workflows_executed, expected.workflows_failed, expected.auto_enqueued) = (3, 2, 2);
        expected.enqueue_rate = 100.0;
        assert_eq!(guard.stats(), expected);

        raise(&guard, task("b"), of(Category::Permanent)).await;
        (expected.workflows_executed, expected.workflows_failed) = (4, 3);
        (expected.skipped_permanent, expected.skipped_by_strategy, expected.enqueue_rate) = (1, 1, 66.67);
        assert_eq!(guard.stats(), expected);

        raise(&guard, task("b"), of(Category::Permission)).await;
        raise(&guard, task("b"), of(Category::Validation)).await;
        raise(&guard, task("b"), of(Category::Validation)).await;
        (expected.workflows_executed, expected.workflows_failed) = (7, 6);
        (expected.skipped_permission, expected.skipped_validation, expected.skipped_by_strategy) = (1, 2, 4);
        expected.enqueue_rate = 33.33;
        assert_eq!(guard.stats(), expected);

        guard.capture(task("c"), of(Category::Permanent)).await;
        expected.manually_enqueued = 1;
        assert_eq!(guard.stats(), expected);

        // What the store did not take is no letter, and no skip either.
        world.store.rule(|_| Act::Refuse(StoreError::Overloaded));
        raise(&guard, task("d"), of(Category::Transient)).await;
        guard.capture(task("d"), of(Category::Transient)).await;
        (expected.workflows_executed, expected.workflows_failed, expected.enqueue_rate) = (8, 7, 28.57);
        assert_eq!(guard.stats(), expected);
    });
}

#[test]
fn a_disposition_is_written_in_the_words_of_the_reference() {
    run(async {
        let world = World::new().await;
        let disposition = raise(&guard(&world, Strategy::Automatic), task("a"), of(Category::Transient)).await;
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
