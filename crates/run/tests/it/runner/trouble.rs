//! A source that does not do what it is asked, or does it and does not say so.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Failure, Span, Status, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, Origin};
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError, Work, WorkId};
use redrive_store::{Clock, ManualClock, Request, StoreError};
use tokio::sync::mpsc;

use crate::rig::{Act, Desk, START, World, item, kind_of, permanent, policy, run, soon, transient, unbroken, until};

/// Refuses requests of a kind.
pub(super) fn refuse(world: &World, kind: &'static str, error: &StoreError) {
    let error = error.clone();
    world.store.rule(move |request| if kind_of(request) == kind { Act::Refuse(error.clone()) } else { Act::Pass });
}

/// Does the next so many requests of a kind, and loses their answers.
fn lose(world: &World, kind: &'static str, mut count: usize) {
    world.store.rule(move |request| {
        if kind_of(request) == kind && count > 0 {
            count -= 1;
            return Act::Lose(StoreError::Overloaded);
        }
        Act::Pass
    });
}

#[test]
fn claims_that_are_refused_for_a_while_are_asked_again_and_the_health_tells() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        refuse(&world, "claim", &StoreError::Full);
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        until("trouble", || async { running.health().await.claim_trouble.is_some() }).await;
        let trouble = running.health().await.claim_trouble.unwrap();
        assert_eq!(trouble.since, START);
        assert!(trouble.error.contains("the disk is full"), "{}", trouble.error);
        world.stroll(Span::from_secs(20), Span::from_millis(500)).await;
        let trouble = running.health().await.claim_trouble.unwrap();
        assert_eq!(trouble.since, START, "since when, and not since the newest refusal");
        let asked = world.store.count("claim");
        assert!((5..=15).contains(&asked), "less and less often, not {asked} times");
        assert!(!running.health().await.is_progressing());
        world.store.open();
        world.advance(Span::from_secs(5));
        let seen = desk.next().await;
        assert_eq!(seen.call.attempt, 1);
        seen.done();
        world.until_empty().await;
        assert!(running.health().await.is_progressing(), "the trouble is over");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn results_that_are_refused_for_a_while_are_kept_and_handed_in_once() {
    run(async {
        let world = World::new().await;
        world.produce([item("done"), item("again"), item("dead")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let calls = desk.some(3).await;
        refuse(&world, "settle", &StoreError::Overloaded);
        for seen in calls {
            match seen.payload().as_str() {
                "done" => seen.done(),
                "again" => seen.fail(transient()),
                _ => seen.fail(permanent()),
            }
        }
        until("trouble", || async { running.health().await.settle_trouble.is_some() }).await;
        // Far longer than the claims last.
        world.stroll(Span::from_mins(10), Span::from_secs(5)).await;
        assert!(desk.at_once().is_none(), "nothing is done twice");
        let health = running.health().await;
        assert_eq!(health.settle_trouble.unwrap().since, START);
        assert_eq!((health.running, health.finishing), (0, 3));
        world.store.open();
        world.advance(Span::from_secs(5));
        until("the trouble to be over", || async { running.health().await.settle_trouble.is_none() }).await;
        assert_eq!(running.health().await.finishing, 0);
        let seen = desk.next().await;
        assert_eq!((seen.payload(), seen.call.attempt), ("again".to_owned(), 2));
        seen.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.retried, report.dead_lettered), (2, 1, 1));
        assert_eq!((report.lost, report.uncertain), (0, 0));
        assert_eq!(world.the_letter().await.content.payload, "dead");
        world.conserved().await;
    });
}

/// The claim of an attempt that timed out is kept until its failure is on record, like every other.
#[test]
fn the_failure_of_an_attempt_that_timed_out_survives_an_outage() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let settings = redrive_run::RunnerSettings { timeout: Span::from_secs(30), ..unbroken(1) };
        let (running, mut desk) = world.start(policy(), settings).await;
        let mut seen = desk.next().await;
        refuse(&world, "settle", &StoreError::Overloaded);
        world.stroll(Span::from_secs(30), Span::from_secs(10)).await;
        seen.dropped().await;
        running.pause().await;
        world.stroll(Span::from_mins(5), Span::from_secs(5)).await;
        assert_eq!(world.leased("orders").await, 1, "the claim holds");
        world.store.open();
        world.advance(Span::from_secs(5));
        until("the result to be taken", || async { world.leased("orders").await == 0 }).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.lost), (1, 0));
    });
}

