//! Which failures are the same fault.
//!
//! A thousand letters are read as three faults or not at all. A fingerprint must survive what changes
//! between two runs and two deploys (ids, times, addresses, line numbers, paths) and must not survive
//! what makes another fault (the type, the words, the place in the user's own code). So the error's type
//! and message are normalised, and of a stack trace only the innermost frame of the user's code counts,
//! by function and file, never by line.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::normalise::normalise_name;
use super::{Trace, normalise};
use crate::as_text::deserialize_from_text;
use crate::{Failure, Invalid, Problem, Rule};

/// The group that a failure belongs to: 16 bytes, shown as 32 hexadecimal digits.
///
/// ```
/// use redrive_core::{Failure, Fingerprint};
///
/// let monday = Failure::new("order 4711 not found in /srv/app-1.2/orders.db");
/// let tuesday = Failure::new("order 98 not found in /srv/app-1.3/orders.db");
/// assert_eq!(Fingerprint::of(&monday), Fingerprint::of(&tuesday));
/// assert_ne!(Fingerprint::of(&monday), Fingerprint::of(&Failure::new("customer 4711 not found")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// Part of what is hashed, so that a change of the normalisation is a new group and not a wrong one.
    const VERSION: u8 = 1;

    /// Each error's type, code and evidence, its normalised message where nothing else says what it is, and
    /// where in the user's code it arose.
    ///
    /// The message of a cause that has a type does not count: it repeats the outer one, or is noise of a
    /// library.
    pub fn of(failure: &Failure) -> Self {
        let mut hash = Sha256::new_with_prefix([Self::VERSION]);
        let mut field = |text: &str| {
            hash.update(text.as_bytes());
            // A separator that no text contains keeps ("a", "bc") from ("ab", "c").
            hash.update([0xFF]);
        };
        for (index, link) in failure.links().enumerate() {
            field(&link.kind.as_ref().map_or_else(String::new, |kind| normalise_name(kind.as_str())));
            field(link.code.as_deref().unwrap_or_default());
            field(&link.evidence.as_ref().map_or_else(String::new, |evidence| Rule::from(evidence).to_string()));
            let is_told_by_its_message = index == 0 || link.kind.is_none();
            field(&if is_told_by_its_message { normalise(&link.message) } else { String::new() });
        }
        if let Some(frame) = failure.trace.as_ref().and_then(Trace::first_of_the_user) {
            field(&frame.stable_name());
        }
        let digest = hash.finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self(bytes)
    }

    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl Fingerprint {
    fn digits(self) -> [u8; 32] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; 32];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        digits
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fingerprint {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let invalid = || Invalid::new("fingerprint", Problem::Malformed, text, "32 hexadecimal digits");
        let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| invalid())?;
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16).ok_or_else(invalid);
            *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).map_err(|_| invalid())?;
        }
        Ok(Self(bytes))
    }
}

/// Without a formatter: it stands in the record of every attempt.
impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

deserialize_from_text!(Fingerprint);
