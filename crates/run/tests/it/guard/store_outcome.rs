//! What a guard reports when the store rejects a capture, fails, or makes it durable.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{CaptureReason, Category, Failure, PersistOutcome, Policy, Strategy};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{GetStats, OnDuplicate};
use redrive_run::{Guard, StoreLetterBox};
use redrive_store::{ManualClock, Store, StoreError};
use redrive_testkit::folder;

use super::fixture::{create_queue, failure_of, guard, raise, task};
use crate::fixture::{Fault, Fixture, START, dead, queue_name, run, with_fixture};

#[test]
fn a_rejection_of_the_store_is_reported_with_its_reason() {
    with_fixture(async |fixture| {
        let policy = || Policy::builder().build().unwrap();
        let small = create_queue(&fixture, "small", |it| it.letters.max_size = Some(1)).await;
        let strict = create_queue(&fixture, "strict", |it| it.letters.on_duplicate = Some(OnDuplicate::Reject)).await;

        let guard = Guard::new(StoreLetterBox::new(fixture.store()), small, policy());
        raise(&guard, task("a"), failure_of(Category::Transient)).await;
        let full = raise(&guard, task("b"), failure_of(Category::Transient)).await;
        assert_eq!((full.dlq_reason, full.persist_outcome), (CaptureReason::QueueFull, Some(PersistOutcome::Rejected)));

        let guard = Guard::new(StoreLetterBox::new(fixture.store()), strict, policy());
        raise(&guard, task("a"), failure_of(Category::Transient)).await;
        let duplicate = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!(duplicate.dlq_reason, CaptureReason::Duplicate);

        let mut too_many_retries = task("too many retries");
        too_many_retries.max_retries = Some(101);
        let invalid = raise(&guard, too_many_retries, failure_of(Category::Transient)).await;
        assert_eq!(invalid.dlq_reason, CaptureReason::Invalid);
        let id_too_long = raise(&guard, task(&"x".repeat(600)), failure_of(Category::Transient)).await;
        assert_eq!(id_too_long.dlq_reason, CaptureReason::Invalid);

        let guard = Guard::new(StoreLetterBox::new(fixture.store()), queue_name("nowhere"), policy());
        let no_queue = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!((no_queue.dlq_reason, no_queue.dlq_enqueued), (CaptureReason::PersistFailed, false));
    });
}

#[test]
fn a_store_error_never_replaces_the_callers_error() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        for error in [
            StoreError::Overloaded,
            StoreError::Full,
            StoreError::Poisoned,
            StoreError::Closed,
            StoreError::WrongAnswer,
            StoreError::TimedOut,
        ] {
            let injected = error.clone();
            fixture.store.inject(move |_| Fault::Fail(injected.clone()));
            let disposition = raise(&guard, task("a"), failure_of(Category::Transient)).await;
            assert_eq!(disposition.dlq_reason, CaptureReason::PersistFailed, "{error}");
            assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Rejected));
            assert!(!disposition.dlq_enqueued && disposition.dlq_task_id.is_none());
        }
        // Nor does it replace a panic.
        let run = guard.run::<(), Failure, _>(task("b"), || async { panic!("mind the gap") });
        assert!(AssertUnwindSafe(run).catch_unwind().await.is_err());
        fixture.store.clear_faults();
        assert_eq!(guard.stats().auto_enqueued, 0);
        assert!(raise(&guard, task("a"), failure_of(Category::Transient)).await.dlq_enqueued);
    });
}

#[test]
fn the_next_failure_after_a_lost_reply_is_merged_into_the_letter() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        fixture.store.inject_into("capture", Fault::LoseReply(StoreError::Overloaded));
        let lost = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!(lost.dlq_reason, CaptureReason::PersistFailed);
        fixture.store.clear_faults();
        let merged = raise(&guard, task("a"), failure_of(Category::Transient)).await;
        assert_eq!(merged.dlq_reason, CaptureReason::Merged);
        assert_eq!(fixture.dead_letters().await.len(), 1);
    });
}

#[test]
fn a_capture_in_a_store_on_disk_is_reported_as_persisted() {
    run(async {
        let folder = folder("guard");
        let clock = ManualClock::new(START);
        let options =
            EmbeddedOptions { clock: Arc::new(clock.clone()), segment_bytes: 1 << 20, ..EmbeddedOptions::default() };
        let fixture =
            Fixture::with_store(EmbeddedStore::open(folder.path(), &options).unwrap(), clock.clone(), |_| {}).await;
        let disposition =
            raise(&guard(&fixture, Strategy::Automatic), task("a"), failure_of(Category::Transient)).await;
        assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Persisted));
        fixture.store.local.close().await.unwrap();
        let reopened = EmbeddedStore::open(folder.path(), &options).unwrap();
        assert_eq!(reopened.stats(GetStats { queue: dead() }).await.unwrap().letters.live(), 1);
        reopened.close().await.unwrap();
    });
}
