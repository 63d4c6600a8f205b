//! Numbers for jitter.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A sequence of numbers that nobody needs to foresee: splitmix64.
#[derive(Debug)]
pub(crate) struct RunnerRandom(u64);

impl RunnerRandom {
    pub(crate) fn new() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// The number at a place of the sequence that begins with `seed`.
    pub(crate) const fn at(seed: u64, place: u64) -> u64 {
        mix(seed.wrapping_add(place.wrapping_mul(STEP)))
    }
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

const fn mix(mut mixed: u64) -> u64 {
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
