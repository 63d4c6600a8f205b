//! Starting, pausing and stopping a runner, and runners that end with their source.

use std::sync::Arc;

use redrive_core::{Backoff, Category, Policy, Span};
use redrive_model::{Cause, CreateQueue, DeleteQueue, GetQueue, ItemState};
use redrive_run::{RunnerSettings, RunnerStartError};
use redrive_store::{Store, StoreError};

use crate::fixture::{
    CallInbox, Fault, item, policy, settings, transient, wait_for, wait_until, with_attempts, with_fixture,
    without_breaker,
};

#[test]
fn a_runner_whose_policy_allows_more_attempts_than_its_queue_does_not_start() {
    with_attempts(3, async |fixture| {
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let more = Policy::builder().max_attempts(4).build().unwrap();
        let error = fixture.runner(fixture.orders(), handler, more, without_breaker(1)).start().await.unwrap_err();
        assert!(matches!(error, RunnerStartError::TooManyAttempts { .. }));
        assert_eq!(
            error.to_string(),
            "the policy allows 4 attempts, but 'orders' itself allows 3; raise that to at least 4, or lower the \
             policy's max_attempts"
        );
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let unlimited = Policy::builder().limit(redrive_core::AttemptLimit::Unlimited).build().unwrap();
        let error = fixture.runner(fixture.orders(), handler, unlimited, without_breaker(1)).start().await.unwrap_err();
        assert!(error.to_string().starts_with("the policy allows unlimited attempts"), "{error}");
        let (running, _inbox) =
            fixture.start(Policy::builder().max_attempts(3).build().unwrap(), without_breaker(1)).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_runner_over_a_queue_that_does_not_exist_does_not_start() {
    with_fixture(async |fixture| {
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let source =
            redrive_run::StoreQueue::new(fixture.store(), crate::fixture::queue_name("nowhere"), Span::from_secs(60));
        let error = fixture.runner(source, handler, policy(), without_breaker(1)).start().await.unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
    });
}

#[test]
fn a_running_runner_cannot_be_started_again_until_it_was_stopped() {
    with_fixture(async |fixture| {
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = fixture.runner(fixture.orders(), handler, policy(), without_breaker(1));
        let first = runner.start().await.unwrap();
        assert_eq!(runner.start().await.unwrap_err(), RunnerStartError::AlreadyRunning);
        fixture.produce([item("a")]).await;
        inbox.next().await.done();
        fixture.until_empty().await;
        assert_eq!(first.stop(Span::ZERO).await.done, 1);
        let second = runner.start().await.unwrap();
        fixture.produce([item("b")]).await;
        inbox.next().await.done();
        fixture.until_empty().await;
        assert_eq!(second.stop(Span::ZERO).await.done, 1, "each run has a separate report");
    });
}

#[test]
fn a_paused_runner_claims_nothing_and_lets_running_handlers_finish() {
    with_fixture(async |fixture| {
        let (running, mut inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        running.pause().await;
        let health = running.health().await;
        assert_eq!((health.is_paused, health.running, health.is_draining), (true, 1, false));
        fixture.produce([item("b")]).await;
        fixture.assert_no_call(&mut inbox, "no further call").await;
        assert_eq!(fixture.leased("orders").await, 1, "only the running item is claimed");
        // Longer than the lease.
        fixture.advance_in_steps(Span::from_mins(4), Span::from_secs(10)).await;
        pending.done();
        wait_until("one item left", || async { fixture.items("orders").await.len() == 1 }).await;
        assert!(inbox.try_next().is_none());
        running.resume().await;
        let pending = inbox.next().await;
        assert_eq!((pending.payload(), pending.call.attempt), ("b".to_owned(), 1));
        pending.done();
        assert_eq!(fixture.stop_when_empty(running).await.done, 2);
    });
}

#[test]
fn a_stop_without_running_handlers_ends_immediately() {
    with_fixture(async |fixture| {
        let (running, _inbox) = fixture.start(policy(), without_breaker(4)).await;
        fixture.until_idle().await;
        let report = wait_for("the end", running.stop(Span::from_hours(1))).await;
        assert_eq!(report, redrive_run::RunReport::default());
        fixture.produce([item("a")]).await;
        fixture.until_idle().await;
        assert_eq!(fixture.items("orders").await[0].info.deliveries, 0, "a stopped runner claims nothing");
    });
}

#[test]
fn a_stop_waits_for_running_handlers_and_claims_nothing() {
    with_fixture(async |fixture| {
        fixture.produce([item("a"), item("b")]).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        let calls = inbox.take(2).await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(30)));
        fixture.until_idle().await;
        fixture.produce([item("c")]).await;
        fixture.advance(Span::from_secs(29));
        fixture.until_idle().await;
        assert!(!stopping.is_finished() && inbox.try_next().is_none());
        for pending in calls {
            if pending.payload() == "a" { pending.done() } else { pending.fail(transient()) }
        }
        let report = wait_for("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.retried, report.aborted, report.unsettled), (1, 1, 0, 0));
        assert_eq!(fixture.leased("orders").await, 0);
        assert_eq!(fixture.items("orders").await.len(), 2, "b is scheduled for its retry, c was not claimed");
    });
}

#[test]
fn a_stop_aborts_handlers_after_the_drain_time_and_leaves_nothing_leased() {
    with_fixture(async |fixture| {
        fixture.produce([item("quick"), item("slow")]).await;
        let id = fixture.capture([fixture.letter("letter", "there")]).await[0];
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        let (letters, mut letter_inbox) = fixture.start_letters(policy(), without_breaker(4)).await;
        let calls = inbox.take(2).await;
        let mut letter = letter_inbox.next().await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(30)));
        let stopping_letters = tokio::spawn(letters.stop(Span::from_secs(30)));
        fixture.until_idle().await;
        let mut slow = None;
        for pending in calls {
            if pending.payload() == "quick" { pending.done() } else { slow = Some(pending) }
        }
        fixture.advance(Span::from_secs(30).saturating_sub(Span::from_micros(1)));
        fixture.until_idle().await;
        assert!(!slow.as_ref().unwrap().is_dropped());
        fixture.advance(Span::from_micros(1));
        slow.unwrap().dropped().await;
        letter.dropped().await;
        let report = wait_for("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.aborted, report.retried, report.finished()), (1, 1, 1, 1));
        assert_eq!(wait_for("the end", stopping_letters).await.unwrap().aborted, 1);
        assert_eq!((fixture.leased("orders").await, fixture.leased("dead").await), (0, 0));
        let left = fixture.items("orders").await;
        let info = &left[0].info;
        assert_eq!(
            (left.len(), info.attempts, info.deliveries),
            (1, 0, 1),
            "the aborted attempt of an item does not count"
        );
        assert_eq!(info.state, ItemState::Ready, "it can be claimed at once");
        let record = fixture.record(id).await;
        assert_eq!(record.info.letter.unwrap().retries, 1);
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.cause, newest.category), (Some(Cause::Aborted), Some(Category::Transient)));
        assert_eq!(newest.started_at.zip(newest.ended_at).map(|(from, to)| to.since(from)), Some(Span::from_secs(30)));
        fixture.assert_conserved().await;
    });
}

