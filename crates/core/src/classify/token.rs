//! A word of a message, as the key of a lookup in the lexicon.

/// A bitmap of the first four letters of all entries and prefixes. Most words of an error message are in no table, and
/// this is the cheapest check for that.
#[derive(Debug)]
pub(super) struct PrefixFilter([u64; 64]);

impl PrefixFilter {
    pub(super) const NONE: Self = Self([0; 64]);

    /// The bit of a word: a hash of its first four letters in lower case (all letters of a shorter word).
    #[inline]
    fn bit(word: &[u8]) -> (usize, u64) {
        // Setting bit 5 makes a letter lower case. It changes other bytes, too, but those match no entry.
        let mut letters = 0x2020_2020;
        if let Some(four) = word.first_chunk::<4>() {
            letters |= u32::from_le_bytes(*four);
        } else {
            letters = word.iter().fold(0, |letters, byte| (letters << 8) | u32::from(*byte | 0x20));
        }
        let bit = letters.wrapping_mul(0x9E37_79B1) >> 20;
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    pub(super) fn add(&mut self, word: &[u8]) {
        let (at, bit) = Self::bit(word);
        self.0[at] |= bit;
    }

    #[inline]
    pub(super) fn may_begin(&self, word: &[u8]) -> bool {
        let (at, bit) = Self::bit(word);
        self.0[at] & bit != 0
    }
}

/// A word with its lookup key, in lower case. For up to 16 bytes the key contains the whole word, from loads that may
/// overlap; for a longer word it contains the beginning and the end, and the text is compared as well.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t [u8],
    pub(super) key: (u64, u64),
}

impl<'t> Token<'t> {
    const KEY_BYTES: usize = 16;

    pub(super) fn new(text: &'t [u8]) -> Self {
        // Setting bit 5 makes a letter lower case. It changes other bytes, too, but entries have only letters.
        let small = |bytes: u64| bytes | 0x2020_2020_2020_2020;
        let byte = |at: usize| u64::from(text[at]);
        let key =
            match (text.first_chunk::<8>(), text.last_chunk::<8>(), text.first_chunk::<4>(), text.last_chunk::<4>()) {
                (Some(first), Some(last), ..) => (small(u64::from_le_bytes(*first)), small(u64::from_le_bytes(*last))),
                (_, _, Some(first), Some(last)) => {
                    (small(u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32), 0)
                }
                _ if text.is_empty() => (0, 0),
                _ => (small(byte(0) | byte(text.len() / 2) << 8 | byte(text.len() - 1) << 16), 0),
            };
        Self { text, key }
    }

    /// Whether this is the entry with that key and text.
    pub(super) fn is(&self, key: (u64, u64), text: &str) -> bool {
        self.key == key
            && self.text.len() == text.len()
            && (self.text.len() <= Self::KEY_BYTES || self.text.eq_ignore_ascii_case(text.as_bytes()))
    }

    pub(super) fn hash(&self) -> usize {
        let (first, last) = self.key;
        let mixed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ last.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        // The high bits are the well-mixed ones.
        (mixed >> 32) as usize
    }

    /// The token without a trailing error(s) or exception(s); `None` if it has no such suffix or nothing else.
    pub(super) fn stripped(&self) -> Option<Self> {
        // A cheap check that rejects almost all tokens.
        if !matches!(self.text.last().map(|byte| byte | 0x20), Some(b'r' | b's' | b'n')) {
            return None;
        }
        let without = |suffix: &&str| {
            let (base, end) = self.text.split_at_checked(self.text.len().checked_sub(suffix.len())?)?;
            end.eq_ignore_ascii_case(suffix.as_bytes()).then_some(base)
        };
        let base = ["error", "errors", "exception", "exceptions"].iter().find_map(without)?;
        (!base.is_empty()).then(|| Self::new(base))
    }

    pub(super) fn begins_with(&self, prefix: &[u8]) -> bool {
        self.text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    }
}
