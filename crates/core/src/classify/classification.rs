//! What the classifier found, and why.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::{Category, Evidence, GrpcCode, IoKind, RetryPolicy, Span, SqlState};

/// A failure's category, with the rule that decided and what it decided on.
#[derive(Debug, Clone, PartialEq)]
pub struct Classification<'f> {
    pub category: Category,
    pub rule: Rule,
    /// On what the rule decided.
    pub grounds: Grounds<'f>,
    /// How long the other side asked us to wait, at most [`Classification::RETRY_AFTER_MAX`].
    pub retry_after: Option<Span>,
    /// What a user's rule sets besides the category.
    pub overrides: Overrides,
    /// A user's rule that could not be evaluated on this failure, and was passed over.
    pub broken_rule: Option<BrokenRule>,
}

impl Classification<'_> {
    /// A longer hint is a mistake on the other side, or a way to park our work for ever.
    pub const RETRY_AFTER_MAX: Span = Span::from_hours(24);
}

/// What a user's rule may decide beyond the category. Nothing, for a built-in rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    pub policy: Option<RetryPolicy>,
    /// Retries after the first failure.
    pub max_retries: Option<u32>,
    pub delay: Option<Span>,
}

/// Which user rule failed on a failure, and how. The failure's own text is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule 'user:{rule}' could not be evaluated: {fault}")]
pub struct BrokenRule {
    pub rule: Arc<str>,
    pub fault: &'static str,
}

/// The rule that decided. Its text is stored on letters and shown to people: `http:429`,
/// `phrase:too many requests`, `user:billing-outage`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Not an attempt: refused by a breaker or a shutdown.
    Breaker,
    /// A rule of the user's, by its name.
    User(Arc<str>),
    Http(u16),
    Grpc(GrpcCode),
    Io(IoKind),
    Sql(SqlState),
    /// An HTTP status found in text.
    HttpText(u16),
    /// A row of the final phrases.
    Final(&'static str),
    /// A row that matched the type's name or the error code.
    Name(&'static str),
    Phrase(&'static str),
    Word(&'static str),
    /// Nothing matched.
    Default,
}

impl Rule {
    /// Whether the text says that a breaker refused the call: then nothing was learned, and no attempt is
    /// spent, whoever's breaker it is.
    pub fn is_open_breaker(&self) -> bool {
        const ROWS: [&str; 2] = ["circuit open", "(circuit) breaker (is) open"];
        matches!(self, Self::Breaker) || matches!(self, Self::Name(row) | Self::Phrase(row) if ROWS.contains(row))
    }
}

/// Typed evidence is its own rule.
impl From<&Evidence> for Rule {
    fn from(evidence: &Evidence) -> Self {
        match evidence {
            Evidence::Refused { .. } => Self::Breaker,
            Evidence::Http { status, .. } => Self::Http(*status),
            Evidence::Grpc(code) => Self::Grpc(*code),
            Evidence::Io(kind) => Self::Io(*kind),
            Evidence::Sql(state) => Self::Sql(*state),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Breaker => f.write_str("breaker"),
            Self::User(name) => write!(f, "user:{name}"),
            Self::Http(status) => write!(f, "http:{status}"),
            Self::Grpc(code) => write!(f, "grpc:{}", code.number()),
            Self::Io(kind) => write!(f, "io:{kind}"),
            Self::Sql(state) => write!(f, "sqlstate:{state}"),
            Self::HttpText(status) => write!(f, "http-text:{status}"),
            Self::Final(row) => write!(f, "final:{row}"),
            Self::Name(row) => write!(f, "name:{row}"),
            Self::Phrase(row) => write!(f, "phrase:{row}"),
            Self::Word(row) => write!(f, "word:{row}"),
            Self::Default => f.write_str("default"),
        }
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a rule decided on. `link` 0 is the error itself, 1 its first cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grounds<'f> {
    Nothing,
    /// A code of the link says so.
    Typed {
        link: usize,
    },
    /// These words say so.
    Text {
        link: usize,
        text: &'f str,
    },
    /// A user's rule holds for the failure as a whole.
    Whole,
}

impl fmt::Display for Grounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, link: usize| match link {
            0 => f.write_str("the error"),
            cause => write!(f, "cause {cause}"),
        };
        match self {
            Self::Nothing => f.write_str("no evidence"),
            Self::Typed { link } => {
                f.write_str("the code of ")?;
                place(f, *link)
            }
            Self::Text { link, text } => {
                write!(f, "\"{text}\" in ")?;
                place(f, *link)
            }
            Self::Whole => f.write_str("the whole failure"),
        }
    }
}