/// A restart must not turn work into letters, however slow its handler is and however often that happens.
#[test]
fn a_last_attempt_that_a_shutdown_stops_makes_no_letter() {
    with_attempts(2, async |fixture| {
        fixture.produce([item("a")]).await;
        let policy = || Policy::builder().max_attempts(2).backoff(Backoff::fixed(Span::ZERO)).build().unwrap();
        let (mut running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        inbox.next().await.fail(transient());
        let mut pending = inbox.next().await;
        for _ in 0..3 {
            assert_eq!(pending.call.attempt, 2);
            let report = wait_for("the end", running.stop(Span::ZERO)).await;
            pending.dropped().await;
            assert_eq!((report.aborted, report.dead_lettered, report.dropped), (1, 0, 0), "{report:?}");
            (running, inbox) = fixture.start(policy(), without_breaker(4)).await;
            pending = inbox.next().await;
        }
        pending.fail(transient());
        let attempts = fixture.first_letter().await.attempts;
        let aborted = attempts.iter().filter(|attempt| attempt.cause == Some(Cause::Aborted)).count();
        assert_eq!((attempts.len(), aborted), (5, 3), "each attempt is recorded: {attempts:?}");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn attempts_that_a_shutdown_stops_say_nothing_about_their_destination() {
    with_fixture(async |fixture| {
        fixture.produce((0..5).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), settings(6)).await;
        let _calls = inbox.take(5).await;
        // Its claim fails: the runner drains, and its health can still be read.
        fixture.store.local.close().await.unwrap();
        wait_until("a draining runner", || async { running.health().await.is_draining }).await;
        fixture.advance(Span::from_secs(30));
        wait_until("the end of all attempts", || async { running.health().await.running == 0 }).await;
        let health = running.health().await;
        assert_eq!(health.held, [] as [Arc<str>; 0]);
        assert_eq!(health.destinations[0].trouble, None);
        fixture.advance(Span::from_secs(6));
        wait_for("the end", running.ended()).await;
    });
}

/// Aborting an attempt whose result is already there would repeat its work.
#[test]
fn a_handler_that_finished_before_the_stop_is_not_aborted() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        fixture.until_idle().await;
        pending.done();
        // The handler ends first, the stop follows, and the runner wakes last and finds both.
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        let report = wait_for("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.aborted), (1, 0));
        assert!(fixture.items("orders").await.is_empty());
    });
}

#[test]
fn a_dropped_running_handle_drains_its_runner() {
    with_fixture(async |fixture| {
        fixture.produce([item("a"), item("b")]).await;
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let settings = RunnerSettings { drain: Span::from_secs(30), ..without_breaker(4) };
        let runner = fixture.runner(fixture.orders(), handler, policy(), settings);
        let running = runner.start().await.unwrap();
        let mut calls = inbox.take(2).await;
        drop(running);
        fixture.produce([item("c")]).await;
        fixture.assert_no_call(&mut inbox, "a draining runner claims nothing").await;
        let (mut hangs, finishes) = (calls.pop().unwrap(), calls.pop().unwrap());
        finishes.done();
        fixture.advance(Span::from_secs(30));
        hangs.dropped().await;
        wait_until("the end of the runner", || async { runner.start().await.is_ok() }).await;
        fixture.until_idle().await;
        assert_eq!(fixture.items("orders").await.len(), 2);
        assert_eq!(fixture.leased("orders").await, u64::from(inbox.try_next().is_some()));
    });
}

#[test]
fn a_stop_whose_future_is_dropped_still_stops_the_runner() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = fixture.runner(fixture.orders(), handler, policy(), without_breaker(4));
        let running = runner.start().await.unwrap();
        let mut pending = inbox.next().await;
        let stopping = tokio::spawn(running.stop(Span::from_hours(1)));
        fixture.until_idle().await;
        stopping.abort();
        fixture.until_idle().await;
        assert_eq!(runner.start().await.unwrap_err(), RunnerStartError::AlreadyRunning, "its handler still runs");
        fixture.advance(Span::from_secs(30));
        pending.dropped().await;
        wait_until("the end of the runner", || async { runner.start().await.is_ok() }).await;
    });
}

