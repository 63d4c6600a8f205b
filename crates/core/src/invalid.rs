//! The error of configuration and input checks.
//!
//! There is one type because the reader needs the same three facts for every error: the field, the rejected value and
//! the allowed values. [`Problem`] is the machine-readable part.

use std::fmt;
use std::ops::RangeInclusive;

/// A rejected value: the field, the value and what is allowed.
///
/// ```
/// use redrive_core::{Category, Problem};
///
/// let error = "netwrok".parse::<Category>().unwrap_err();
/// assert_eq!(error.problem, Problem::UnknownName);
/// assert_eq!(
///     error.to_string(),
///     "category is invalid: 'netwrok'; allowed: transient, network, resource, permission, validation, permanent",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {}; allowed: {allowed}", Refused { problem: *problem, value })]
pub struct Invalid {
    /// The dotted path of the field, as the user wrote it: `backoff.network.cap`.
    pub field: String,
    pub problem: Problem,
    pub value: String,
    /// The allowed values, as a list or a description.
    pub allowed: String,
}

/// Why an [`Invalid`] value is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Not a member of a closed set of names.
    UnknownName,
    /// A number, time or length outside its bounds.
    OutOfRange,
    /// Text that does not parse: a duration, an id, a regular expression, a CEL expression.
    Malformed,
    /// Valid alone, but in conflict with another field.
    Contradiction,
    /// A required field is missing.
    Missing,
}

impl Invalid {
    pub fn new(
        field: impl Into<String>,
        problem: Problem,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self { field: field.into(), problem, value: value.to_string(), allowed: allowed.into() }
    }

    /// The error of a missing required field.
    pub fn missing(field: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self::new(field, Problem::Missing, "", allowed)
    }

    /// Returns the value if it is within the bounds, which the error names.
    pub fn unless_within<T>(field: &str, value: T, allowed: RangeInclusive<T>) -> Result<T, Self>
    where
        T: PartialOrd + fmt::Display,
    {
        if allowed.contains(&value) {
            return Ok(value);
        }
        let allowed = format!("{} to {}", allowed.start(), allowed.end());
        Err(Self::new(field, Problem::OutOfRange, value, allowed))
    }

    /// Replaces the field by its full path.
    ///
    /// A parser knows only what it parses (`category`); its caller knows where the value was read
    /// (`rules[2].category`).
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }
}

/// The rejected value as errors show it, truncated: it may be a whole file pasted into the wrong field.
struct Refused<'a> {
    problem: Problem,
    value: &'a str,
}

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHARS_MAX: usize = 120;
        if self.problem == Problem::Missing {
            return f.write_str("missing");
        }
        match self.value.char_indices().nth(CHARS_MAX) {
            Some((end, _)) => write!(f, "invalid: '{}…'", &self.value[..end]),
            None => write!(f, "invalid: '{}'", self.value),
        }
    }
}
