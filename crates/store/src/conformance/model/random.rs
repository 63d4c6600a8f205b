//! Reproducible random numbers.

use redrive_core::SplitMix64;

/// A small seeded generator.
#[derive(Debug, Clone)]
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed.wrapping_mul(0xD134_2543_DE82_EF95)))
    }

    pub fn any(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.any() >> 16) % (bound.max(1) as u64)).unwrap_or(0)
    }

    pub fn within(&mut self, range: std::ops::RangeInclusive<u64>) -> u64 {
        range.start() + (self.any() >> 16) % (range.end() - range.start() + 1)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A random element; `None` if there is none.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }

    pub fn one_of<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.below(N)]
    }
}
