//! Circuit breakers: destinations that fail repeatedly, and letters in retry, which wait at their queue meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use redrive_core::{BreakerState, Policy, RetryPolicy, Span, Status, Time};
use redrive_model::{Capture, GetStats, NewLetter};
use redrive_run::{Call, Handled, RunnerSettings, Running};
use redrive_store::{Clock, Store};

use crate::fixture::{
    CallInbox, Fixture, PendingCall, dead, item, permanent, policy, settings, transient, wait_for, wait_until,
    with_fixture,
};

const INSTANT: Span = Span::from_micros(1);

/// Letters for a destination that are due immediately, with more retries than a test needs.
pub(super) fn letters_for(fixture: &Fixture, destination: &str, count: usize) -> Vec<NewLetter> {
    let letter =
        |number| NewLetter { max_retries: 100, ..fixture.letter(&format!("{destination}-{number}"), destination) };
    (0..count).map(letter).collect()
}

/// Five letters for `a` that have one retry left.
pub(super) fn last_retries(fixture: &Fixture) -> Vec<NewLetter> {
    let letter = |number| NewLetter { max_retries: 1, ..fixture.letter(&format!("a{number}"), "a") };
    (0..5).map(letter).collect()
}

/// Starts a runner over these letters, and pauses their destination with five failures. The first probe goes at once.
pub(super) async fn start_and_open(
    fixture: &Fixture,
    letters: Vec<NewLetter>,
    concurrency: usize,
) -> (Running, CallInbox) {
    fixture.capture(letters).await;
    let (running, mut inbox) = fixture.start_letters(policy(), settings(concurrency)).await;
    inbox.fail_next(5).await;
    until_open(&running).await;
    (running, inbox)
}

/// The same with 20 letters of the destination `a`, and fails the first probe: the next one waits.
pub(super) async fn start_and_fail_a_probe(fixture: &Fixture, concurrency: usize) -> (Running, CallInbox) {
    let (running, mut inbox) = start_and_open(fixture, letters_for(fixture, "a", 20), concurrency).await;
    inbox.fail_next(1).await;
    (running, inbox)
}

pub(crate) async fn until_open(running: &Running) {
    wait_until("a paused destination", || async { running.health().await.held.len() == 1 }).await;
}

pub(super) async fn until_resumed(running: &Running) {
    wait_until("the end of the pause", || async { running.health().await.held.is_empty() }).await;
}

/// When the only paused destination is probed next, after this number of failed probes in sequence.
pub(crate) async fn next_probe_at(fixture: &Fixture, running: &Running, failed: u32) -> Time {
    fixture.until_idle().await;
    let destinations = running.health().await.destinations;
    let at = destinations.iter().find_map(|destination| destination.next_probe_at);
    let at = at.unwrap_or_else(|| panic!("no destination waits for a probe: {destinations:?}"));
    let longest = Span::from_millis(100 << (failed - 1).min(10)).min(Span::from_secs(10));
    let shortest = Span::from_micros(longest.as_micros() / 4 * 3);
    let wait = at.since(fixture.clock.now());
    assert!((shortest..=longest).contains(&wait), "{wait} after {failed} failed probes");
    at
}

/// Advances the clock to the next probe of the only paused destination, after this number of failed probes in sequence.
pub(super) async fn next_probe(
    fixture: &Fixture,
    running: &Running,
    inbox: &mut CallInbox,
    failed: u32,
) -> PendingCall {
    let wait = next_probe_at(fixture, running, failed).await.since(fixture.clock.now());
    fixture.advance(wait.saturating_sub(INSTANT));
    fixture.assert_no_call(inbox, &format!("no probe before its time, after {failed} failed probes")).await;
    fixture.advance(INSTANT);
    inbox.next().await
}

/// The calls that the runner makes when it is idle otherwise.
async fn calls_now(fixture: &Fixture, inbox: &mut CallInbox) -> Vec<PendingCall> {
    fixture.until_idle().await;
    std::iter::from_fn(|| inbox.try_next()).collect()
}

