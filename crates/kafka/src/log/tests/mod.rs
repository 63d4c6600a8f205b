//! The log against a naive model: random deliveries, claims, results, commits and rebalances over a simulated broker.
//!
//! `REDRIVE_SEED=7` runs seed 7 again; `REDRIVE_SOAK=100` runs a hundred times as many seeds.

mod broker;
mod checks;
mod model;
mod random;
mod results;
mod scenario;

use random::LogRandom;
use scenario::{LogScenario, ScenarioTally};

const SEEDS: u64 = 300;
const STEPS: usize = 250;

/// Prints the seed of a scenario that failed.
struct ReplayHint(u64);

impl Drop for ReplayHint {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with REDRIVE_SEED={}", self.0);
        }
    }
}

#[test]
fn random_events_leave_the_log_in_the_state_of_the_model_and_lose_no_record() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("REDRIVE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS * number("REDRIVE_SOAK").unwrap_or(1),
    };
    let is_whole_run = seeds.end - seeds.start >= SEEDS;
    let mut tally = ScenarioTally::default();
    for seed in seeds {
        let _hint = ReplayHint(seed);
        let mut scenario = LogScenario::new(LogRandom::new(seed));
        (0..STEPS).for_each(|_| scenario.step());
        scenario.quiesce();
        tally.add(&scenario.tally);
    }
    // A scenario that stopped to produce an event would pass without testing anything.
    assert!(!is_whole_run || tally.has_everything(), "an event is too rare: {tally:?}");
}
