//! Chance that is the same everywhere, and how much of it a run takes.

/// How many seeds a test runs: this many, more in a soak, or the one that is to be looked at again.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("REDRIVE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..usual * number("REDRIVE_SOAK").unwrap_or(1),
    }
}

/// Small and seeded.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
        // Neighbouring seeds begin alike; a few steps later they do not.
        for _ in 0..4 {
            random.any();
        }
        random
    }

    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        mixed ^ (mixed >> 29)
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

    /// One of these; `None` where there is none.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }

    pub fn one_of<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.below(N)]
    }
}
