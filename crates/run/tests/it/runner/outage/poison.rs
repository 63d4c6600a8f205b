//! Work that always fails, among work that does not.

use super::simulation::{Answer, Simulation, SourceKind, pausing};
use super::{for_both, produce_under_load};

fn is_poison(payload: &str) -> bool {
    payload.starts_with("bad")
}

fn poisoned(payload: &str, _at: f64) -> Answer {
    if is_poison(payload) { Answer::Status500 } else { Answer::Ok }
}

/// Each piece of poison became one letter after three attempts, and nothing else was charged.
async fn assert_only_poison_pays(simulation: &Simulation, kind: SourceKind) {
    for name in simulation.letter_names().await {
        let attempts: Vec<u32> = simulation.calls_of(&name).iter().map(|call| call.attempt).collect();
        assert!(
            attempts.is_sorted() && attempts.first() == Some(&1) && attempts.last() == Some(&3),
            "{kind:?}: {attempts:?}"
        );
    }
    for call in simulation.calls.iter().filter(|call| !is_poison(&call.payload)) {
        assert_eq!(call.attempt, 1, "{kind:?}: {call:?}");
    }
}

/// How long it takes to call all good work, of `good` pieces with `poison` pieces of poison spread among them.
async fn time_of_good(kind: SourceKind, concurrency: usize, good: usize, poison: usize) -> f64 {
    let mut simulation = Simulation::start(kind, pausing(concurrency, 5), poisoned).await;
    let every = good / poison.max(1);
    let mut names = Vec::new();
    for number in 0..good {
        if number % every == every / 2 && names.len() - number < poison {
            names.push(format!("bad-{number}"));
        }
        names.push(format!("{number:04}"));
    }
    simulation.produce(names).await;
    let good_calls = |simulation: &Simulation| simulation.calls.iter().filter(|call| !is_poison(&call.payload)).count();
    while good_calls(&simulation) < good {
        assert!(simulation.now() < 600.0, "{kind:?}, {poison}: {} good calls", good_calls(&simulation));
        simulation.tick().await;
    }
    let took = simulation.now();
    // The destination serves other work from time to time: so the rest of the poison can be told.
    let until = took + 10.0;
    produce_under_load(&mut simulation, until).await;
    simulation.until_ended(until + 30.0, is_poison).await;
    assert_eq!(simulation.letter_names().await.len(), poison);
    assert_only_poison_pays(&simulation, kind).await;
    simulation.stop().await;
    took
}

#[test]
fn poison_among_good_work_becomes_letters_and_slows_nothing_down() {
    for_both([8], async |kind, concurrency| {
        let clean = time_of_good(kind, concurrency, 400, 0).await;
        for poison in [1, 2, 6, 20] {
            let took = time_of_good(kind, concurrency, 400, poison).await;
            // A piece of poison uses a slot for each of its three attempts.
            let share = (400 + 3 * poison) as f64 / 400.0;
            assert!(took * 0.8 <= clean * share, "{kind:?}, {poison} of 400: {took} s instead of {clean} s");
        }
    });
}

#[test]
fn poison_at_the_head_holds_up_good_work_that_comes_later_for_a_moment() {
    for_both([1, 2, 6, 20, 200], async |kind, poison| {
        let mut simulation = Simulation::start(kind, pausing(16, 5), poisoned).await;
        simulation.produce((0..poison).map(|number| format!("bad-{number:03}"))).await;
        simulation.run_until(30.0).await;
        assert!(simulation.letters().await.is_empty(), "{kind:?}, {poison}: nothing tells poison from an outage yet");
        let arrived = simulation.now();
        produce_under_load(&mut simulation, 40.0).await;
        let first = simulation.calls.iter().find(|call| !is_poison(&call.payload)).map(|call| call.began);
        let longest = if poison <= 20 { 3.0 } else { 20.0 };
        let first = first.unwrap_or(f64::MAX) - arrived;
        assert!(first <= longest, "{kind:?}, {poison}: the first good call after {first} s");
        // It is called three times, a second apart, in turn with other work.
        while simulation.waiting().await.keys().any(|payload| is_poison(payload)) {
            assert!(simulation.now() < 90.0, "{kind:?}, {poison}: {:?}", simulation.waiting().await);
            let until = simulation.now() + 1.0;
            produce_under_load(&mut simulation, until).await;
        }
        simulation.until_ended(100.0, is_poison).await;
        assert_eq!(simulation.letter_names().await.len(), poison);
        assert_only_poison_pays(&simulation, kind).await;
        simulation.stop().await;
    });
}

/// Nothing tells it from work whose destination is down, so it waits for the patience of the breaker: five minutes.
#[test]
fn poison_that_is_alone_becomes_a_letter_when_patience_ends() {
    for_both([1, 3], async |kind, poison| {
        let mut simulation = Simulation::start(kind, pausing(4, 5), poisoned).await.without_latency();
        simulation.produce((0..poison).map(|number| format!("bad-{number}"))).await;
        while simulation.now() < 299.0 {
            simulation.tick().await;
        }
        assert!(simulation.letters().await.is_empty(), "{kind:?}: {:?}", simulation.calls);
        simulation.until_ended(320.0, is_poison).await;
        assert_only_poison_pays(&simulation, kind).await;
        let calls = simulation.calls.len();
        assert!(calls <= poison * 10 + 220, "{kind:?}: {calls} calls in five minutes");
        simulation.stop().await;
    });
}

/// Sparse successes: each of them ends the row.
#[test]
fn poison_becomes_letters_although_other_work_is_rare() {
    for_both([1, 2, 3], async |kind, threshold| {
        let mut simulation = Simulation::start(kind, pausing(4, threshold), poisoned).await.without_latency();
        simulation.produce(["bad-1", "bad-2"]).await;
        let mut number = 0;
        while simulation.letter_names().await.len() < 2 {
            assert!(number < 20, "threshold {threshold}: {:?}", simulation.waiting().await);
            simulation.produce([number.to_string()]).await;
            simulation.run_until(simulation.now() + 5.0).await;
            number += 1;
        }
        simulation.until_ended(2_000.0, is_poison).await;
        assert_only_poison_pays(&simulation, kind).await;
        simulation.stop().await;
    });
}