#[test]
fn a_success_whose_answer_was_lost_is_not_done_twice() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        lose(&world, "settle", 1);
        seen.done();
        until("trouble", || async { running.health().await.settle_trouble.is_some() }).await;
        world.advance(Span::from_secs(1));
        until("no trouble", || async { running.health().await.is_progressing() }).await;
        world.calm().await;
        assert!(desk.at_once().is_none() && world.items("orders").await.is_empty());
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.uncertain, report.done, report.lost), (1, 0, 0));
        world.conserved().await;
    });
}

#[test]
fn a_retry_whose_answer_was_lost_counts_once() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        lose(&world, "settle", 2);
        seen.fail(transient());
        until("trouble", || async { running.health().await.settle_trouble.is_some() }).await;
        world.stroll(Span::from_secs(9), Span::from_millis(500)).await;
        assert!(desk.at_once().is_none(), "not early for that");
        world.advance(Span::from_secs(1));
        let seen = desk.next().await;
        assert_eq!(seen.call.attempt, 2);
        seen.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.uncertain, report.done), (1, 1));
        world.conserved().await;
    });
}

#[test]
fn a_letter_whose_answer_was_lost_is_one_letter() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        lose(&world, "settle", 3);
        seen.fail(permanent());
        world.stroll(Span::from_secs(5), Span::from_millis(500)).await;
        assert_eq!(world.the_letter().await.attempts.len(), 1);
        assert!(desk.at_once().is_none() && world.items("orders").await.is_empty());
        assert_eq!(running.stop(Span::ZERO).await.uncertain, 1);
        world.conserved().await;
    });
}

/// Some of a call were taken, and then the answer was lost: all are sent again, and each is what it was.
#[test]
fn a_call_whose_answer_was_lost_loses_no_result_of_it() {
    run(async {
        let world = World::new().await;
        world.produce((0..50).map(|number| item(&format!("{number}")))).await;
        let (running, mut desk) = world.start(policy(), unbroken(50)).await;
        let calls = desk.some(50).await;
        lose(&world, "settle", 2);
        for seen in calls {
            match seen.payload().parse::<u32>().unwrap() % 3 {
                0 => seen.done(),
                1 => seen.fail(transient()),
                _ => seen.fail(permanent()),
            }
        }
        world.stroll(Span::from_secs(9), Span::from_millis(500)).await;
        world.advance(Span::from_secs(1));
        for _ in 0..17 {
            let seen = desk.next().await;
            assert_eq!((seen.payload().parse::<u32>().unwrap() % 3, seen.call.attempt), (1, 2));
            seen.done();
        }
        world.until_empty().await;
        assert_eq!(world.dead_letters().await.len(), 16);
        assert!(desk.at_once().is_none());
        running.stop(Span::ZERO).await;
        world.conserved().await;
    });
}

/// Nobody got what was claimed. It comes again when the claim has run out, and that was an attempt.
#[test]
fn a_claim_whose_answer_was_lost_loses_no_work() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        lose(&world, "claim", 1);
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        until("trouble", || async { running.health().await.claim_trouble.is_some() }).await;
        world.stroll(Span::from_secs(61), Span::from_secs(10)).await;
        let seen = desk.next().await;
        assert_eq!(seen.call.attempt, 2);
        seen.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn extensions_that_are_refused_for_less_than_the_lease_cost_nothing() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let seen = desk.next().await;
        for _ in 0..3 {
            refuse(&world, "extend", &StoreError::Overloaded);
            world.stroll(Span::from_secs(25), Span::from_secs(5)).await;
            world.store.open();
            world.stroll(Span::from_secs(25), Span::from_secs(5)).await;
        }
        assert!(!seen.is_dropped());
        seen.done();
        world.until_empty().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost), (1, 0));
    });
}

