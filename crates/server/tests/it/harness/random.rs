//! Seeded, reproducible randomness.

use redrive_core::SplitMix64;

/// A seeded generator with the same sequence on every platform.
#[derive(Debug, Clone)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}
