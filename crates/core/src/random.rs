//! The random number generator for jitter, ids and reproducible tests.

/// SplitMix64: small and fast, and each of its numbers occurs once in a period of 2^64. Not for secrets.
///
/// ```
/// use redrive_core::SplitMix64;
///
/// let mut random = SplitMix64::new(17);
/// assert_eq!(random.next(), SplitMix64::at(17, 1), "the same seed gives the same sequence");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SplitMix64(u64);

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl SplitMix64 {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// The number at an index of the sequence with this seed; the first one has index 1.
    pub const fn at(seed: u64, index: u64) -> u64 {
        mix(seed.wrapping_add(index.wrapping_mul(STEP)))
    }
}

const fn mix(mut mixed: u64) -> u64 {
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
