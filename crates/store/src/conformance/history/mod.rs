//! Random histories of a store beside the naive model.
//!
//! [`Any`](super::model::any::Any) thinks up operations, the model predicts what they answer and leave behind, the store
//! performs them with its verbs. After every operation all items are read and compared; now and then everything is that can
//! be asked, and the store is closed and opened again where its harness can do that.
//!
//! `REDRIVE_SOAK=100` runs a hundred times as many histories; `REDRIVE_SEED=7` runs that one again.

mod audit;
mod history;
mod perform;
mod read;

use std::sync::Arc;
use std::time::Duration;

use super::Harness;
use super::model::compare::Checked;
use super::model::random::seeds;
use history::{History, STEPS};

/// A history that takes longer than this never ends: a hang becomes a failure that says so.
const HISTORY_MAX: Duration = Duration::from_secs(300);

/// Of all steps, at least so many percent are taken: a history ends early where the contract leaves open what comes next.
const STEPS_PERCENT_MIN: usize = 75;

/// Runs random histories, each on a store of its own, on all cores.
///
/// # Panics
///
/// When a store does something else than the model; the message names the seed.
pub fn histories<H: Harness + 'static>(harness: impl Fn() -> H + Sync, usual: u64) {
    let seeds = seeds(usual);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| -> Checked<usize> {
        let run = |seed| history(harness(), seed).map_err(|wrong| format!("REDRIVE_SEED={seed}: {wrong}"));
        seeds.clone().skip(first).step_by(cores).map(run).sum()
    };
    let steps: Checked<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|first| scope.spawn(move || share(first))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let steps = steps.unwrap_or_else(|wrong| panic!("{wrong}"));
    let most = seeds.count() * STEPS;
    let is_one_alone = most == STEPS;
    assert!(is_one_alone || steps * 100 >= most * STEPS_PERCENT_MIN, "only {steps} of {most} steps were taken");
}

/// Runs one random history; gives how many steps it took.
///
/// # Errors
///
/// With what the store did otherwise than the model, and in which step.
pub fn history(harness: impl Harness + 'static, seed: u64) -> Checked<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = async {
        let mut history = History::new(Arc::new(harness), seed).await;
        history.run().await
    };
    let bounded = async { tokio::time::timeout(HISTORY_MAX, run).await };
    runtime.block_on(bounded).unwrap_or_else(|_| Err(format!("it does not end within {HISTORY_MAX:?}")))
}

/// Makes a test of random histories: of so many, on stores of this harness.
///
/// ```ignore
/// mod in_memory {
///     redrive_store::history_tests!(crate::InMemory, 200);
/// }
/// ```
#[macro_export]
macro_rules! history_tests {
    ($harness:expr, $usual:expr) => {
        #[test]
        fn the_store_does_what_the_model_does() {
            $crate::conformance::histories(|| $harness, $usual);
        }
    };
}
