//! What a caller raises comes back to it: the same error, the same panic.

use std::error::Error;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{CaptureReason, Category, Failure, Strategy};

use super::captured::{guard, task};
use crate::rig::{Act, World, run, until};

/// An error that knows its own address: another instance would have another.
#[derive(Debug)]
struct Mine(Box<u8>);

impl fmt::Display for Mine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HTTP 503 Service Unavailable")
    }
}

impl Error for Mine {}

#[test]
fn a_raised_error_is_given_back_as_the_same_instance() {
    run(async {
        let world = World::new().await;
        let mine = Mine(Box::new(7));
        let address = std::ptr::from_ref(&*mine.0);
        let guarded = guard(&world, Strategy::Automatic).run(task("a"), || async { Err::<(), _>(mine) }).await;
        assert!(std::ptr::eq(address, &*guarded.result.unwrap_err().0));
        let disposition = guarded.disposition.unwrap();
        assert_eq!(
            (disposition.dlq_reason, disposition.error_category),
            (CaptureReason::Enqueued, Category::Transient)
        );
        assert_eq!(disposition.error, "HTTP 503 Service Unavailable");
    });
}

/// The metadata of a letter tells the type of the error that was raised.
#[test]
fn the_type_of_a_raised_error_is_told() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        let guarded = guard.run(task("a"), || async { Err::<(), _>(Mine(Box::new(7))) }).await;
        let disposition = guarded.disposition.unwrap();
        assert!(disposition.error_type.is_some_and(|kind| kind.contains("Mine")));
        let metadata = world.the_letter().await.context.unwrap().metadata;
        assert!(metadata.get("original_error_type").is_some_and(|kind| kind.contains("Mine")), "{metadata:?}");
    });
}

#[test]
fn a_success_passes_through_and_leaves_nothing() {
    run(async {
        let world = World::new().await;
        let guarded = guard(&world, Strategy::Automatic).run(task("a"), || async { Ok::<_, Mine>(17_u64) }).await;
        assert_eq!((guarded.result.unwrap(), guarded.disposition), (17, None));
        assert!(world.dead_letters().await.is_empty());
    });
}

#[test]
fn a_panic_goes_on_when_its_letter_is_durable() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world, Strategy::Automatic);
        let run = guard.run::<(), Failure, _>(task("a"), || async { panic!("mind the gap") });
        let panic = AssertUnwindSafe(run).catch_unwind().await.unwrap_err();
        assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "mind the gap");
        let letter = world.the_letter().await;
        assert_eq!(letter.attempts[0].error_type.as_deref(), Some("panic"));
        assert!(letter.attempts[0].error.contains("mind the gap"));
        // Before there is a future at all, too.
        let run = guard.run::<(), Failure, std::future::Ready<Result<(), Failure>>>(task("b"), || panic!("at once"));
        assert!(AssertUnwindSafe(run).catch_unwind().await.is_err());
        assert_eq!(world.dead_letters().await.len(), 2);
        assert_eq!((guard.stats().workflows_executed, guard.stats().workflows_failed), (2, 2));
    });
}

/// The panic waits for the letter.
#[test]
fn a_panic_does_not_go_on_before_its_letter_is_durable() {
    run(async {
        let world = World::new().await;
        world.store.rule(|request| match crate::rig::kind_of(request) {
            "capture" => Act::Hang,
            _ => Act::Pass,
        });
        let guard = Arc::new(guard(&world, Strategy::Automatic));
        let running = tokio::spawn(async move {
            guard.run::<(), Failure, _>(task("a"), || async { panic!("mind the gap") }).await;
        });
        until("the capture", || async { world.store.count("capture") == 1 }).await;
        world.calm().await;
        assert!(!running.is_finished());
        running.abort();
    });
}
