//! A guard returns the caller's own error and resumes the caller's own panic.

use std::error::Error;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{CaptureReason, Category, Failure, Strategy};

use super::fixture::{guard, task};
use crate::fixture::{Fault, wait_until, with_fixture};

/// An error with a heap address, which identifies the instance.
#[derive(Debug)]
struct CallerError(Box<u8>);

impl fmt::Display for CallerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HTTP 503 Service Unavailable")
    }
}

impl Error for CallerError {}

#[test]
fn a_raised_error_is_returned_as_the_same_instance() {
    with_fixture(async |fixture| {
        let error = CallerError(Box::new(7));
        let address = std::ptr::from_ref(&*error.0);
        let guarded = guard(&fixture, Strategy::Automatic).run(task("a"), || async { Err::<(), _>(error) }).await;
        assert!(std::ptr::eq(address, &*guarded.result.unwrap_err().0));
        let disposition = guarded.disposition.unwrap();
        assert_eq!(
            (disposition.dlq_reason, disposition.error_category),
            (CaptureReason::Enqueued, Category::Transient)
        );
        assert_eq!(disposition.error, "HTTP 503 Service Unavailable");
    });
}

#[test]
fn the_type_of_a_raised_error_is_in_the_disposition_and_in_the_letters_metadata() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        let guarded = guard.run(task("a"), || async { Err::<(), _>(CallerError(Box::new(7))) }).await;
        let disposition = guarded.disposition.unwrap();
        assert!(disposition.error_type.is_some_and(|kind| kind.contains("CallerError")));
        let metadata = fixture.only_letter().await.context.unwrap().metadata;
        assert!(
            metadata.get("original_error_type").is_some_and(|kind| kind.as_str().unwrap().contains("CallerError")),
            "{metadata:?}"
        );
    });
}

#[test]
fn a_success_is_returned_and_makes_no_letter() {
    with_fixture(async |fixture| {
        let guarded =
            guard(&fixture, Strategy::Automatic).run(task("a"), || async { Ok::<_, CallerError>(17_u64) }).await;
        assert_eq!((guarded.result.unwrap(), guarded.disposition), (17, None));
        assert!(fixture.dead_letters().await.is_empty());
    });
}

#[test]
fn a_panic_resumes_after_its_letter_is_stored() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture, Strategy::Automatic);
        let run = guard.run::<(), Failure, _>(task("a"), || async { panic!("mind the gap") });
        let panic = AssertUnwindSafe(run).catch_unwind().await.unwrap_err();
        assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "mind the gap");
        let letter = fixture.only_letter().await;
        assert_eq!(letter.attempts[0].error_type.as_deref(), Some("panic"));
        assert!(letter.attempts[0].error.contains("mind the gap"));
        // Also for a panic in the closure, before there is a future.
        let run = guard
            .run::<(), Failure, std::future::Ready<Result<(), Failure>>>(task("b"), || panic!("before the future"));
        assert!(AssertUnwindSafe(run).catch_unwind().await.is_err());
        assert_eq!(fixture.dead_letters().await.len(), 2);
        assert_eq!((guard.stats().workflows_executed, guard.stats().workflows_failed), (2, 2));
    });
}

#[test]
fn a_panic_does_not_resume_before_its_letter_is_stored() {
    with_fixture(async |fixture| {
        fixture.store.inject_into("capture", Fault::Hang);
        let guard = Arc::new(guard(&fixture, Strategy::Automatic));
        let running = tokio::spawn(async move {
            guard.run::<(), Failure, _>(task("a"), || async { panic!("mind the gap") }).await;
        });
        wait_until("the capture", || async { fixture.store.count("capture") == 1 }).await;
        fixture.until_idle().await;
        assert!(!running.is_finished());
        running.abort();
    });
}
