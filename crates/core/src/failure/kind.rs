//! The type name of an error.
//!
//! Error lists in a configuration must keep matching when a library adds a subclass. So a kind is a dotted path, and an
//! entry that names an ancestor matches all kinds below it.

use std::fmt;
use std::str::FromStr;

use crate::as_text::serde_as_text;
use crate::{Invalid, Problem};

/// The name of an error's type: a dotted path (`connection.reset`) or a type name (`TimeoutError`).
///
/// ```
/// use redrive_core::Kind;
///
/// let reset: Kind = "connection.reset".parse().unwrap();
/// let connection: Kind = "connection".parse().unwrap();
/// assert!(reset.is_a(&connection));
/// assert!(!connection.is_a(&reset));
/// assert!(!"connections".parse::<Kind>().unwrap().is_a(&connection));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(Box<str>);

impl Kind {
    pub const BYTES_MAX: usize = 256;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is `ancestor` or below it.
    pub fn is_a(&self, ancestor: &Self) -> bool {
        path_is_a(&self.0, &ancestor.0)
    }
}

/// Whether the dotted `path` is `ancestor` or below it, ignoring case.
pub(crate) fn path_is_a(path: &str, ancestor: &str) -> bool {
    let (path, ancestor) = (path.as_bytes(), ancestor.as_bytes());
    path.get(..ancestor.len()).is_some_and(|start| start.eq_ignore_ascii_case(ancestor))
        && path.get(ancestor.len()).is_none_or(|next| *next == b'.')
}

impl FromStr for Kind {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        // Type names vary by language (`*net.OpError`, `Result<T, E>`), but contain no white space or control
        // characters.
        let is_part = |c: char| !c.is_whitespace() && !c.is_control();
        let problem = if text.is_empty() || text.len() > Self::BYTES_MAX {
            Problem::OutOfRange
        } else if text.contains(|c| !is_part(c)) {
            Problem::Malformed
        } else {
            return Ok(Self(text.into()));
        };
        Err(Invalid::new(
            "kind",
            problem,
            text,
            "1 to 256 bytes without spaces, as in connection.reset or TimeoutError",
        ))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

serde_as_text!(Kind);
