//! The flags of a letter, in one byte.

use crate::codec::CorruptRecord;

/// Flags of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetterFlags(u8);

impl LetterFlags {
    /// An attempt was lost; whether it took effect is unknown.
    pub const OUTCOME_UNKNOWN: Self = Self(1);
    /// The letter was captured into a full queue and is scheduled once the queue has space.
    pub const OVERFLOW: Self = Self(2);
    /// The letter is quarantined: claims are rejected until it is released.
    pub const HELD: Self = Self(4);
    /// The letter is an item that died in a queue of this store: its origin is known, not claimed by a caller.
    pub const OWN_ORIGIN: Self = Self(8);
    /// A consumer of the server made the letter of a message of its topic or mailbox: its origin is known too.
    pub const OF_SOURCE: Self = Self(16);
    const KNOWN: u8 = 31;

    pub const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    pub const fn set(&mut self, flag: Self, is_set: bool) {
        if is_set {
            self.0 |= flag.0;
        } else {
            self.0 &= !flag.0;
        }
    }

    pub const fn bits(self) -> u8 {
        self.0
    }

    /// # Errors
    ///
    /// If a flag is unknown: a newer version set it.
    pub fn from_bits(bits: u32) -> Result<Self, CorruptRecord> {
        let known = u8::try_from(bits).ok().filter(|bits| bits & !Self::KNOWN == 0);
        known.map(Self).ok_or(CorruptRecord::new("a letter has an unknown flag: it was set by a newer version"))
    }
}
