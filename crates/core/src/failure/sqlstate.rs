//! Error codes of SQL databases.

use std::fmt;
use std::str::FromStr;

use crate::as_text::serde_as_text;
use crate::{Invalid, Problem};

/// A five-character SQLSTATE; the first two are its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SqlState([u8; 5]);

impl SqlState {
    pub fn as_str(&self) -> &str {
        // `from_str` accepts ASCII only.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for SqlState {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        <[u8; 5]>::try_from(text.to_ascii_uppercase().as_bytes())
            .ok()
            .filter(|code| code.iter().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()))
            .map(Self)
            .ok_or_else(|| Invalid::new("sqlstate", Problem::Malformed, text, "five digits or letters, as in 40P01"))
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

serde_as_text!(SqlState);
