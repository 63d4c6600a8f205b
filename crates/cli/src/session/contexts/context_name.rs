//! The name of a context.

use std::fmt;
use std::str::FromStr;

const CHARS_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContextName(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotAContextName;

impl fmt::Display for NotAContextName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name has 1 to {CHARS_MAX} letters, digits, '.', '_' or '-'")
    }
}

impl std::error::Error for NotAContextName {}

impl FromStr for ContextName {
    type Err = NotAContextName;

    fn from_str(text: &str) -> Result<Self, NotAContextName> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let is_valid = (1..=CHARS_MAX).contains(&text.len()) && text.chars().all(is_allowed);
        if is_valid { Ok(Self(text.to_owned())) } else { Err(NotAContextName) }
    }
}

impl fmt::Display for ContextName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
