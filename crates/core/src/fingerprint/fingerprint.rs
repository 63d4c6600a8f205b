//! Groups failures with the same cause.
//!
//! An operator can review a thousand letters only as a few groups. A fingerprint must not depend on what changes
//! between two runs and two deployments (ids, times, addresses, line numbers, paths), and must depend on what makes a
//! different cause (the type, the words, the place in the user's code). So the type and message of an error are
//! normalised, and of a stack trace only the innermost frame of the user's code is used, by function and file, never by
//! line.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::normalise::normalise_name;
use super::{Trace, normalise};
use crate::as_text::deserialize_from_text;
use crate::{Failure, Invalid, Problem, Rule};

/// The group of a failure: 16 bytes, displayed as 32 hexadecimal digits.
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
    /// The version of the normalisation. It is hashed too, so that a new version starts new groups instead of mixing
    /// with old ones.
    const VERSION: u8 = 1;

    /// Hashes the type, code and evidence of each error in the chain, the normalised messages, and the innermost frame
    /// of the user's code.
    ///
    /// The message of a cause with a type is not hashed: it repeats the outer message or varies by library.
    pub fn of(failure: &Failure) -> Self {
        let mut hash = Sha256::new_with_prefix([Self::VERSION]);
        let mut field = |text: &str| {
            hash.update(text.as_bytes());
            // A separator that no text contains distinguishes ("a", "bc") from ("ab", "c").
            hash.update([0xFF]);
        };
        for (index, link) in failure.links().enumerate() {
            field(&link.kind.as_ref().map_or_else(String::new, |kind| normalise_name(kind.as_str())));
            field(link.code.as_deref().unwrap_or_default());
            field(&link.evidence.as_ref().map_or_else(String::new, |evidence| Rule::from(evidence).to_string()));
            let includes_message = index == 0 || link.kind.is_none();
            field(&if includes_message { normalise(&link.message) } else { String::new() });
        }
        if let Some(frame) = failure.trace.as_ref().and_then(Trace::first_user_frame) {
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

/// Bypasses the formatter for speed: the record of every attempt contains a fingerprint.
impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

deserialize_from_text!(Fingerprint);
