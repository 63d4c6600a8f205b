//! The state machine beside a model of it, through random histories.
//!
//! The model and what thinks up operations are those of the stores' conformance suite
//! ([`redrive_store::conformance::model`]): `any` thinks up an operation, `naive` predicts what it does, [`machine`] does
//! it and keeps the log; [`compare`] looks after every step, [`audit`] and [`pages`] look at everything now and then. [`broken`] and
//! [`reach`] test the test: what it notices, and what it comes by.
//!
//! `REDRIVE_SOAK=100` lives through a hundred times as many histories; `REDRIVE_SEED=7` through that one again.
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
mod broken;
mod compare;
mod exits;
mod fault;
mod fork;
mod history;
mod late;
mod machine;
mod pages;
mod perform;
mod reach;
mod scenes;

pub(crate) use history::{History, Plan};
use redrive_store::conformance::model::random::seeds;

/// A history of the usual kind.
pub(crate) const USUAL: Plan =
    Plan { steps: 100, limit: usize::MAX, is_recovered: false, audit_every: 10, fault: None };

/// Histories are many and know nothing of each other, so each core takes its share.
fn live_through(usual: u64, plan: Plan) {
    let seeds = seeds(usual);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| {
        let wrong = |seed| History::new(seed, plan).run().err().map(|wrong| format!("REDRIVE_SEED={seed}: {wrong}"));
        seeds.clone().skip(first).step_by(cores).find_map(wrong)
    };
    let wrong = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|first| scope.spawn(move || share(first))).collect();
        threads.into_iter().find_map(|thread| thread.join().unwrap())
    });
    if let Some(wrong) = wrong {
        panic!("{wrong}");
    }
}

#[test]
fn the_machine_does_what_the_model_does() {
    live_through(2_000, USUAL);
}

#[test]
fn the_machine_does_so_one_transition_at_a_time() {
    live_through(300, Plan { limit: 1, ..USUAL });
}

#[test]
fn whoever_reads_the_log_has_the_same_state_after_every_batch() {
    live_through(600, Plan { is_recovered: true, ..USUAL });
}
