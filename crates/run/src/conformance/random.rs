//! Reproducible random numbers.

use redrive_core::SplitMix64;
use redrive_testkit::Seed;

/// A seeded random number generator.
#[derive(Debug)]
pub(super) struct SeededRandom(SplitMix64);

impl SeededRandom {
    pub(super) fn new(seed: &Seed) -> Self {
        Self(SplitMix64::new(seed.number().wrapping_mul(0xD134_2543_DE82_EF95)))
    }

    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number less than `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("the remainder fits a usize")
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// An independent generator.
    pub(super) fn fork(&mut self) -> Self {
        Self(SplitMix64::new(self.next()))
    }
}