#[test]
fn five_failures_pause_their_destination_and_no_other() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_open(&fixture, letters_for(&fixture, "a", 20), 2).await;
        let beside = inbox.next().await;
        let probe = inbox.next().await;
        fixture.assert_no_call(&mut inbox, "one probe at a time").await;
        beside.fail(transient());
        probe.fail(transient());
        fixture.assert_no_call(&mut inbox, "no call before the next probe").await;
        assert_eq!(&*running.health().await.held[0], "a");
        fixture.capture(letters_for(&fixture, "b", 10)).await;
        for _ in 0..10 {
            let pending = inbox.next().await;
            assert_eq!(&*pending.call.destination, "b");
            pending.done();
        }
        fixture.assert_no_call(&mut inbox, "no further call").await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn permanent_failures_open_no_breaker() {
    with_fixture(async |fixture| {
        fixture.produce((0..20).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), settings(1)).await;
        for _ in 0..20 {
            inbox.next().await.fail(permanent());
        }
        fixture.until_letters(20).await;
        assert!(running.health().await.held.is_empty());
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_paused_destination_gets_one_probe_at_a_time_after_waits_that_double() {
    with_fixture(async |fixture| {
        fixture.capture(letters_for(&fixture, "a", 20)).await;
        let (running, mut inbox) = fixture.start_letters(policy(), settings(4)).await;
        // Four handlers run at a time: three beside the one that pauses the destination, and the first probe.
        let mut failed = 0;
        loop {
            let calls = calls_now(&fixture, &mut inbox).await;
            if calls.is_empty() {
                break;
            }
            failed += calls.len();
            calls.into_iter().for_each(|pending| pending.fail(transient()));
        }
        // All four of a round fail together: the second round pauses the destination.
        assert_eq!(failed, 4 + 4 + 1, "two rounds and the first probe");
        for failed in 1..=10 {
            let probe = next_probe(&fixture, &running, &mut inbox, failed).await;
            fixture.assert_no_call(&mut inbox, &format!("one probe at a time after {failed} failed ones")).await;
            probe.fail(transient());
        }
        let first = next_probe(&fixture, &running, &mut inbox, 11).await;
        let first_id = first.call.id.clone();
        first.done();
        let second = inbox.next().await;
        assert_ne!(second.call.id, first_id, "other work");
        fixture.assert_no_call(&mut inbox, "one probe at a time after a served one").await;
        assert_eq!(running.health().await.held.len(), 1, "one served call may be luck");
        second.done();
        until_resumed(&running).await;
        let mut done = 2;
        // One call at a time, doubled by each served one: in the first second up to half of the concurrency, then up to all
        // of it.
        for (at_once, wait) in [(1, Span::ZERO), (2, Span::ZERO), (2, Span::from_secs(1)), (4, Span::ZERO)] {
            let calls = calls_now(&fixture, &mut inbox).await;
            assert_eq!(calls.len(), at_once, "after {done} served calls");
            fixture.advance(wait);
            done += calls.len();
            calls.into_iter().for_each(PendingCall::done);
        }
        inbox.complete_next(20 - done).await;
        wait_until("the completion of all letters", || async {
            let letters = fixture.dead_letters().await;
            letters.iter().all(|letter| letter.info.letter.as_ref().unwrap().status == Status::Completed)
        })
        .await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.retried), (20, 9 + 10), "{report:?}");
    });
}

/// A destination that serves some calls is not up.
#[test]
fn a_failure_of_other_work_between_two_served_calls_does_not_end_the_pause() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        let mut served = BTreeSet::new();
        for round in 0..3 {
            let probe = next_probe(&fixture, &running, &mut inbox, 1).await;
            served.insert(probe.call.id.to_string());
            probe.done();
            // It waits no longer than after the first failed probe, as one was served before it. Work of the row fails
            // without interrupting the sequence: the probe is other work.
            let probe = inbox.next().await;
            assert!(!served.contains(&probe.call.id.to_string()), "round {round}");
            probe.fail(transient());
            fixture.assert_no_call(&mut inbox, &format!("round {round}: the next probe waits")).await;
            assert_eq!(running.health().await.held.len(), 1, "round {round}");
        }
        running.stop(Span::ZERO).await;
    });
}

/// With the only letter of a destination there is no second call to wait for.
#[test]
fn one_served_call_ends_a_pause_if_there_has_been_no_other_work_for_100_ms() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_open(&fixture, last_retries(&fixture), 1).await;
        fixture.capture(letters_for(&fixture, "a", 1)).await;
        inbox.next().await.fail(transient());
        next_probe(&fixture, &running, &mut inbox, 1).await.done();
        fixture.until_idle().await;
        fixture.advance(Span::from_millis(100).saturating_sub(INSTANT));
        fixture.until_idle().await;
        assert_eq!(running.health().await.held.len(), 1, "other work may come");
        fixture.advance(INSTANT);
        until_resumed(&running).await;
        running.stop(Span::ZERO).await;
    });
}

/// A permanent failure shows that the destination answered.
#[test]
fn two_probes_that_fail_permanently_end_the_pause() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        next_probe(&fixture, &running, &mut inbox, 1).await.fail(permanent());
        inbox.next().await.fail(permanent());
        until_resumed(&running).await;
        inbox.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

