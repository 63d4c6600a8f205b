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
use redrive_testkit::seeds;
use scenario::{LogScenario, ScenarioCounts};

const SEEDS: u64 = 75;
const STEPS: usize = 250;

#[test]
fn random_events_leave_the_log_in_the_state_of_the_model_and_lose_no_record() {
    let mut counts = ScenarioCounts::default();
    let mut count = 0;
    for seed in seeds(SEEDS) {
        let mut scenario = LogScenario::new(LogRandom::new(seed.number()));
        (0..STEPS).for_each(|_| scenario.step());
        scenario.quiesce();
        counts.add_all(&scenario.counts);
        count += 1;
    }
    // A scenario that stopped to produce an event would pass without testing anything.
    assert!(count == 1 || counts.has_everything(count), "an event is too rare: {counts:?}");
}
