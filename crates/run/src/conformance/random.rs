//! Random numbers that come again, and the seeds from which they come.

/// How often a random rule is tried: this often, or more in a soak (`REDRIVE_SOAK`). A seed that is named
/// (`REDRIVE_SEED`) is tried alone.
pub(super) fn seeds(usual: u64) -> impl Iterator<Item = Seed> + Send {
    let seeds = match number("REDRIVE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..usual * soak(),
    };
    seeds.map(Seed)
}

/// How many times as long as usual random rules are tried.
pub(super) fn soak() -> u64 {
    number("REDRIVE_SOAK").unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

/// Where random numbers begin. It is named when what it led to fails.
#[derive(Debug)]
pub(super) struct Seed(u64);

impl Seed {
    pub(super) fn numbers(&self) -> SeededRandom {
        SeededRandom(self.0.wrapping_mul(0xD134_2543_DE82_EF95))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this was REDRIVE_SEED={}", self.0);
        }
    }
}

/// A sequence of numbers: splitmix64.
#[derive(Debug)]
pub(super) struct SeededRandom(u64);

impl SeededRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than this.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is less than a usize")
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Others, for somebody else.
    pub(super) fn fork(&mut self) -> Self {
        Self(self.next())
    }
}
