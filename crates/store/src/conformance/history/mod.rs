//! Random histories of a store, compared with the naive model.
//!
//! [`Any`](super::model::any::Any) generates operations, the model predicts their replies and effects, and the store
//! performs them. After every operation all items are read and compared; sometimes everything that the store shows is
//! compared, and the store is closed and reopened, if its harness supports that.
//!
//! `REDRIVE_SOAK=100` runs a hundred times as many histories; `REDRIVE_SEED=7` runs only the history with that seed.

mod audit;
mod history;
mod perform;
mod read;

use std::sync::Arc;
use std::time::Duration;

use super::Harness;
use super::model::compare::Checked;
use history::{History, STEPS};
use redrive_testkit::seeds;

/// The timeout of a history, which turns a hang into a failure.
const HISTORY_MAX: Duration = Duration::from_secs(300);

/// The minimum percentage of steps that must be performed: a history stops early if the contract does not define what
/// happens next.
const STEPS_PERCENT_MIN: usize = 75;

/// Runs random histories on all cores, each on a separate store: those of `fixed` fixed seeds, and fresh ones.
///
/// # Panics
///
/// If a store differs from the model. The message contains the seed.
pub fn histories<H: Harness + 'static>(harness: impl Fn() -> H + Sync, fixed: u64) {
    let seeds: Vec<u64> = seeds(fixed).map(u64::from).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| -> Checked<usize> {
        let run = |seed| history(harness(), seed).map_err(|wrong| format!("REDRIVE_SEED={seed}: {wrong}"));
        seeds.iter().copied().skip(first).step_by(cores).map(run).sum()
    };
    let steps: Checked<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|first| scope.spawn(move || share(first))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let steps = steps.unwrap_or_else(|wrong| panic!("{wrong}"));
    let most = seeds.len() * STEPS;
    let is_one_alone = most == STEPS;
    assert!(is_one_alone || steps * 100 >= most * STEPS_PERCENT_MIN, "only {steps} of {most} steps were performed");
}

/// Runs one random history and returns the number of steps.
///
/// # Errors
///
/// If the store differs from the model. The error describes the difference and the step.
pub fn history(harness: impl Harness + 'static, seed: u64) -> Checked<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = async {
        let mut history = History::new(Arc::new(harness), seed).await;
        history.run().await
    };
    let bounded = async { tokio::time::timeout(HISTORY_MAX, run).await };
    runtime.block_on(bounded).unwrap_or_else(|_| Err(format!("the history did not end within {HISTORY_MAX:?}")))
}

/// Generates a test that runs `$fixed` random histories on stores of this harness, and a third as many fresh ones.
///
/// ```ignore
/// mod in_memory {
///     redrive_store::history_tests!(crate::InMemory, 50);
/// }
/// ```
#[macro_export]
macro_rules! history_tests {
    ($harness:expr, $fixed:expr) => {
        #[test]
        fn the_store_does_what_the_model_does() {
            $crate::conformance::histories(|| $harness, $fixed);
        }
    };
}
