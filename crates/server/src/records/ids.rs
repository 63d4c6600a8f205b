//! Ids of records.

use std::sync::{Mutex, PoisonError};

use redrive_core::{Generator, Ksuid, Time};
use redrive_store::random_seed;

/// Generates ids that increase and are unique across servers.
#[derive(Debug, Default)]
pub(crate) struct Ids(Mutex<Generator>);

impl Ids {
    pub(crate) fn next(&self, now: Time) -> Ksuid {
        // A panic cannot leave the generator half-changed, so poisoning is ignored.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next(now, random())
    }
}

/// Randomness for uniqueness only: the ids need not be hard to guess.
fn random() -> u128 {
    let half = || u128::from(random_seed());
    half() << 64 | half()
}
