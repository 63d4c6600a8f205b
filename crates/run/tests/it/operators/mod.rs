//! A linearizability test: the retry processor, two operators and a failing source work on the same letters while the
//! machine crashes and restarts. For each letter, all replies must fit one sequential order of events.
//!
//! A seed gives the same operations and the same loss of unsynced writes each time. The interleaving also depends on
//! the threads of the store, so a seed that failed may need a few runs to fail again.

mod coverage;
mod handler;
mod instance;
mod letter;
mod linearize;
mod log;
mod recording_store;
mod scenario;

use futures_util::future::join_all;

use redrive_testkit::seeds;

use crate::fixture::run;
use coverage::Coverage;

/// How many scenarios run concurrently: each waits for its own store most of the time.
const CONCURRENT: usize = 8;

#[test]
fn concurrent_operations_on_a_letter_are_linearizable_across_crashes() {
    let mut coverage = Coverage::default();
    let seeds: Vec<u64> = seeds(10).map(u64::from).collect();
    for seeds in seeds.chunks(CONCURRENT) {
        for of_seed in run(join_all(seeds.iter().map(|seed| scenario::run_scenario(*seed)))) {
            coverage.add(&of_seed);
        }
    }
    coverage.assert_complete();
}
