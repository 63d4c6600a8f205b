//! The seeds of random tests.
//!
//! Fixed seeds find what broke since the last run, with the same result on every machine. Fresh ones find what no run
//! has met yet, in every run a little.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};

/// Number of fixed seeds per fresh one, rounded up.
const FIXED_PER_FRESH: u64 = 3;

/// The seeds of a random test: those from 0 to `fixed`, and a third as many that are different in every run. Both numbers
/// are multiplied by [`soak_factor`]. If `REDRIVE_SEED` is set, only that seed.
///
/// The fresh ones are printed on stderr, which a test runner shows if the test fails.
pub fn seeds(fixed: u64) -> impl Iterator<Item = Seed> + Send {
    let numbers = choose(fixed, soak_factor(), number("REDRIVE_SEED"), fresh);
    let fresh: Vec<String> = numbers.iter().filter(|seed| **seed >= FRESH_MIN).map(u64::to_string).collect();
    if !fresh.is_empty() {
        eprintln!("fresh seeds: {}", fresh.join(" "));
    }
    numbers.into_iter().map(Seed)
}

/// How many times as many cases as usual a soak test runs: `REDRIVE_SOAK`, 1 by default.
pub fn soak_factor() -> u64 {
    number("REDRIVE_SOAK").unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

fn choose(fixed: u64, factor: u64, only: Option<u64>, fresh: impl Fn() -> u64) -> Vec<u64> {
    if let Some(seed) = only {
        return vec![seed];
    }
    let fixed = fixed.saturating_mul(factor);
    (0..fixed).chain((0..fixed.div_ceil(FIXED_PER_FRESH)).map(|_| fresh())).collect()
}

/// Above the fixed seeds of every test.
const FRESH_MIN: u64 = 1 << 32;
/// Short enough to be typed.
const FRESH_BITS: u32 = 40;

fn fresh() -> u64 {
    // The standard library seeds its hash tables with random numbers of the operating system.
    FRESH_MIN + (RandomState::new().build_hasher().finish() >> (u64::BITS - FRESH_BITS))
}

/// A seed of random numbers. It is printed if the thread panics while it has the seed.
#[derive(Debug, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    pub const fn number(&self) -> u64 {
        self.0
    }
}

impl From<Seed> for u64 {
    fn from(seed: Seed) -> Self {
        seed.0
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "REDRIVE_SEED={}", self.0)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with {self}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_fixed_seeds_is_added() {
        assert_eq!(choose(3, 1, None, || 77), [0, 1, 2, 77]);
        assert_eq!(choose(1, 1, None, || 77), [0, 77]);
        assert_eq!(choose(4, 1, None, || 77), [0, 1, 2, 3, 77, 77]);
    }

    #[test]
    fn a_soak_runs_more_of_both() {
        assert_eq!(choose(1, 6, None, || 77), [0, 1, 2, 3, 4, 5, 77, 77]);
    }

    #[test]
    fn a_given_seed_runs_alone() {
        assert_eq!(choose(3, 6, Some(9), || 77), [9]);
    }

    #[test]
    fn fresh_seeds_differ_from_each_other_and_from_all_fixed_ones() {
        let (first, second) = (fresh(), fresh());
        assert_ne!(first, second);
        assert!(first >= FRESH_MIN && second >= FRESH_MIN);
    }
}
