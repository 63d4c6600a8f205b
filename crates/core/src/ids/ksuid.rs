//! KSUIDs: 20 bytes that sort by time, written as 27 characters that sort the same way.
//!
//! The format is that of the queue API, whose clients compare, store and page by these texts: 4 bytes of
//! seconds since 1 400 000 000 (big endian), then 16 bytes that distinguish the ids of one second.

use std::fmt;
use std::str::FromStr;

use crate::Time;
use crate::as_text::serde_as_text;

/// A time-ordered id: byte order, text order and creation order are the same.
///
/// ```
/// use redrive_core::Ksuid;
///
/// let id: Ksuid = "0ujtsYcgvSTl8PAuAdqWYSMnLOv".parse().unwrap();
/// assert_eq!(id.time().to_string(), "2017-10-10T04:00:47.000Z");
/// assert_eq!(id.to_string(), "0ujtsYcgvSTl8PAuAdqWYSMnLOv");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ksuid([u8; Ksuid::BYTES]);

/// The error of a text that is not a KSUID. The wording is part of the queue API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KsuidError {
    #[error("Valid encoded KSUIDs are 27 characters")]
    Length,
    #[error("Valid encoded KSUIDs are bounded by 000000000000000000000000000 and aWgEPTl1tmebfsQzFP4bxwgy80V")]
    Bounds,
}

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const NO_DIGIT: u8 = 0xFF;
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut digit = 0u8;
    while digit < 62 {
        values[DIGITS[digit as usize] as usize] = digit;
        digit += 1;
    }
    values
};

impl Ksuid {
    pub const BYTES: usize = 20;
    pub const CHARS: usize = 27;
    pub const MIN: Self = Self([0; Self::BYTES]);
    pub const MAX: Self = Self([0xFF; Self::BYTES]);

    /// The epoch of KSUIDs: 2014-05-13T16:53:20Z.
    pub const EPOCH_SECS: i64 = 1_400_000_000;

    pub(super) fn from_parts(seconds: u32, payload: u128) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&seconds.to_be_bytes());
        bytes[4..].copy_from_slice(&payload.to_be_bytes());
        Self(bytes)
    }

    pub(super) fn seconds(self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }

    pub(super) fn payload(self) -> u128 {
        let mut payload = [0; 16];
        payload.copy_from_slice(&self.0[4..]);
        u128::from_be_bytes(payload)
    }

    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The timestamp of an id generated now, clamped to the 136 years of the format.
    pub fn seconds_of(now: Time) -> u32 {
        let seconds = (now.as_secs() - Self::EPOCH_SECS).clamp(0, i64::from(u32::MAX));
        u32::try_from(seconds).unwrap_or(u32::MAX)
    }

    /// The second in which the id was generated.
    pub fn time(self) -> Time {
        Time::from_secs(Self::EPOCH_SECS + i64::from(self.seconds()))
    }

    /// The greatest possible id of all seconds before the second of `time`; `None` if there is no such second. Ids that
    /// were generated in or after that second are greater.
    ///
    /// ```
    /// use redrive_core::{Ksuid, Time};
    ///
    /// let id: Ksuid = "0ujtsYcgvSTl8PAuAdqWYSMnLOv".parse().unwrap();
    /// assert!(Ksuid::last_before(id.time()).is_some_and(|last| last < id));
    /// assert_eq!(Ksuid::last_before(Time::EPOCH), None);
    /// ```
    pub fn last_before(time: Time) -> Option<Self> {
        let earlier = time.as_secs() - Self::EPOCH_SECS - 1;
        (earlier >= 0).then(|| Self::from_parts(u32::try_from(earlier).unwrap_or(u32::MAX), u128::MAX))
    }

    /// The id as text, without an allocation.
    pub fn encode(self) -> [u8; Self::CHARS] {
        // 160 bits as five 32-bit limbs: each round divides the number by 62⁵, the largest power of 62
        // that fits a limb, and yields five digits.
        const FIVE_DIGITS: u64 = 62 * 62 * 62 * 62 * 62;
        let mut limbs = [0u32; 5];
        for (limb, bytes) in limbs.iter_mut().zip(self.0.chunks_exact(4)) {
            *limb = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let mut text = [b'0'; Self::CHARS];
        let mut end = Self::CHARS;
        while end > 0 {
            let mut rest: u64 = 0;
            for limb in &mut limbs {
                let value = (rest << 32) | u64::from(*limb);
                *limb = u32::try_from(value / FIVE_DIGITS).unwrap_or(u32::MAX);
                rest = value % FIVE_DIGITS;
            }
            let start = end.saturating_sub(5);
            for place in text[start..end].iter_mut().rev() {
                *place = DIGITS[(rest % 62) as usize];
                rest /= 62;
            }
            end = start;
        }
        text
    }
}

impl fmt::Display for Ksuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.encode();
        f.pad(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Ksuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Ksuid {
    type Err = KsuidError;

    fn from_str(text: &str) -> Result<Self, KsuidError> {
        let digits: &[u8; Self::CHARS] = text.as_bytes().try_into().map_err(|_| KsuidError::Length)?;
        let mut limbs = [0u32; 5];
        for digit in digits {
            let value = VALUES[*digit as usize];
            if value == NO_DIGIT {
                return Err(KsuidError::Bounds);
            }
            let mut carry = u64::from(value);
            for limb in limbs.iter_mut().rev() {
                let product = u64::from(*limb) * 62 + carry;
                *limb = (product & 0xFFFF_FFFF) as u32;
                carry = product >> 32;
            }
            if carry != 0 {
                return Err(KsuidError::Bounds);
            }
        }
        let mut bytes = [0; Self::BYTES];
        for (bytes, limb) in bytes.chunks_exact_mut(4).zip(limbs) {
            bytes.copy_from_slice(&limb.to_be_bytes());
        }
        Ok(Self(bytes))
    }
}

serde_as_text!(Ksuid);
