//! Seeded random numbers.

use redrive_core::SplitMix64;

/// A seeded generator.
#[derive(Debug)]
pub(super) struct LogRandom(SplitMix64);

impl LogRandom {
    pub(super) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed.wrapping_mul(0xD134_2543_DE82_EF95)))
    }

    /// A number less than `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.0.next() % end as u64).unwrap()
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }

    /// An offset or a distance of offsets, less than `end`.
    pub(super) fn offset_below(&mut self, end: usize) -> i64 {
        i64::try_from(self.below(end)).unwrap()
    }
}
