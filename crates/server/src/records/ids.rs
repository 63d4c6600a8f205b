//! Ids of whatever is recorded.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};

use redrive_core::{Generator, Ksuid, Time};

/// Gives ids that grow, and that no other server gives.
#[derive(Debug, Default)]
pub(crate) struct Ids(Mutex<Generator>);

impl Ids {
    pub(crate) fn next(&self, now: Time) -> Ksuid {
        // A generator cannot be left half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next(now, random())
    }
}

/// Ids are told apart by it and never trusted for being hard to guess.
fn random() -> u128 {
    let half = || u128::from(RandomState::new().build_hasher().finish());
    half() << 64 | half()
}