#[test]
fn a_runner_ends_when_its_source_is_closed() {
    with_fixture(async |fixture| {
        let (running, _inbox) = fixture.start(policy(), without_breaker(4)).await;
        fixture.until_idle().await;
        fixture.store.local.close().await.unwrap();
        assert_eq!(wait_for("the end", running.ended()).await, redrive_run::RunReport::default());
    });
}

#[test]
fn a_runner_whose_source_closes_during_an_attempt_reports_its_result_as_unsettled() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        fixture.store.local.close().await.unwrap();
        wait_until("a draining runner", || async { running.health().await.is_draining }).await;
        pending.done();
        wait_until("a failed settle request", || async { running.health().await.settle_trouble.is_some() }).await;
        fixture.advance(Span::from_secs(31));
        wait_until("the end of the drain time", || async { running.health().await.is_draining }).await;
        fixture.advance(Span::from_secs(6));
        let report = wait_for("the end", running.ended()).await;
        assert_eq!((report.done, report.unsettled), (0, 1));
    });
}

#[test]
fn a_result_whose_settle_request_is_never_answered_is_reported_as_unsettled() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        fixture.store.inject_into("settle", Fault::Hang);
        pending.done();
        fixture.until_idle().await;
        assert_eq!(running.health().await.finishing, 1, "the result is not settled yet");
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        fixture.advance_when_idle(Span::from_secs(6)).await;
        let report = wait_for("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.unsettled), (0, 1));
    });
}

