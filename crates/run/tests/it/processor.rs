//! Letters that are retried by themselves and by hand.

use std::sync::{Arc, Mutex};

use redrive_core::{Cause, CustomBackoff, Failure, LetterId, Outcome, QueueName, RetryPolicy, Span, Status, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    Archive, CaptureContext, CreateQueue, DeleteQueue, GetLetter, GetQueue, KeyWrite, LetterOverrides, LetterSettings,
    NewLetter, OnLostDependency, Origin, QueueSettings, Rejection, RetryAt, SettleAction, UpdateQueue,
};
use redrive_run::{
    BackToOrigin, Handler, ManualRetry, Processor, ProcessorError, ProcessorSettings, Retried, RunnerStartError,
};
use redrive_store::{Clock, ManualClock, Reply, Request, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::rig::{
    Act, Desk, LEASE, START, World, dead, item, named, policy, run, settings, soon, transient, unbroken, until,
};

const INTERVAL: Span = Span::from_secs(10);

fn processor(world: &World, handler: Option<Arc<dyn Handler>>) -> Arc<Processor> {
    let settings = ProcessorSettings { runner: unbroken(4), lease: LEASE, policy: policy(), interval: INTERVAL };
    let mut processor = Processor::new(world.store(), Arc::new(world.clock.clone()), settings);
    if let Some(handler) = handler {
        processor.add(dead(), handler).unwrap();
    }
    Arc::new(processor)
}

fn at_desk(world: &World) -> (Arc<Processor>, Desk) {
    let (handler, desk) = Desk::new(&world.clock);
    (processor(world, Some(Arc::new(handler))), desk)
}

/// A letter that only a person retries.
async fn parked(world: &World) -> LetterId {
    let letter = NewLetter { policy: RetryPolicy::Never, ..world.letter("a", "x") };
    world.capture([letter]).await[0]
}

fn by_hand(processor: &Arc<Processor>, letter: LetterId) -> tokio::task::JoinHandle<Result<Retried, ProcessorError>> {
    let processor = Arc::clone(processor);
    tokio::spawn(async move { processor.retry(&dead(), letter, "ann").await })
}

#[test]
fn due_letters_are_retried_until_they_are_done() {
    run(async {
        let world = World::new().await;
        let letters = world.capture([world.letter("a", "x"), world.letter("b", "y")]).await;
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        for seen in desk.some(2).await {
            seen.done();
        }
        for letter in letters {
            world.until_status(letter, Status::Completed).await;
        }
        let report = processor.stop(&dead(), Span::ZERO).await.unwrap().unwrap();
        assert_eq!((report.done, report.finished()), (2, 2));
        assert!(processor.stop(&dead(), Span::ZERO).await.unwrap().is_none(), "it was stopped already");
    });
}

#[test]
fn a_processor_is_started_once_and_again_after_it_was_stopped() {
    run(async {
        let world = World::new().await;
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        assert_eq!(processor.start(&dead()).await, Err(ProcessorError::Start(RunnerStartError::AlreadyRunning)));
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        assert!(processor.health(&dead()).await.unwrap().is_none());
        processor.start(&dead()).await.unwrap();
        world.capture([world.letter("a", "x")]).await;
        desk.next().await.done();
        assert!(processor.health(&dead()).await.unwrap().unwrap().is_progressing());
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn a_paused_processor_takes_nothing_new() {
    run(async {
        let world = World::new().await;
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        processor.pause(&dead(), true).await.unwrap();
        world.calm().await;
        world.capture([world.letter("a", "x")]).await;
        world.calm().await;
        assert!(desk.at_once().is_none());
        processor.pause(&dead(), false).await.unwrap();
        desk.next().await.done();
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn a_processor_looks_for_letters_at_every_interval_and_earlier_for_one_that_comes() {
    run(async {
        let world = World::new().await;
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        assert_eq!(processor.interval(&dead()), Ok(INTERVAL));
        looks_every(&world, INTERVAL).await;
        world.capture([world.letter("a", "x")]).await;
        desk.next().await.done();
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn a_processor_that_was_started_with_another_interval_has_its_own_when_it_is_started_again() {
    run(async {
        let world = World::new().await;
        let (processor, _desk) = at_desk(&world);
        let other = INTERVAL.saturating_mul(3);
        processor.start_looking_every(&dead(), other).await.unwrap();
        assert_eq!(processor.interval(&dead()), Ok(other));
        looks_every(&world, other).await;
        let refused = processor.start_looking_every(&dead(), Span::from_secs(1)).await;
        assert_eq!(refused, Err(ProcessorError::Start(RunnerStartError::AlreadyRunning)));
        looks_every(&world, other).await;
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        processor.start(&dead()).await.unwrap();
        looks_every(&world, INTERVAL).await;
        processor.stop_all(Span::ZERO).await;
    });
}

async fn looks_every(world: &World, interval: Span) {
    world.calm().await;
    for _ in 0..3 {
        let looks = world.store.count("claim");
        world.advance(interval.saturating_sub(Span::from_micros(1)));
        world.calm().await;
        assert_eq!(world.store.count("claim"), looks, "its time has not come");
        world.advance(Span::from_micros(1));
        world.calm().await;
        assert_eq!(world.store.count("claim"), looks + 1);
    }
}

#[test]
fn a_retry_by_hand_completes_a_letter_and_is_signed() {
    run(async {
        let world = World::new().await;
        let letter = parked(&world).await;
        let (processor, mut desk) = at_desk(&world);
        let retried = by_hand(&processor, letter);
        let seen = desk.next().await;
        assert_eq!((seen.call.trigger, seen.call.attempt), (Trigger::Manual, 2));
        seen.done();
        let retried = soon("its outcome", retried).await.unwrap().unwrap();
        assert!(retried.is_success());
        let attempt = retried.attempt.unwrap();
        assert_eq!(
            (attempt.actor.as_deref(), attempt.trigger, attempt.outcome),
            (Some("ann"), Trigger::Manual, Outcome::Success)
        );
    });
}

#[test]
fn a_retry_by_hand_that_fails_costs_a_retry_and_says_why() {
    run(async {
        let world = World::new().await;
        let letter = parked(&world).await;
        let (processor, mut desk) = at_desk(&world);
        for (retry, status) in
            [(1, Status::Pending), (2, Status::Pending), (3, Status::Exhausted), (4, Status::Exhausted)]
        {
            let retried = by_hand(&processor, letter);
            desk.next().await.fail(transient());
            let retried = soon("its outcome", retried).await.unwrap().unwrap();
            assert!(!retried.is_success());
            assert_eq!(retried.status(), Some(status), "after {retry}");
            let attempt = retried.attempt.unwrap();
            assert_eq!((attempt.error.as_str(), attempt.actor.as_deref()), ("out of order", Some("ann")));
            assert_eq!(world.info(letter).await.letter.unwrap().retries, retry);
        }
    });
}

#[test]
fn a_letter_with_the_delays_of_its_queue_is_retried_by_them_whatever_failed() {
    run(async {
        let world = World::new().await;
        let mut letters = world.store().queue(GetQueue { name: dead() }).await.unwrap().letters;
        letters.custom_backoff = Some("list 0s 30s 90s".parse().unwrap());
        let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) };
        world.store().update_queue(update).await.unwrap();
        let custom = NewLetter { policy: RetryPolicy::Custom, ..world.letter("a", "x") };
        let letter = world.capture([custom]).await[0];
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        let failures = [Failure::new("permission denied"), transient(), Failure::new("boom")];
        for (failure, (status, wait)) in failures.into_iter().zip([
            (Status::Pending, Some(30)),
            (Status::Pending, Some(90)),
            (Status::Exhausted, None),
        ]) {
            desk.next().await.fail(failure);
            until("the failure on record", || async { world.status(letter).await != Status::Retrying }).await;
            let info = world.info(letter).await.letter.unwrap();
            let due = wait.map(|seconds| world.clock.now().saturating_add(Span::from_secs(seconds)));
            assert_eq!((info.status, info.next_retry_at), (status, due));
            world.advance(Span::from_secs(wait.unwrap_or_default()));
        }
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

/// A target that refuses at once would otherwise be called as fast as it answers.
#[test]
fn an_immediate_letter_is_retried_at_once_and_then_once_in_a_cycle() {
    run(async {
        let clock = ManualClock::new(START);
        let letters = LetterSettings { retry_interval: INTERVAL, ..LetterSettings::default() };
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), letters, ..EmbeddedOptions::default() };
        let world = World::over(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        let immediate = NewLetter { policy: RetryPolicy::Immediate, ..world.letter("a", "x") };
        let letter = world.capture([immediate]).await[0];
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        // The second costs no attempt.
        for failure in [transient(), Failure::new("CircuitBreakerOpenError: request denied"), transient()] {
            desk.next().await.fail(failure);
            until("the failure on record", || async { world.status(letter).await != Status::Retrying }).await;
            let due = world.clock.now().saturating_add(INTERVAL);
            assert_eq!(world.info(letter).await.letter.unwrap().next_retry_at, Some(due));
            world.calm().await;
            assert!(desk.at_once().is_none(), "not before its time");
            world.advance(INTERVAL);
        }
        desk.next().await.done();
        world.until_status(letter, Status::Completed).await;
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

/// The runner decides by the delays of the letter's queue, as it does by its own.
#[test]
fn a_hint_makes_the_delays_of_a_letters_queue_longer_and_never_shorter() {
    run(async {
        let world = World::new().await;
        let mut letters = world.store().queue(GetQueue { name: dead() }).await.unwrap().letters;
        letters.custom_backoff = Some("list 0s 30s 90s".parse().unwrap());
        let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) };
        world.store().update_queue(update).await.unwrap();
        let custom = NewLetter { policy: RetryPolicy::Custom, ..world.letter("a", "x") };
        let letter = world.capture([custom]).await[0];
        let asked = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&asked);
        world.store.rule(move |request| {
            if let Request::Settle(settle) = request
                && let SettleAction::Retry { at, .. } = settle.items[0].action
            {
                notes.lock().unwrap().push(at);
            }
            Act::Pass
        });
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        for (hint, wait) in [(60, 60), (3, 90)].map(|(hint, wait)| (Span::from_secs(hint), Span::from_secs(wait))) {
            desk.next().await.fail(transient().with_retry_after(hint));
            until("the failure on record", || async { world.status(letter).await != Status::Retrying }).await;
            let due = world.clock.now().saturating_add(wait);
            assert_eq!(world.info(letter).await.letter.unwrap().next_retry_at, Some(due));
            assert_eq!(asked.lock().unwrap().last(), Some(&RetryAt::Decided(due)), "the runner decides when");
            world.advance(wait);
        }
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

#[test]
fn a_function_of_the_program_says_when_letters_are_retried() {
    run(async {
        let squares =
            CustomBackoff::function("squares", |failed| Span::from_secs(u64::from(failed) * u64::from(failed)));
        let clock = ManualClock::new(START);
        let letters = LetterSettings { custom_backoff: Some(squares), ..LetterSettings::default() };
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), letters, ..EmbeddedOptions::default() };
        let world = World::over(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        let update = UpdateQueue { letters: Some(LetterOverrides::default()), ..UpdateQueue::of(dead()) };
        world.store().update_queue(update).await.unwrap();
        let custom = NewLetter { policy: RetryPolicy::Custom, ..world.letter("a", "x") };
        let letter = world.capture([custom]).await[0];
        let due = async || world.info(letter).await.letter.unwrap().next_retry_at;
        assert_eq!(due().await, Some(world.clock.now().saturating_add(Span::from_secs(1))));
        let (processor, mut desk) = at_desk(&world);
        processor.start(&dead()).await.unwrap();
        world.advance(Span::from_secs(1));
        desk.next().await.fail(transient());
        until("the failure on record", || async { world.status(letter).await != Status::Retrying }).await;
        assert_eq!(due().await, Some(world.clock.now().saturating_add(Span::from_secs(4))));
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

#[test]
fn of_two_who_want_one_letter_one_gets_it() {
    run(async {
        let world = World::new().await;
        let letter = parked(&world).await;
        let (processor, mut desk) = at_desk(&world);
        let first = by_hand(&processor, letter);
        let seen = desk.next().await;
        let second = soon("a refusal", by_hand(&processor, letter)).await.unwrap().unwrap_err();
        let conflict = Rejection::LetterConflict { letter, status: Status::Retrying, verb: "retried" };
        assert_eq!(second, ProcessorError::Store(StoreError::Rejected(conflict)));
        seen.done();
        assert!(soon("its outcome", first).await.unwrap().unwrap().is_success());
    });
}

#[test]
fn a_retry_by_hand_against_an_open_breaker_is_refused_unless_it_is_forced() {
    run(async {
        let world = World::new().await;
        let (handler, mut desk) = Desk::new(&world.clock);
        let settings = ProcessorSettings { runner: settings(1), lease: LEASE, policy: policy(), interval: INTERVAL };
        let mut processor = Processor::new(world.store(), Arc::new(world.clock.clone()), settings);
        processor.add(dead(), Arc::new(handler)).unwrap();
        let processor = Arc::new(processor);
        let held = parked(&world).await;
        let other = NewLetter { policy: RetryPolicy::Never, ..world.letter("other", "y") };
        let other = world.capture([other]).await[0];
        processor.start(&dead()).await.unwrap();
        world.capture((0..5).map(|number| world.letter(&number.to_string(), "x"))).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        until("an open breaker", || async { !processor.health(&dead()).await.unwrap().unwrap().held.is_empty() }).await;
        let refused = soon("a refusal", by_hand(&processor, held)).await.unwrap();
        assert_eq!(refused, Err(ProcessorError::BreakerOpen("x".into())));
        assert_eq!(world.info(held).await.deliveries, 0, "it was not claimed");
        let elsewhere = by_hand(&processor, other);
        desk.next().await.done();
        assert!(soon("its outcome", elsewhere).await.unwrap().unwrap().is_success(), "its destination answers");
        let forced = tokio::spawn({
            let processor = Arc::clone(&processor);
            async move {
                let retry = ManualRetry { letter: held.into(), actor: "ann", force: true };
                processor.retry_until(&dead(), retry, &CancellationToken::new()).await
            }
        });
        desk.next().await.done();
        assert!(soon("its outcome", forced).await.unwrap().unwrap().is_success());
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        let stopped = world.capture([NewLetter { policy: RetryPolicy::Never, ..world.letter("s", "x") }]).await[0];
        let unknown = by_hand(&processor, stopped);
        desk.next().await.done();
        assert!(soon("its outcome", unknown).await.unwrap().unwrap().is_success(), "no breaker while it is stopped");
    });
}

#[test]
fn a_letter_that_is_archived_while_it_is_retried_stays_archived() {
    run(async {
        let world = World::new().await;
        let letter = parked(&world).await;
        let (processor, mut desk) = at_desk(&world);
        let retried = by_hand(&processor, letter);
        let seen = desk.next().await;
        world.store().archive(Archive { queue: dead(), letters: vec![letter] }).await.unwrap();
        seen.done();
        let retried = soon("its outcome", retried).await.unwrap().unwrap();
        assert_eq!(retried.status(), Some(Status::Archived));
        assert!(!retried.is_success());
    });
}

#[test]
fn what_cannot_be_retried_costs_nothing() {
    run(async {
        let world = World::new().await;
        let letter = parked(&world).await;
        let nobody = processor(&world, None);
        let error = nobody.retry(&dead(), letter, "ann").await.unwrap_err();
        assert_eq!(error.to_string(), "No retry callback configured; queue 'dead' has no target");
        assert_eq!(nobody.start(&dead()).await, Err(ProcessorError::NoTarget(dead())));
        let (processor, _desk) = at_desk(&world);
        world.store().archive(Archive { queue: dead(), letters: vec![letter] }).await.unwrap();
        let conflict = Rejection::LetterConflict { letter, status: Status::Archived, verb: "retried" };
        let error = processor.retry(&dead(), letter, "ann").await.unwrap_err();
        assert_eq!(error, ProcessorError::Store(StoreError::Rejected(conflict)));
        assert_eq!(world.info(letter).await.attempts, 0);
    });
}

/// An item of `orders` that died there; its letter.
async fn died(world: &World) -> LetterId {
    world.produce([item("a")]).await;
    let (running, mut desk) = world.start(policy(), unbroken(1)).await;
    desk.next().await.fail(crate::rig::permanent());
    world.until_dead(1).await;
    running.stop(Span::ZERO).await;
    world.the_letter().await.info.letter.unwrap().id
}

#[test]
fn a_letter_goes_back_to_the_queue_that_it_came_from() {
    run(async {
        let world = World::new().await;
        let letter = died(&world).await;
        let processor = processor(&world, Some(Arc::new(BackToOrigin::new(world.store(), dead()))));
        assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success());
        let back = world.items("orders").await;
        assert_eq!((back.len(), &*back[0].content.payload), (1, &b"a"[..]));
        assert_eq!(back[0].info.attempts, 0, "its attempts begin anew");
        world.conserved().await;
    });
}

#[test]
fn a_letter_without_a_queue_to_go_back_to_waits() {
    run(async {
        let world = World::new().await;
        let letter = died(&world).await;
        world.store().delete_queue(DeleteQueue { name: named("orders"), force: true }).await.unwrap();
        let elsewhere = world.capture([world.letter("b", "x")]).await[0];
        let processor = processor(&world, Some(Arc::new(BackToOrigin::new(world.store(), dead()))));
        for (letter, why) in [(letter, "no such queue named 'orders'"), (elsewhere, "its origin is no queue")] {
            let retried = processor.retry(&dead(), letter, "ann").await.unwrap();
            assert_eq!(retried.status(), Some(Status::Pending));
            assert!(retried.attempt.unwrap().error.contains(why));
        }
        let unknown: Vec<&QueueName> = processor.queues().collect();
        assert_eq!(unknown, [&dead()]);
    });
}

/// Whoever captures a failure says where it came from.
#[test]
fn a_letter_does_not_go_back_into_another_namespace() {
    run(async {
        let world = World::new().await;
        let theirs = QueueSettings { namespace: Some("b".parse().unwrap()), ..QueueSettings::new(named("theirs")) };
        world.store().create_queue(CreateQueue { settings: theirs }).await.unwrap();
        let mut work = world.letter("b", "x");
        work.context.origin = Origin { transport: "queue".to_owned(), name: "theirs".to_owned(), ..Origin::default() };
        let letter = world.capture([work]).await[0];
        let processor = processor(&world, Some(Arc::new(BackToOrigin::new(world.store(), dead()))));
        let retried = processor.retry(&dead(), letter, "ann").await.unwrap();
        assert!(retried.attempt.unwrap().error.contains("no such queue named 'theirs'"));
        assert!(world.items("theirs").await.is_empty());
        // Its owner says that its dead come here, so that they come back from here.
        let update = UpdateQueue { dead_queue: Some(Some(dead())), ..UpdateQueue::of(named("theirs")) };
        world.store().update_queue(update).await.unwrap();
        assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success());
        assert_eq!(world.items("theirs").await.len(), 1);
    });
}

/// A store in which a letter is exhausted for another just before somebody looks at it.
#[derive(Debug)]
struct Bereaving {
    store: Arc<dyn Store>,
    waits_for: LetterId,
}

#[async_trait::async_trait]
impl Store for Bereaving {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if let Request::GetLetter(get) = &request
            && get.letter != self.waits_for
        {
            self.store.archive(Archive { queue: dead(), letters: vec![self.waits_for] }).await?;
            until("the loss on record", || async {
                let record = self.store.letter(GetLetter { queue: dead(), letter: get.letter }).await.unwrap();
                record.info.letter.unwrap().status == Status::Exhausted
            })
            .await;
        }
        self.store.submit(request, along).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

#[test]
fn a_retry_by_hand_tells_its_own_attempt_whatever_is_recorded_after_it() {
    run(async {
        let world = World::new().await;
        let mut letters = world.store().queue(GetQueue { name: dead() }).await.unwrap().letters;
        letters.on_lost_dependency = Some(OnLostDependency::Exhaust);
        let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) };
        world.store().update_queue(update).await.unwrap();
        let waits_for = parked(&world).await;
        let context = CaptureContext { depends_on: vec![waits_for], ..CaptureContext::default() };
        let letter = world.capture([NewLetter { context, ..world.letter("b", "x") }]).await[0];
        let store = Arc::new(Bereaving { store: world.store(), waits_for });
        let settings = ProcessorSettings { runner: unbroken(4), lease: LEASE, policy: policy(), interval: INTERVAL };
        let mut processor = Processor::new(store, Arc::new(world.clock.clone()), settings);
        let (handler, mut desk) = Desk::new(&world.clock);
        processor.add(dead(), Arc::new(handler)).unwrap();
        let retried = by_hand(&Arc::new(processor), letter);
        desk.next().await.fail(transient());
        let retried = soon("its outcome", retried).await.unwrap().unwrap();
        assert_eq!(retried.letter.attempts.last().unwrap().cause, Some(Cause::LostDependency));
        let attempt = retried.attempt.expect("it was tried");
        assert_eq!((attempt.error.as_str(), attempt.actor.as_deref()), ("out of order", Some("ann")));
    });
}
