//! Reproducible random numbers.

use redrive_core::SplitMix64;

/// The seeds of a randomized case: `usual` of them, multiplied by `REDRIVE_SOAK`, or only the one in `REDRIVE_SEED`.
pub(super) fn seeds(usual: u64) -> impl Iterator<Item = Seed> + Send {
    let seeds = match number("REDRIVE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..usual * soak(),
    };
    seeds.map(Seed)
}

/// The factor of a soak test: `REDRIVE_SOAK`, default 1.
pub(super) fn soak() -> u64 {
    number("REDRIVE_SOAK").unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

/// A seed of random numbers. It is printed if the case fails.
#[derive(Debug)]
pub(super) struct Seed(u64);

impl Seed {
    pub(super) fn numbers(&self) -> SeededRandom {
        SeededRandom(SplitMix64::new(self.0.wrapping_mul(0xD134_2543_DE82_EF95)))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with REDRIVE_SEED={}", self.0);
        }
    }
}

/// A seeded random number generator.
#[derive(Debug)]
pub(super) struct SeededRandom(SplitMix64);

impl SeededRandom {
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
