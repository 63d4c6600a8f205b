//! The error of everything that is checked when it is configured.
//!
//! One type, because a person who sees it needs the same three facts whatever was wrong: which field,
//! what stood there, what may stand there. [`Problem`] is for programs.

use std::fmt;

/// A value was refused: which field it was given for, what it was, what is allowed.
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
    /// What may stand there, in words or as a list.
    pub allowed: String,
}

/// What kind of fault an [`Invalid`] value has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Not a member of a closed set of names.
    UnknownName,
    /// A number, time or length outside its bounds.
    OutOfRange,
    /// Text that does not parse: a duration, an id, a regular expression, a CEL expression.
    Malformed,
    /// Right by itself, but it contradicts another field.
    Contradiction,
    /// Not there.
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

    /// A field that must be there and is not.
    pub fn missing(field: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self::new(field, Problem::Missing, "", allowed)
    }

    /// The same fault, told with the path of the field that holds the refused one.
    ///
    /// A name parsed on its own only knows what it is (`category`); the place that read it knows where
    /// it stood (`rules[2].category`).
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }
}

/// What is said of the value. It may be a whole file pasted into the wrong field: enough to recognise it.
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
