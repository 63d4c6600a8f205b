//! A guard that runs inside an attempt makes no letter: its failure is the failure of the attempt.

use std::sync::Arc;

use redrive_core::{CaptureReason, Category, Failure, Policy, Span, Status};
use redrive_model::{Content, NewLetter};
use redrive_run::{Call, Guard, Handled, StoreLetterBox, Task};

use crate::fixture::{Fixture, dead, item, policy, run, transient, with_fixture, without_breaker};

fn guard(fixture: &Fixture) -> Arc<Guard> {
    let policy = Policy::builder().build().unwrap();
    Arc::new(
        Guard::new(StoreLetterBox::new(fixture.store()), dead(), policy).with_clock(Arc::new(fixture.clock.clone())),
    )
}

/// Work without an id, so that every capture would make a new letter.
fn task() -> Task {
    Task::new("inner", Content::of_payload("x"))
}

/// Ten letters with 100 retries each, the maximum of a letter.
#[test]
fn failing_guards_inside_of_retries_make_no_new_letters() {
    with_fixture(async |fixture| {
        let letter = |number| NewLetter { max_retries: 100, ..fixture.letter(&format!("l{number}"), "there") };
        let ids = fixture.capture((0..10).map(letter)).await;
        let guard = guard(&fixture);
        let handler = {
            let guard = Arc::clone(&guard);
            move |_: Call| {
                let guard = Arc::clone(&guard);
                // The handler ignores the error.
                async move { drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await) }
            }
        };
        let running = fixture.runner(fixture.letters(), handler, policy(), without_breaker(4)).start().await.unwrap();
        for id in &ids {
            fixture.until_status(*id, Status::Exhausted).await;
        }
        assert_eq!(fixture.dead_letters().await.len(), 10);
        for id in ids {
            let about = fixture.info(id).await.letter.unwrap();
            assert_eq!((about.retries, about.total_attempts, about.category), (100, 101, Category::Transient));
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered, report.done), (990, 10, 0));
        let stats = guard.stats();
        assert_eq!((stats.workflows_executed, stats.workflows_failed, stats.auto_enqueued), (1_000, 1_000, 0));
        fixture.assert_conserved().await;
    });
}

#[test]
fn the_disposition_inside_of_an_attempt_has_the_reason_in_retry() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let (tx, mut rx) = tokio::sync::mpsc::channel(10);
        let guard = guard(&fixture);
        let handler = move |_: Call| {
            let (guard, tx) = (Arc::clone(&guard), tx.clone());
            async move {
                let guarded = guard.run(task(), || async { Err::<(), _>(Failure::new("inner words")) }).await;
                tx.send(guarded.disposition.unwrap()).await.unwrap();
                Handled::DONE
            }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), without_breaker(1)).start().await.unwrap();
        let disposition = crate::fixture::wait_for("a disposition", rx.recv()).await.unwrap();
        assert_eq!((disposition.dlq_reason, disposition.dlq_enqueued), (CaptureReason::InRetry, false));
        assert_eq!((disposition.persist_outcome, disposition.dlq_task_id), (None, None));
        fixture.until_letters(1).await;
        assert_eq!(fixture.only_letter().await.attempts[0].error, "inner words", "the letter is that of the item");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn an_attempt_fails_with_its_guard_whatever_the_handler_returns() {
    run(async {
        for handled in [Handled::DONE, Handled::Deferred { until: crate::fixture::START }, Handled::Untouched] {
            let fixture = Fixture::new().await;
            let id = fixture.capture([fixture.letter("a", "there")]).await[0];
            let guard = guard(&fixture);
            let result = handled.clone();
            let handler = move |call: Call| {
                let (guard, result) = (Arc::clone(&guard), result.clone());
                async move {
                    // Otherwise a failing test would retry without end.
                    if call.deliveries > 10 {
                        return Handled::failed(Failure::new("enough"));
                    }
                    drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                    result
                }
            };
            let running =
                fixture.runner(fixture.letters(), handler, policy(), without_breaker(1)).start().await.unwrap();
            fixture.until_status(id, Status::Exhausted).await;
            let info = fixture.info(id).await;
            assert_eq!((info.deliveries, info.letter.unwrap().retries), (3, 3), "{handled:?}");
            assert_eq!(fixture.dead_letters().await.len(), 1);
            running.stop(Span::ZERO).await;
        }
    });
}

#[test]
fn the_failure_of_the_handler_takes_precedence_over_that_of_its_guard() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let guard = guard(&fixture);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move {
                drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                Handled::failed(Failure::new("outer words"))
            }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), without_breaker(1)).start().await.unwrap();
        fixture.until_letters(1).await;
        assert_eq!(fixture.only_letter().await.attempts[0].error, "outer words");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_guard_that_succeeds_inside_of_a_retry_changes_nothing() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let guard = guard(&fixture);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move { drop(guard.run(task(), || async { Ok::<_, Failure>(()) }).await) }
        };
        let running = fixture.runner(fixture.letters(), handler, policy(), without_breaker(1)).start().await.unwrap();
        fixture.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_guards_failure_does_not_affect_the_next_attempt() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let guard = guard(&fixture);
        let handler = move |call: Call| {
            let guard = Arc::clone(&guard);
            async move {
                if call.attempt == 2 {
                    drop(guard.run(task(), || async { Err::<(), _>(transient()) }).await);
                }
            }
        };
        let running = fixture.runner(fixture.letters(), handler, policy(), without_breaker(1)).start().await.unwrap();
        fixture.until_status(id, Status::Completed).await;
        assert_eq!(fixture.info(id).await.letter.unwrap().total_attempts, 3);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_guard_that_panics_inside_of_an_attempt_fails_it_once() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let guard = guard(&fixture);
        let handler = move |_: Call| {
            let guard = Arc::clone(&guard);
            async move { drop(guard.run::<(), Failure, _>(task(), || async { panic!("inside") }).await) }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), without_breaker(1)).start().await.unwrap();
        let letter = fixture.first_letter().await;
        assert_eq!(letter.attempts.len(), 1);
        assert!(letter.attempts[0].error.contains("inside"));
        running.stop(Span::ZERO).await;
    });
}

/// A guard in another process knows the attempt by its id only.
#[test]
fn a_task_within_an_attempt_of_another_process_makes_no_letter() {
    with_fixture(async |fixture| {
        let guard = guard(&fixture);
        let within = Task { within: Some("2PqK".to_owned()), ..task() };
        let guarded = guard.run(within, || async { Err::<(), _>(transient()) }).await;
        assert_eq!(guarded.disposition.unwrap().dlq_reason, CaptureReason::InRetry);
        assert!(fixture.dead_letters().await.is_empty());
        assert_eq!(fixture.store.count("capture"), 0);
    });
}

#[test]
fn a_guard_outside_of_the_attempt_makes_letters_while_it_runs() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(1)).await;
        let guarded = guard(&fixture).run(task(), || async { Err::<(), _>(transient()) }).await;
        assert_eq!(
            guarded.disposition.unwrap().dlq_reason,
            CaptureReason::Enqueued,
            "it runs at the same time, in another task"
        );
        pending.done();
        fixture.stop_when_empty(running).await;
    });
}
