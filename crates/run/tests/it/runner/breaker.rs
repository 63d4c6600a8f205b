//! Destinations that do not answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use redrive_core::{Policy, RetryPolicy, Span, Status};
use redrive_model::{Capture, GetStats, NewLetter};
use redrive_run::{Call, Handled, RunnerSettings};
use redrive_store::Store;

use crate::rig::{World, dead, item, permanent, policy, run, settings, soon, transient, until};

/// Letters for a destination, due at once, with retries for as long as a test lasts.
fn many(world: &World, destination: &str, count: usize) -> Vec<NewLetter> {
    let letter =
        |number| NewLetter { max_retries: 100, ..world.letter(&format!("{destination}-{number}"), destination) };
    (0..count).map(letter).collect()
}

#[test]
fn five_failures_of_one_destination_hold_it_back_and_no_other() {
    run(async {
        let world = World::new().await;
        world.capture(many(&world, "a", 20)).await;
        let (running, mut desk) = world.start_letters(policy(), settings(1)).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.calm().await;
        assert!(desk.at_once().is_none(), "five failures, and not a sixth call");
        assert_eq!(&*running.health().await.held[0], "a");
        world.capture(many(&world, "b", 10)).await;
        for _ in 0..10 {
            let seen = desk.next().await;
            assert_eq!(&*seen.call.destination, "b");
            seen.done();
        }
        world.calm().await;
        assert!(desk.at_once().is_none());
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn failures_of_the_work_itself_open_no_breaker() {
    run(async {
        let world = World::new().await;
        world.produce((0..20).map(|number| item(&number.to_string()))).await;
        let (running, mut desk) = world.start(policy(), settings(1)).await;
        for _ in 0..20 {
            desk.next().await.fail(permanent());
        }
        world.until_dead(20).await;
        assert!(running.health().await.held.is_empty());
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_breaker_that_was_open_long_enough_admits_one_probe_and_closes_by_its_success() {
    run(async {
        let world = World::new().await;
        world.capture(many(&world, "a", 20)).await;
        let (running, mut desk) = world.start_letters(policy(), settings(4)).await;
        // Four at a time: those that were called before it opened come back, too.
        let mut failed = 0;
        while failed < 5 {
            desk.next().await.fail(transient());
            failed += 1;
        }
        world.calm().await;
        while let Some(seen) = desk.at_once() {
            seen.fail(transient());
            world.calm().await;
        }
        for round in 0..3 {
            world.advance(Span::from_secs(10).saturating_sub(Span::from_micros(1)));
            world.calm().await;
            assert!(desk.at_once().is_none(), "round {round}: it is open still");
            world.advance(Span::from_micros(1));
            let probe = desk.next().await;
            world.calm().await;
            assert!(desk.at_once().is_none(), "round {round}: one probe at a time");
            probe.fail(transient());
            world.calm().await;
            assert!(desk.at_once().is_none(), "round {round}: open again");
        }
        world.advance(Span::from_secs(10));
        desk.next().await.done();
        // It answers: all places are used again.
        let mut done = 1;
        while done < 20 {
            desk.next().await.done();
            done += 1;
        }
        until("all to be done", || async {
            let letters = world.dead_letters().await;
            letters.iter().all(|letter| letter.info.letter.as_ref().unwrap().status == Status::Completed)
        })
        .await;
        assert_eq!(running.stop(Span::ZERO).await.done, 20);
    });
}

/// A probe that failed by the work's own fault has reached the destination.
#[test]
fn a_probe_whose_work_is_bad_closes_the_breaker() {
    run(async {
        let world = World::new().await;
        world.capture(many(&world, "a", 20)).await;
        let (running, mut desk) = world.start_letters(policy(), settings(1)).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        world.calm().await;
        world.advance(Span::from_secs(10));
        desk.next().await.fail(permanent());
        until("no held destination", || async { running.health().await.held.is_empty() }).await;
        desk.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

/// A probe that is given back untried, lost or stopped has shown nothing: another one takes its place.
#[test]
fn a_probe_that_says_nothing_makes_room_for_another() {
    run(async {
        let world = World::new().await;
        world.capture(many(&world, "a", 20)).await;
        let (running, mut desk) = world.start_letters(policy(), settings(1)).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        world.calm().await;
        world.advance(Span::from_secs(10));
        let until = world.clock.clone();
        desk.next()
            .await
            .answer(Handled::Deferred { until: redrive_store::Clock::now(&until).saturating_add(Span::from_hours(1)) });
        desk.next().await.done();
        desk.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_probe_that_times_out_opens_the_breaker_again_and_the_next_one_is_sent() {
    run(async {
        let world = World::new().await;
        world.capture(many(&world, "a", 20)).await;
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..settings(1) };
        let (running, mut desk) = world.start_letters(policy(), settings).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        for _ in 0..3 {
            world.calm().await;
            world.advance(Span::from_secs(10));
            let mut probe = desk.next().await;
            world.stroll(Span::from_secs(30), Span::from_secs(10)).await;
            probe.dropped().await;
        }
        world.calm().await;
        world.advance(Span::from_secs(10));
        desk.next().await.done();
        desk.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

/// A destination that may be tried again and has nothing to try waits for that. Nobody else does.
#[test]
fn a_destination_with_nothing_due_takes_no_place_from_the_others() {
    run(async {
        let world = World::new().await;
        let last = (0..5).map(|number| NewLetter { max_retries: 1, ..world.letter(&format!("a{number}"), "a") });
        world.capture(last).await;
        let (running, mut desk) = world.start_letters(policy(), settings(1)).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.advance(Span::from_secs(11));
        world.calm().await;
        for round in 0..3 {
            world.capture([world.letter(&format!("b{round}"), "b")]).await;
            let seen = desk.next().await;
            assert_eq!(&*seen.call.destination, "b", "round {round}");
            seen.done();
            world.calm().await;
        }
        running.stop(Span::ZERO).await;
    });
}

/// However many destinations may be tried again: one that has work is.
#[test]
fn a_destination_with_work_is_probed_however_many_have_none() {
    run(async {
        let world = World::new().await;
        for destination in 0..20 {
            let last = |number| {
                let name = format!("d{destination:02}");
                NewLetter { max_retries: 1, ..world.letter(&format!("{name}-{number}"), &name) }
            };
            world.capture((0..5).map(last)).await;
        }
        let (running, mut desk) = world.start_letters(policy(), settings(100)).await;
        for _ in 0..100 {
            desk.next().await.fail(transient());
        }
        until("twenty held destinations", || async { running.health().await.held.len() == 20 }).await;
        world.advance(Span::from_secs(11));
        world.calm().await;
        world.capture([world.letter("late", "d19")]).await;
        let seen = desk.next().await;
        assert_eq!(seen.payload(), "late");
        seen.done();
        running.stop(Span::ZERO).await;
    });
}

/// The claim that waits for everybody and the probe of one destination share the places.
#[test]
fn probes_and_other_work_together_never_exceed_the_places() {
    run(async {
        let world = World::new().await;
        let last = (0..5).map(|number| NewLetter { max_retries: 1, ..world.letter(&format!("a{number}"), "a") });
        world.capture(last).await;
        let (running, mut desk) = world.start_letters(policy(), settings(2)).await;
        for _ in 0..5 {
            desk.next().await.fail(transient());
        }
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.calm().await;
        world.advance(Span::from_secs(11));
        world.calm().await;
        // Now the claim for all others waits, and the one for the probe, too.
        let mut letters = vec![world.letter("probe", "a")];
        letters.extend((0..4).map(|number| world.letter(&format!("b{number}"), "b")));
        world.capture(letters).await;
        world.calm().await;
        assert!(running.health().await.running <= 2, "{} handlers in two places", running.health().await.running);
        let mut done = 0;
        while done < 5 {
            // All that run end before the runner hears of any.
            let mut together = vec![desk.next().await];
            while let Some(seen) = desk.at_once() {
                together.push(seen);
            }
            done += together.len();
            together.into_iter().for_each(crate::rig::Seen::done);
            world.calm().await;
        }
        until("all ends to be heard of", || async { running.health().await.running == 0 }).await;
        let report = soon("the end", running.stop(Span::from_secs(30))).await;
        assert_eq!((report.done, report.aborted), (5, 0));
    });
}

/// An hour of a destination that is down, with a hundred thousand letters due behind it: what it costs is the probes.
/// Then it answers, and all are delivered, each once.
#[test]
fn an_hour_of_a_destination_that_is_down_costs_the_probes_and_nothing_else() {
    const LETTERS: usize = 100_000;
    run(async {
        let world = World::new().await;
        let body = Arc::new(redrive_model::Content::of_payload("x"));
        for first in (0..LETTERS).step_by(2_000) {
            let letters = (first..first + 2_000).map(|number| NewLetter {
                max_retries: 100,
                content: Arc::clone(&body),
                ..world.letter(&format!("down-{number}"), "down")
            });
            world.store.local.capture(Capture::new(dead(), letters.collect())).await.unwrap();
        }
        let is_down = Arc::new(AtomicBool::new(true));
        let calls = Arc::new(AtomicU64::new(0));
        let seen = Arc::new(Mutex::new(BTreeMap::<Box<str>, u32>::new()));
        let done = Arc::new(Mutex::new(BTreeSet::<Box<str>>::new()));
        let handler = {
            let (is_down, calls, seen, done) =
                (Arc::clone(&is_down), Arc::clone(&calls), Arc::clone(&seen), Arc::clone(&done));
            move |call: Call| {
                calls.fetch_add(1, Ordering::SeqCst);
                *seen.lock().unwrap().entry(call.id.to_string().into()).or_default() += 1;
                let handled = if is_down.load(Ordering::SeqCst) {
                    Handled::failed(transient())
                } else {
                    assert!(done.lock().unwrap().insert(call.id.to_string().into()), "{} is done twice", call.id);
                    Handled::DONE
                };
                async move { handled }
            }
        };
        let patient = Policy::builder().max_attempts(101).build().unwrap();
        let runner = world.runner(world.letters(), handler.clone(), patient.clone(), settings(16));
        let running = runner.start().await.unwrap();
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.calm().await;
        let first = calls.load(Ordering::SeqCst);
        assert!(first <= 16 + 5, "{first} calls before it opened");
        let before = world.store.local.status();
        let (claims, settles) = (world.store.count("claim"), world.store.count("settle"));
        // The breaker is open for ten seconds each time.
        world.stroll(Span::from_hours(1), Span::from_secs(5)).await;
        let probes = calls.load(Ordering::SeqCst) - first;
        assert_eq!(probes, 360, "one probe every ten seconds");
        let after = world.store.local.status();
        let facts = after.facts - before.facts;
        assert!(facts <= 4 * probes, "{facts} facts for {probes} probes");
        assert!(world.store.count("settle") - settles <= probes);
        assert!(
            world.store.count("claim") - claims <= 4 * probes + 10,
            "{} claims",
            world.store.count("claim") - claims
        );
        let tried: u64 = seen.lock().unwrap().values().map(|times| u64::from(*times)).sum();
        assert_eq!(tried, first + probes);
        let statistics = world.store.local.stats(GetStats { queue: dead() }).await.unwrap();
        assert_eq!(statistics.letters.of(Status::Pending), LETTERS as u64, "{statistics:?}");

        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.done, report.lost), (first + probes, 0, 0));
        assert_eq!(report.deferred, 0, "no letter is written for being held back");

        is_down.store(false, Ordering::SeqCst);
        let runner = world.runner(world.letters(), handler, patient, settings(512));
        let running = runner.start().await.unwrap();
        for goal in (LETTERS / 10..=LETTERS).step_by(LETTERS / 10) {
            until("all to be delivered", || async {
                world.store.local.stats(GetStats { queue: dead() }).await.unwrap().letters.of(Status::Completed)
                    >= goal as u64
            })
            .await;
        }
        assert_eq!(done.lock().unwrap().len(), LETTERS);
        let report = running.stop(Span::from_secs(10)).await;
        assert_eq!((report.done, report.lost, report.uncertain, report.deferred), (LETTERS as u64, 0, 0, 0));
        world.conserved().await;
    });
}

/// The same for the items of a queue: one destination, held as a whole.
#[test]
fn a_queue_whose_destination_is_down_is_not_leased_from() {
    run(async {
        let world = World::new().await;
        world.produce((0..100).map(|number| item(&number.to_string()))).await;
        let (running, mut desk) = world.start(policy(), settings(5)).await;
        for seen in desk.some(5).await {
            seen.fail(transient());
        }
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.calm().await;
        assert_eq!(world.leased("orders").await, 0);
        let untried = world.items("orders").await.iter().filter(|item| item.info.deliveries == 0).count();
        assert_eq!(untried, 95);
        world.advance(Span::from_secs(10));
        let probe = desk.next().await;
        world.calm().await;
        assert_eq!(world.leased("orders").await, 1);
        probe.done();
        let mut left = 99;
        while left > 0 {
            desk.next().await.done();
            left -= 1;
            if left == 5 {
                world.advance(Span::from_secs(10));
            }
        }
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

/// Its own backoff does not make a held letter early, nor does the breaker's time.
#[test]
fn a_probe_is_never_early() {
    run(async {
        let world = World::new().await;
        let slow =
            (0..5).map(|number| NewLetter { policy: RetryPolicy::Linear, ..world.letter(&format!("a{number}"), "a") });
        world.capture(slow).await;
        let (running, mut desk) = world.start_letters(policy(), settings(5)).await;
        world.advance(Span::from_mins(5));
        for seen in desk.some(5).await {
            seen.fail(transient());
        }
        until("a held destination", || async { running.health().await.held.len() == 1 }).await;
        world.stroll(Span::from_mins(10).saturating_sub(Span::from_micros(1)), Span::from_secs(20)).await;
        assert!(desk.at_once().is_none(), "ten minutes have not passed since it failed");
        world.advance(Span::from_micros(1));
        let probe = desk.next().await;
        world.calm().await;
        assert!(desk.at_once().is_none(), "one probe");
        probe.done();
        running.stop(Span::ZERO).await;
    });
}
