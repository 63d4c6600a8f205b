//! The state machine compared with a model in random histories.
//!
//! The model and the generator of operations are those of the conformance suite of stores
//! ([`redrive_store::conformance::model`]): `any` generates an operation, `naive` predicts its effect, [`machine`]
//! performs it and keeps the log. [`compare`] compares both after every step; [`audit`] and [`pages`] compare
//! everything at intervals. [`broken`] and [`coverage`] test the tests: which faults they detect, and what the
//! histories cover.
//!
//! `REDRIVE_SOAK=100` runs a hundred times as many histories; `REDRIVE_SEED=7` runs that one only.
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
mod broken;
mod compare;
mod coverage;
mod exits;
mod fault;
mod fork;
mod history;
mod lagging_time;
mod machine;
mod pages;
mod perform;
mod regressions;

pub(crate) use history::{History, Plan};
use redrive_testkit::seeds;

/// The default plan of a history.
pub(crate) const USUAL: Plan =
    Plan { steps: 100, limit: usize::MAX, is_recovered: false, audit_every: 10, fault: None };

/// Runs histories in parallel: they are independent.
fn run_histories(fixed: u64, plan: Plan) {
    let seeds: Vec<u64> = seeds(fixed).map(u64::from).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| {
        let wrong = |seed| History::new(seed, plan).run().err().map(|wrong| format!("REDRIVE_SEED={seed}: {wrong}"));
        seeds.iter().copied().skip(first).step_by(cores).find_map(wrong)
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
    run_histories(500, USUAL);
}

#[test]
fn the_machine_does_what_the_model_does_one_transition_at_a_time() {
    run_histories(75, Plan { limit: 1, ..USUAL });
}

#[test]
fn recovery_from_the_log_gives_the_same_state_after_every_batch() {
    run_histories(150, Plan { is_recovered: true, ..USUAL });
}
