//! Seeded, reproducible randomness.

use redrive_core::SplitMix64;

/// The seeds of a random test: `REDRIVE_SEED` alone if it is set, else `usual` seeds, multiplied by `REDRIVE_SOAK`.
pub(crate) fn seeds(usual: u64) -> Vec<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse::<u64>().ok());
    match number("REDRIVE_SEED") {
        Some(seed) => vec![seed],
        None => (0..usual * number("REDRIVE_SOAK").unwrap_or(1)).collect(),
    }
}

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
