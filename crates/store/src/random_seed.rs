//! Random seeds.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number that differs from call to call and from process to process. Not for secrets.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
