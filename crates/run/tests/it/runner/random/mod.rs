//! Several runners over one store with random results, random times and operators who intervene, checked against a
//! model of what the handlers observed.

mod handler;
mod model;
mod scenario;

use futures_util::future::join_all;

use redrive_testkit::seeds;

use crate::fixture::run;

/// How many scenarios run concurrently: each waits for its own store most of the time.
const CONCURRENT: usize = 10;

fn run_all(fixed: u64, kind: scenario::Kind) {
    let seeds: Vec<u64> = seeds(fixed).map(u64::from).collect();
    for seeds in seeds.chunks(CONCURRENT) {
        run(join_all(seeds.iter().map(|seed| scenario::run_scenario(*seed, kind))));
    }
}

/// Claims never expire here, so that every attempt can be accounted for.
#[test]
fn every_attempt_is_accounted_for() {
    run_all(15, scenario::Kind::Reliable);
}

/// Claims expire, replies are lost and requests fail: no work is lost, and none exceeds its attempt limit.
#[test]
fn no_work_is_lost_when_claims_expire_and_replies_are_lost() {
    run_all(15, scenario::Kind::Faulty);
}