/// A probe that is deferred, lost or stopped shows nothing about the destination.
#[test]
fn a_probe_without_a_result_is_followed_by_another() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        let probe = next_probe(&fixture, &running, &mut inbox, 1).await;
        probe.answer(Handled::Deferred { until: fixture.clock.now().saturating_add(Span::from_hours(1)) });
        inbox.next().await.done();
        assert_eq!(running.health().await.held.len(), 1, "one served call, and one without a result");
        inbox.next().await.done();
        until_resumed(&running).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_probe_that_times_out_counts_as_failed() {
    with_fixture(async |fixture| {
        fixture.capture(letters_for(&fixture, "a", 20)).await;
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..settings(1) };
        let (running, mut inbox) = fixture.start_letters(policy(), settings).await;
        inbox.fail_next(5).await;
        let mut probe = inbox.next().await;
        for failed in 1..=3 {
            fixture.advance_in_steps(Span::from_secs(30), Span::from_secs(10)).await;
            probe.dropped().await;
            probe = next_probe(&fixture, &running, &mut inbox, failed).await;
        }
        probe.done();
        inbox.next().await.done();
        until_resumed(&running).await;
        running.stop(Span::ZERO).await;
    });
}

/// A half-open destination without due work waits for a probe; other destinations must not.
#[test]
fn a_half_open_destination_without_due_work_does_not_block_other_destinations() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_open(&fixture, last_retries(&fixture), 1).await;
        fixture.until_idle().await;
        assert_eq!(running.health().await.destinations[0].breaker, BreakerState::HalfOpen);
        for round in 0..3 {
            fixture.capture([fixture.letter(&format!("b{round}"), "b")]).await;
            let pending = inbox.next().await;
            assert_eq!(&*pending.call.destination, "b", "round {round}");
            pending.done();
            fixture.until_idle().await;
        }
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_half_open_destination_with_work_is_probed_even_if_many_others_have_none() {
    with_fixture(async |fixture| {
        for destination in 0..20 {
            let last = |number| {
                let name = format!("d{destination:02}");
                NewLetter { max_retries: 1, ..fixture.letter(&format!("{name}-{number}"), &name) }
            };
            fixture.capture((0..5).map(last)).await;
        }
        let (running, mut inbox) = fixture.start_letters(policy(), settings(100)).await;
        inbox.fail_next(100).await;
        wait_until("twenty paused destinations", || async { running.health().await.held.len() == 20 }).await;
        fixture.until_idle().await;
        fixture.capture([fixture.letter("late", "d19")]).await;
        let pending = inbox.next().await;
        assert_eq!(pending.payload(), "late");
        pending.done();
        running.stop(Span::ZERO).await;
    });
}

/// The claim for all closed destinations and the claim for a probe wait at the same time and share the slots.
#[test]
fn probes_and_other_work_together_never_exceed_the_concurrency() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_open(&fixture, last_retries(&fixture), 2).await;
        fixture.until_idle().await;
        // Now both claims wait: the one for all other destinations, and the one for the probe.
        let mut letters = vec![fixture.letter("probe", "a")];
        letters.extend((0..4).map(|number| fixture.letter(&format!("b{number}"), "b")));
        fixture.capture(letters).await;
        fixture.until_idle().await;
        assert!(running.health().await.running <= 2, "{} handlers in two slots", running.health().await.running);
        let mut done = 0;
        while done < 5 {
            // All running handlers end before the runner processes one of them.
            let mut together = vec![inbox.next().await];
            while let Some(pending) = inbox.try_next() {
                together.push(pending);
            }
            done += together.len();
            together.into_iter().for_each(crate::fixture::PendingCall::done);
            fixture.until_idle().await;
        }
        wait_until("no running handlers", || async { running.health().await.running == 0 }).await;
        let report = wait_for("the end", running.stop(Span::from_secs(30))).await;
        assert_eq!((report.done, report.aborted), (5, 0));
    });
}