#[test]
fn an_ended_runner_is_neither_responsive_nor_progressing() {
    with_fixture(async |fixture| {
        let (running, _inbox) = fixture.start(policy(), without_breaker(4)).await;
        assert!(running.health().await.is_progressing());
        fixture.store.local.close().await.unwrap();
        wait_until("the end", || async { running.has_ended() }).await;
        let health = running.health().await;
        assert!(!health.is_responsive && !health.is_progressing());
    });
}

#[test]
fn settings_out_of_range_are_rejected() {
    with_fixture(async |fixture| {
        let rejection = |settings: RunnerSettings| {
            let (handler, _inbox) = CallInbox::new(&fixture.clock);
            redrive_run::Runner::new(fixture.orders(), handler, policy(), settings).unwrap_err().to_string()
        };
        for (settings, field) in [
            (without_breaker(0), "concurrency"),
            (without_breaker(RunnerSettings::CONCURRENCY_MAX + 1), "concurrency"),
            (RunnerSettings { timeout: Span::ZERO, ..without_breaker(1) }, "timeout"),
            (RunnerSettings { timeout: Span::from_days(31), ..without_breaker(1) }, "timeout"),
            (RunnerSettings { destinations_max: 0, ..without_breaker(1) }, "destinations_max"),
        ] {
            let error = rejection(settings);
            assert!(error.contains(field), "{error}");
        }
    });
}

/// A deleted queue is an outage for its runner: the health report shows it, and the runner keeps trying.
#[test]
fn a_runner_continues_when_its_deleted_queue_is_created_again() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        fixture.until_idle().await;
        let settings =
            fixture.store.local.queue(GetQueue { name: crate::fixture::queue_name("orders") }).await.unwrap();
        fixture
            .store
            .local
            .delete_queue(DeleteQueue { name: crate::fixture::queue_name("orders"), force: true })
            .await
            .unwrap();
        wait_until("a failed claim", || async { running.health().await.claim_trouble.is_some() }).await;
        fixture.store.local.create_queue(CreateQueue { settings }).await.unwrap();
        fixture.produce([item("a")]).await;
        fixture.advance(Span::from_secs(5));
        inbox.next().await.done();
        fixture.until_empty().await;
        wait_until("a successful claim", || async { running.health().await.is_progressing() }).await;
        running.stop(Span::ZERO).await;
    });
}

/// The same runner can be started once the source is up.
#[test]
fn a_start_while_the_source_is_down_returns_an_error() {
    with_fixture(async |fixture| {
        fixture.store.inject(|_| Fault::Fail(StoreError::Overloaded));
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let runner = Arc::new(fixture.runner(fixture.orders(), handler, policy(), without_breaker(1)));
        assert!(matches!(runner.start().await.unwrap_err(), RunnerStartError::Source(_)));
        fixture.store.clear_faults();
        runner.start().await.unwrap().stop(Span::ZERO).await;
    });
}
