//! The retry processor, two people and a source that goes on failing, all at the same letters, and a machine that stops
//! under them: what each of them was told must fit one order of events, letter by letter.
//!
//! A seed gives the same acts and the same fate of unsynced writes each time; how they mix also depends on the store's
//! own threads, so a seed that failed may need a few runs to fail again.

mod door;
mod handler;
mod letter;
mod life;
mod log;
mod order;
mod play;
mod tally;

use futures_util::future::join_all;

use crate::rig::{run, seeds};
use tally::Tally;

/// So many plays are on at a time: each waits for its own store most of the time.
const STAGES: usize = 8;

#[test]
fn of_many_who_want_one_letter_one_wins_and_the_others_are_told() {
    let mut tally = Tally::default();
    for seeds in seeds(40).chunks(STAGES) {
        for met in run(join_all(seeds.iter().map(|seed| play::play(*seed)))) {
            tally.add(&met);
        }
    }
    tally.assert_met();
}