#[test]
fn a_letters_outcome_whose_answer_was_lost_counts_once() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        for attempt in 2..=4 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            lose(&world, "settle", 1);
            seen.fail(transient());
            world.calm().await;
            world.advance(Span::from_secs(5));
        }
        world.until_status(id, Status::Exhausted).await;
        let info = world.info(id).await.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts), (3, 4));
        assert!(desk.at_once().is_none());
        running.stop(Span::ZERO).await;
    });
}

/// A result that the source will never take must not hold up the others, nor be sent for ever.
#[test]
fn an_error_text_of_any_size_stops_neither_its_work_nor_anybody_elses() {
    run(async {
        let clock = ManualClock::new(START);
        let options = EmbeddedOptions {
            clock: Arc::new(clock.clone()),
            segment_bytes: EmbeddedOptions::SEGMENT_BYTES_MIN,
            seed: Some(7),
            ..EmbeddedOptions::default()
        };
        let world = World::over(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        world.produce([item("talkative"), item("quiet")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(2)).await;
        for seen in desk.some(2).await {
            match seen.payload().as_str() {
                "talkative" => seen.fail(permanent().caused_by(permanent())),
                _ => seen.done(),
            }
        }
        until("the first two", || async { world.items("orders").await.is_empty() }).await;
        world.produce([item("screaming"), item("calm")]).await;
        for seen in desk.some(2).await {
            match seen.payload().as_str() {
                "screaming" => seen.fail(Failure::new("x".repeat(1 << 20))),
                _ => seen.done(),
            }
        }
        world.stroll(Span::from_secs(30), Span::from_secs(5)).await;
        assert!(world.items("orders").await.is_empty(), "both have an outcome");
        assert_eq!(world.dead_letters().await.len(), 2);
        running.stop(Span::ZERO).await;
    });
}

/// Many results that are fine by themselves and too much together.
#[test]
fn results_that_are_too_much_for_one_call_are_handed_in_by_several() {
    run(async {
        let clock = ManualClock::new(START);
        let options = EmbeddedOptions {
            clock: Arc::new(clock.clone()),
            segment_bytes: EmbeddedOptions::SEGMENT_BYTES_MIN,
            seed: Some(7),
            ..EmbeddedOptions::default()
        };
        let world = World::over(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        world.produce((0..64).map(|number| item(&number.to_string()))).await;
        let (running, mut desk) = world.start(policy(), unbroken(64)).await;
        for seen in desk.some(64).await {
            seen.fail(permanent());
        }
        world.stroll(Span::from_secs(30), Span::from_secs(5)).await;
        assert_eq!((world.items("orders").await.len(), world.dead_letters().await.len()), (0, 64));
        running.stop(Span::ZERO).await;
    });
}

// A source whose letters go somewhere else, where they are not taken for a while.

#[derive(Debug)]
struct Elsewhere {
    name: Arc<str>,
    clock: ManualClock,
    work: tokio::sync::Mutex<mpsc::Receiver<Delivery<u32>>>,
    resolutions: Mutex<Vec<&'static str>>,
    refusals: AtomicUsize,
}

#[async_trait]
impl Source for Elsewhere {
    type Fence = u32;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(AttemptLimit::Unlimited)
    }

    async fn claim(&self, _claim: ClaimSpec) -> Result<Vec<Delivery<u32>>, SourceError> {
        match self.work.lock().await.recv().await {
            Some(delivery) => Ok(vec![delivery]),
            None => Err(SourceError::Closed),
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<u32>]) -> Vec<Result<(), SettleError>> {
        let answer = |settlement: &FinishedDelivery<u32>| {
            let (resolution, answer) = match settlement.resolution {
                Resolution::DeadLetter(_) if self.refusals.fetch_sub(1, Ordering::Relaxed) > 0 => {
                    ("refused", Err(SettleError::HandOver("nobody is there".to_owned())))
                }
                Resolution::DeadLetter(_) => ("dead", Ok(())),
                Resolution::RedeliverForHandOver => ("condemned", Ok(())),
                Resolution::Ack { .. } => ("done", Ok(())),
                _ => ("other", Ok(())),
            };
            self.resolutions.lock().unwrap().push(resolution);
            answer
        };
        settlements.iter().map(answer).collect()
    }

    async fn extend(&self, fences: &[u32]) -> Vec<Result<Option<Time>, SettleError>> {
        let _now = self.clock.now();
        vec![Ok(None); fences.len()]
    }
}

fn delivery(fence: u32, is_hand_over_only: bool) -> Delivery<u32> {
    let work = Work {
        id: WorkId::Own(fence.to_string().into()),
        source: "key".into(),
        edition: None,
        origin: Arc::new(Origin::default()),
        content: Arc::new(Content::of_payload("x")),
        attempt: 1,
        deliveries: 1,
        since: START,
        trigger: redrive_core::Trigger::Automatic,
        destination: Arc::from("there"),
        parts: Vec::new(),
        terms: None,
        trace_id: None,
        request_id: None,
        submitted_by: None,
        metadata: std::collections::BTreeMap::new(),
    };
    Delivery { fence, work: Arc::new(work), deadline: None, is_hand_over_only, cancel: None, due: None }
}

#[test]
fn work_whose_letter_is_not_taken_is_condemned_and_handed_over_later_without_its_handler() {
    run(async {
        let world = World::new().await;
        let (give, work) = mpsc::channel(10);
        let source = Elsewhere {
            name: Arc::from("elsewhere"),
            clock: world.clock.clone(),
            work: tokio::sync::Mutex::new(work),
            resolutions: Mutex::default(),
            refusals: AtomicUsize::new(1),
        };
        let (handler, mut desk) = Desk::new(&world.clock);
        let running = world.runner(source, handler, policy(), unbroken(1)).start().await.unwrap();
        give.send(delivery(1, false)).await.unwrap();
        desk.next().await.fail(permanent());
        give.send(delivery(2, true)).await.unwrap();
        give.send(delivery(3, false)).await.unwrap();
        let last = desk.next().await;
        assert_eq!(last.call.id.to_string(), "3", "the condemned one does not run");
        last.done();
        world.calm().await;
        drop(give);
        let report = soon("the end", running.ended()).await;
        assert_eq!((report.condemned, report.dead_lettered, report.done), (1, 1, 1));
    });
}

#[test]
fn a_source_that_revokes_a_delivery_drops_its_handler_at_once() {
    run(async {
        let world = World::new().await;
        let (give, work) = mpsc::channel(10);
        let source = Elsewhere {
            name: Arc::from("elsewhere"),
            clock: world.clock.clone(),
            work: tokio::sync::Mutex::new(work),
            resolutions: Mutex::default(),
            refusals: AtomicUsize::new(0),
        };
        let (handler, mut desk) = Desk::new(&world.clock);
        let running = world.runner(source, handler, policy(), unbroken(1)).start().await.unwrap();
        let cancel = redrive_run::Cancel::new();
        give.send(Delivery { cancel: Some(cancel.clone()), ..delivery(1, false) }).await.unwrap();
        let mut seen = desk.next().await;
        cancel.cancel();
        seen.dropped().await;
        // Its place is free again.
        give.send(delivery(2, false)).await.unwrap();
        desk.next().await.done();
        world.calm().await;
        drop(give);
        let report = soon("the end", running.ended()).await;
        assert_eq!((report.lost, report.done), (1, 1));
    });
}

/// What is refused stays in the books of the one who asked.
#[test]
fn an_outage_of_everything_loses_nothing() {
    run(async {
        let world = World::new().await;
        world.produce((0..20).map(|number| item(&number.to_string()))).await;
        let (running, mut desk) = world.start(policy(), unbroken(5)).await;
        let calls = desk.some(5).await;
        world.store.rule(|request| match request {
            Request::Lease(_) | Request::Settle(_) | Request::Extend(_) => Act::Refuse(StoreError::Poisoned),
            _ => Act::Pass,
        });
        for seen in calls {
            seen.done();
        }
        world.stroll(Span::from_secs(40), Span::from_secs(5)).await;
        assert!(desk.at_once().is_none());
        world.store.open();
        world.advance(Span::from_secs(5));
        for _ in 0..15 {
            let seen = desk.next().await;
            assert_eq!(seen.call.attempt, 1);
            seen.done();
        }
        world.until_empty().await;
        assert_eq!(running.stop(Span::ZERO).await.done, 20);
        world.conserved().await;
    });
}