/// A destination is down for an hour while 100,000 letters are due for it. Then it answers, and every letter is
/// delivered once.
#[test]
fn a_destination_that_is_down_for_an_hour_costs_only_its_probes() {
    const LETTERS: usize = 100_000;
    with_fixture(async |fixture| {
        let body = Arc::new(redrive_model::Content::of_payload("x"));
        for first in (0..LETTERS).step_by(2_000) {
            let letters = (first..first + 2_000).map(|number| NewLetter {
                max_retries: 100,
                content: Arc::clone(&body),
                ..fixture.letter(&format!("down-{number}"), "down")
            });
            fixture.store.local.capture(Capture::new(dead(), letters.collect())).await.unwrap();
        }
        let is_down = Arc::new(AtomicBool::new(true));
        let calls = Arc::new(AtomicU64::new(0));
        let tries = Arc::new(Mutex::new(BTreeMap::<Box<str>, u32>::new()));
        let done = Arc::new(Mutex::new(BTreeSet::<Box<str>>::new()));
        let handler = {
            let (is_down, calls, tries, done) =
                (Arc::clone(&is_down), Arc::clone(&calls), Arc::clone(&tries), Arc::clone(&done));
            move |call: Call| {
                calls.fetch_add(1, Ordering::SeqCst);
                *tries.lock().unwrap().entry(call.id.to_string().into()).or_default() += 1;
                let handled = if is_down.load(Ordering::SeqCst) {
                    Handled::failed(transient())
                } else {
                    assert!(done.lock().unwrap().insert(call.id.to_string().into()), "{} is done twice", call.id);
                    Handled::DONE
                };
                async move { handled }
            }
        };
        let many_attempts = Policy::builder().max_attempts(101).build().unwrap();
        let runner = fixture.runner(fixture.letters(), handler.clone(), many_attempts.clone(), settings(16));
        let running = runner.start().await.unwrap();
        until_open(&running).await;
        fixture.until_idle().await;
        let first = calls.load(Ordering::SeqCst);
        assert!(first <= 16 + 5 + 1, "{first} calls before the destination was paused, and of the first probe");
        let before = fixture.store.local.status();
        let (claims, settles) = (fixture.store.count("claim"), fixture.store.count("settle"));
        let (began, mut probes) = (fixture.clock.now(), 0);
        while fixture.clock.now().since(began) < Span::from_hours(1) {
            let at = next_probe_at(&fixture, &running, u32::try_from(probes).unwrap() + 1).await;
            fixture.advance(at.since(fixture.clock.now()));
            probes += 1;
            fixture.until_idle().await;
            assert_eq!(calls.load(Ordering::SeqCst) - first, probes, "one call at the time of each probe");
        }
        let after = fixture.store.local.status();
        let facts = after.facts - before.facts;
        assert!(facts <= 4 * probes, "{facts} facts for {probes} probes");
        assert!(fixture.store.count("settle") - settles <= probes);
        assert!(
            fixture.store.count("claim") - claims <= 4 * probes + 10,
            "{} claims",
            fixture.store.count("claim") - claims
        );
        let tried: u64 = tries.lock().unwrap().values().map(|times| u64::from(*times)).sum();
        assert_eq!(tried, first + probes);
        let statistics = fixture.store.local.stats(GetStats { queue: dead() }).await.unwrap();
        assert_eq!(statistics.letters.of(Status::Pending), LETTERS as u64, "{statistics:?}");

        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.done, report.lost), (first + probes, 0, 0));
        assert_eq!(report.deferred, 0, "letters behind an open breaker are not written");

        is_down.store(false, Ordering::SeqCst);
        let runner = fixture.runner(fixture.letters(), handler, many_attempts, settings(512));
        let running = runner.start().await.unwrap();
        for goal in (LETTERS / 10..=LETTERS).step_by(LETTERS / 10) {
            wait_until("the delivery of all letters", || async {
                fixture.store.local.stats(GetStats { queue: dead() }).await.unwrap().letters.of(Status::Completed)
                    >= goal as u64
            })
            .await;
        }
        assert_eq!(done.lock().unwrap().len(), LETTERS);
        let report = running.stop(Span::from_secs(10)).await;
        assert_eq!((report.done, report.lost, report.uncertain, report.deferred), (LETTERS as u64, 0, 0, 0));
        fixture.assert_conserved().await;
    });
}

/// All items of a queue have one destination.
#[test]
fn a_queue_whose_breaker_is_open_is_not_leased_from() {
    with_fixture(async |fixture| {
        fixture.produce((0..100).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), settings(5)).await;
        for pending in inbox.take(5).await {
            pending.fail(transient());
        }
        let probe = inbox.next().await;
        fixture.until_idle().await;
        assert_eq!(fixture.leased("orders").await, 1, "the first probe");
        probe.fail(transient());
        fixture.until_idle().await;
        assert_eq!(fixture.leased("orders").await, 0);
        let untried = fixture.items("orders").await.iter().filter(|item| item.info.deliveries == 0).count();
        assert_eq!(untried, 94);
        let probe = next_probe(&fixture, &running, &mut inbox, 1).await;
        fixture.until_idle().await;
        assert_eq!(fixture.leased("orders").await, 1, "the next probe");
        probe.done();
        inbox.complete_next(93).await;
        fixture.assert_no_call(&mut inbox, "what has failed waits for its delay").await;
        fixture.advance(Span::from_secs(10));
        inbox.complete_next(6).await;
        fixture.stop_when_empty(running).await;
    });
}

