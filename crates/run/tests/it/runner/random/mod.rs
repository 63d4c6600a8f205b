//! Many runners over one store, outcomes and times by chance, people who intervene: checked against what the handlers
//! themselves saw.

mod book;
mod handler;
mod play;

use futures_util::future::join_all;

use crate::rig::{run, seeds};

/// So many plays are on at a time: each waits for its own store most of the time.
const STAGES: usize = 10;

fn all(usual: u64, kind: play::Kind) {
    for seeds in seeds(usual).chunks(STAGES) {
        run(join_all(seeds.iter().map(|seed| play::play(*seed, kind))));
    }
}

/// Claims never run out here, so every attempt can be accounted for.
#[test]
fn every_attempt_is_accounted_for_whatever_happens() {
    all(60, play::Kind::Orderly);
}

/// Claims run out, answers are lost, requests are refused: nothing is lost for that, and nothing is tried too often.
#[test]
fn nothing_is_lost_when_claims_run_out_and_answers_are_lost() {
    all(60, play::Kind::Wild);
}
