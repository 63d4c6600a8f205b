//! What the tests share: a store on a clock that a test moves, a door to it that can be told to fail, and a handler
//! whose every call the test answers by hand.

mod clock;
mod desk;
mod double;
mod random;
mod world;

use std::future::Future;
use std::time::Duration;

pub(crate) use clock::Counting;
pub(crate) use desk::{Desk, Seen};
pub(crate) use double::{Act, Double, kind_of};
pub(crate) use random::{Random, seeds};
pub(crate) use world::{
    LEASE, START, World, dead, item, named, new_letter, permanent, policy, queue, settings, transient, unbroken,
};

/// What is not there in this time never will be: a hang becomes a failure that says so.
const PATIENCE: Duration = Duration::from_secs(30);

/// No test takes longer, on the slowest machine.
const LONGEST: Duration = Duration::from_secs(240);

/// Runs a test's future on one thread, so that all that can run has run when nothing is left to do.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(LONGEST, work).await });
    // A handler that blocks its thread must not keep the test from ending.
    runtime.shutdown_background();
    done.expect("the test comes to an end")
}

/// The same on several threads, for handlers that block one.
pub(crate) fn run_on_threads<T>(threads: usize, work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_time().build().unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(LONGEST, work).await });
    runtime.shutdown_background();
    done.expect("the test comes to an end")
}

/// Waits for something that is about to happen.
pub(crate) async fn soon<T>(what: &str, awaited: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, awaited).await.unwrap_or_else(|_| panic!("in vain: {what}"))
}

/// Waits until it is so.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> F) {
    soon(what, async {
        while !is_so().await {
            tokio::task::yield_now().await;
            std::thread::yield_now();
        }
    })
    .await;
}