/// The wait of the breaker may end before the letter's backoff does.
#[test]
fn a_probe_is_never_sent_before_its_letter_is_due() {
    with_fixture(async |fixture| {
        let slow = (0..5)
            .map(|number| NewLetter { policy: RetryPolicy::Linear, ..fixture.letter(&format!("a{number}"), "a") });
        fixture.capture(slow).await;
        let (running, mut inbox) = fixture.start_letters(policy(), settings(5)).await;
        fixture.advance(Span::from_mins(5));
        for pending in inbox.take(5).await {
            pending.fail(transient());
        }
        until_open(&running).await;
        fixture.advance_in_steps(Span::from_mins(10).saturating_sub(Span::from_micros(1)), Span::from_secs(20)).await;
        assert!(inbox.try_next().is_none(), "the letter is due ten minutes after its failure");
        fixture.advance(Span::from_micros(1));
        let probe = inbox.next().await;
        fixture.assert_no_call(&mut inbox, "one probe at a time").await;
        probe.done();
        running.stop(Span::ZERO).await;
    });
}

/// An outage of any length: however often the destination is probed, the letters keep their retries.
#[test]
fn a_failed_probe_spends_no_retry_of_its_letter() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_open(&fixture, last_retries(&fixture), 1).await;
        let probed = NewLetter { max_retries: 1, ..fixture.letter("probed", "a") };
        let probed = fixture.capture([probed]).await[0];
        for round in 0..30 {
            fixture.advance_when_idle(Span::from_secs(10)).await;
            let probe = inbox.next().await;
            assert_eq!((probe.payload().as_str(), probe.call.attempt), ("probed", 2), "round {round}");
            probe.fail(transient());
        }
        fixture.until_idle().await;
        let record = fixture.record(probed).await;
        let info = record.info.letter.unwrap();
        assert_eq!((info.status, info.retries, info.total_attempts), (Status::Pending, 0, 1));
        assert_eq!(record.attempts.len(), 21, "the first and the newest twenty");
        assert!(record.attempts[1..].iter().all(|attempt| attempt.rule.as_deref() == Some("http:503")));
        fixture.advance(Span::from_secs(10));
        inbox.next().await.done();
        fixture.until_status(probed, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn failures_for_5_s_pause_the_destination_of_a_single_letter() {
    with_fixture(async |fixture| {
        fixture.capture(letters_for(&fixture, "a", 1)).await;
        let (running, mut inbox) = fixture.start_letters(policy(), settings(1)).await;
        inbox.fail_next(10).await;
        let pending = inbox.next().await;
        fixture.advance(Span::from_secs(5).saturating_sub(INSTANT));
        fixture.until_idle().await;
        assert!(running.health().await.held.is_empty());
        fixture.advance(INSTANT);
        until_open(&running).await;
        pending.fail(transient());
        inbox.next().await.fail(transient());
        next_probe(&fixture, &running, &mut inbox, 1).await.fail(transient());
        running.stop(Span::ZERO).await;
    });
}

/// A single letter shows no outage: its limit holds, also where its failures have paused its destination.
#[test]
fn each_failure_of_a_letter_that_is_alone_is_charged() {
    with_fixture(async |fixture| {
        let letter = NewLetter { max_retries: 3, ..fixture.letter("a-0", "a") };
        let letter = fixture.capture([letter]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), settings(1)).await;
        for expected in 1..=3 {
            inbox.next().await.fail(transient());
            fixture.until_idle().await;
            assert_eq!(fixture.info(letter).await.letter.unwrap().retries, expected);
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        fixture.until_status(letter, Status::Exhausted).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_failed_probe_spends_no_attempt_of_an_item() {
    with_fixture(async |fixture| {
        fixture.produce((0..5).map(|number| item(&number.to_string()))).await;
        let policy = Policy::builder().max_attempts(2).backoff(redrive_core::Backoff::fixed(Span::from_secs(1)));
        let (running, mut inbox) = fixture.start(policy.build().unwrap(), settings(1)).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        for _ in 0..20 {
            fixture.advance_when_idle(Span::from_secs(10)).await;
            inbox.next().await.fail(transient());
        }
        fixture.advance_when_idle(Span::from_secs(10)).await;
        inbox.complete_next(5).await;
        fixture.until_empty().await;
        assert_eq!(fixture.dead_letters().await, []);
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.dead_lettered), (5, 0));
    });
}
