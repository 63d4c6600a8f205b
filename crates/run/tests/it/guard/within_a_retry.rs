//! A guard inside of an attempt makes no letter about a letter: its failure is the attempt's.

use std::sync::Arc;

use redrive_core::{CaptureReason, Category, Failure, Policy, Span, Status};
use redrive_model::{Content, NewLetter};
use redrive_run::{Call, Guard, Handled, StoreLetterBox, Task};

use crate::rig::{World, dead, item, policy, run, transient, unbroken};

fn guard(world: &World) -> Arc<Guard> {
    let policy = Policy::builder().build().unwrap();
    Arc::new(Guard::new(StoreLetterBox::new(world.store()), dead(), policy).with_clock(Arc::new(world.clock.clone())))
}

/// Work that has no name of its own, so that every letter about it would be a new one.
fn task() -> Task {
    Task::new("inner", Content::of_payload("x"))
}

/// Ten letters with a hundred retries each: the most that a letter may have.
#[test]
fn a_thousand_failing_retries_leave_as_many_letters_as_there_were() {
    run(async {
        let world = World::new().await;
        let letter = |number| NewLetter { max_retries: 100, ..world.letter(&format!("l{number}"), "there") };
        let ids = world.capture((0..10).map(letter)).await;
        let guard = guard(&world);
        let handler = {
            let guard = Arc::clone(&guard);
            move |_: Call| {
                let guard = Arc::clone(&guard);
                // It swallows the error.
                async move { drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await) }
            }
        };
        let running = world.runner(world.letters(), handler, policy(), unbroken(4)).start().await.unwrap();
        for id in &ids {
            world.until_status(*id, Status::Exhausted).await;
        }
        assert_eq!(world.dead_letters().await.len(), 10);
        for id in ids {
            let about = world.info(id).await.letter.unwrap();
            assert_eq!((about.retries, about.total_attempts, about.category), (100, 101, Category::Transient));
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered, report.done), (990, 10, 0));
        let stats = guard.stats();
        assert_eq!((stats.workflows_executed, stats.workflows_failed, stats.auto_enqueued), (1_000, 1_000, 0));
        world.conserved().await;
    });
}

#[test]
fn the_caller_is_told_that_its_failure_is_part_of_a_retry() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (told, mut hear) = tokio::sync::mpsc::channel(10);
        let guard = guard(&world);
        let handler = move |_: Call| {
            let (guard, told) = (Arc::clone(&guard), told.clone());
            async move {
                let guarded = guard.run(task(), || async { Err::<(), _>(Failure::new("inner words")) }).await;
                told.send(guarded.disposition.unwrap()).await.unwrap();
                Handled::DONE
            }
        };
        let running = world.runner(world.orders(), handler, policy(), unbroken(1)).start().await.unwrap();
        let disposition = crate::rig::soon("a disposition", hear.recv()).await.unwrap();
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::InRetry, false));
        assert_eq!((disposition.persist_outcome, disposition.dlq_task_id), (None, None));
        world.until_dead(1).await;
        assert_eq!(world.the_letter().await.attempts[0].error, "inner words", "the letter is the item's own");
        running.stop(Span::ZERO).await;
    });
}

/// The attempt has failed, whatever its handler says.
#[test]
fn a_handler_cannot_talk_its_way_out_of_a_failure() {
    run(async {
        for handled in [Handled::DONE, Handled::Deferred { until: crate::rig::START }, Handled::Untouched] {
            let world = World::new().await;
            let id = world.capture([world.letter("a", "there")]).await[0];
            let guard = guard(&world);
            let said = handled.clone();
            let handler = move |call: Call| {
                let (guard, said) = (Arc::clone(&guard), said.clone());
                async move {
                    // So that a test that fails comes to an end.
                    if call.deliveries > 10 {
                        return Handled::failed(Failure::new("enough"));
                    }
                    drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                    said
                }
            };
            let running = world.runner(world.letters(), handler, policy(), unbroken(1)).start().await.unwrap();
            world.until_status(id, Status::Exhausted).await;
            let info = world.info(id).await;
            assert_eq!((info.deliveries, info.letter.unwrap().retries), (3, 3), "{handled:?}");
            assert_eq!(world.dead_letters().await.len(), 1);
            running.stop(Span::ZERO).await;
        }
    });
}

#[test]
fn a_handlers_own_failure_goes_before_that_of_a_guard_inside() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let guard = guard(&world);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move {
                drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                Handled::failed(Failure::new("outer words"))
            }
        };
        let running = world.runner(world.orders(), handler, policy(), unbroken(1)).start().await.unwrap();
        world.until_dead(1).await;
        assert_eq!(world.the_letter().await.attempts[0].error, "outer words");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_guard_that_succeeds_inside_of_a_retry_changes_nothing() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let guard = guard(&world);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move { drop(guard.run(task(), || async { Ok::<_, Failure>(()) }).await) }
        };
        let running = world.runner(world.letters(), handler, policy(), unbroken(1)).start().await.unwrap();
        world.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}

/// What failed in one attempt is not held against the next one.
#[test]
fn a_failure_is_noted_with_its_own_attempt_alone() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let guard = guard(&world);
        let handler = move |call: Call| {
            let guard = Arc::clone(&guard);
            async move {
                if call.attempt == 2 {
                    drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                }
            }
        };
        let running = world.runner(world.letters(), handler, policy(), unbroken(1)).start().await.unwrap();
        world.until_status(id, Status::Completed).await;
        assert_eq!(world.info(id).await.letter.unwrap().total_attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_guard_that_panics_inside_of_a_retry_fails_it_once() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let guard = guard(&world);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move { drop(guard.run::<(), Failure, _>(task(), || async { panic!("inside") }).await) }
        };
        let running = world.runner(world.orders(), handler, policy(), unbroken(1)).start().await.unwrap();
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        assert_eq!(letter.attempts.len(), 1);
        assert!(letter.attempts[0].error.contains("inside"));
        running.stop(Span::ZERO).await;
    });
}

/// In another process the attempt is known by its id alone.
#[test]
fn a_task_that_is_part_of_somebody_elses_attempt_makes_no_letter() {
    run(async {
        let world = World::new().await;
        let guard = guard(&world);
        let within = Task { within: Some("2PqK".to_owned()), ..task() };
        let guarded = guard.run(within, || async { Err::<(), _>(transient()) }).await;
        assert_eq!(guarded.disposition.unwrap().dlq_reason, CaptureReason::InRetry);
        assert!(world.dead_letters().await.is_empty());
        assert_eq!(world.store.count("capture"), 0);
    });
}

/// Outside of every attempt a guard is a guard again.
#[test]
fn a_guard_after_an_attempt_makes_letters() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let seen = desk.next().await;
        let guarded = guard(&world).run(task(), || async { Err::<(), _>(transient()) }).await;
        assert_eq!(guarded.disposition.unwrap().dlq_reason, CaptureReason::Enqueued, "another task, at the same time");
        seen.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}
