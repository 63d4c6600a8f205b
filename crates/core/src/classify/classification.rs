//! The result of a classification, with its reason.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::{Category, Evidence, GrpcCode, IoKind, RetryPolicy, Span, SqlState};

/// The category of a failure, with the rule that decided and the evidence it matched.
#[derive(Debug, Clone, PartialEq)]
pub struct Classification<'f> {
    pub category: Category,
    pub rule: Rule,
    /// The part of the failure that the rule matched.
    pub grounds: Grounds<'f>,
    /// The delay that the destination requested, at most [`Classification::RETRY_AFTER_MAX`].
    pub retry_after: Option<Span>,
    /// The settings of the rule if it is a user rule.
    pub overrides: Overrides,
    /// A user rule that could not be evaluated on this failure and was skipped.
    pub broken_rule: Option<BrokenRule>,
}

impl Classification<'_> {
    /// Maximum of `retry_after`. A longer request is a mistake of the destination, or would delay the work
    /// indefinitely.
    pub const RETRY_AFTER_MAX: Span = Span::from_hours(24);
}

/// The settings of a user rule. Empty for a built-in rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `None` if the built-in rules determine the category.
    pub category: Option<Category>,
    pub policy: Option<RetryPolicy>,
    /// Retries after the first failure.
    pub max_retries: Option<u32>,
    pub delay: Option<Span>,
}

/// A user rule that could not be evaluated on a failure, and why. It does not contain the text of the failure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule 'user:{rule}' could not be evaluated: {problem}")]
pub struct BrokenRule {
    pub rule: Arc<str>,
    pub problem: &'static str,
}

impl BrokenRule {
    /// The short form for lists and replies: `user:bank-closed: a key is missing …`.
    pub fn brief(&self) -> String {
        format!("{}: {}", Rule::User(Arc::clone(&self.rule)), self.problem)
    }
}

/// The rule that decided. Its text is stored on letters and displayed: `http:429`,
/// `phrase:too many requests`, `user:billing-outage`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Not an attempt: refused by a breaker or a shutdown.
    Breaker,
    /// A user rule, by its name.
    User(Arc<str>),
    Http(u16),
    Grpc(GrpcCode),
    Io(IoKind),
    Sql(SqlState),
    /// An HTTP status found in text.
    HttpText(u16),
    /// A row of the final phrases.
    Final(&'static str),
    /// A row that matched the type name or the error code.
    Name(&'static str),
    Phrase(&'static str),
    Word(&'static str),
    /// Nothing matched.
    Default,
}

impl Rule {
    /// Whether a breaker refused the call, including a breaker of another system that the text names. The call was not
    /// attempted then, so no attempt is spent.
    pub fn is_open_breaker(&self) -> bool {
        const ROWS: [&str; 2] = ["circuit open", "(circuit) breaker (is) open"];
        matches!(self, Self::Breaker) || matches!(self, Self::Name(row) | Self::Phrase(row) if ROWS.contains(row))
    }
}

/// Each kind of typed evidence has a rule.
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

/// The part of a failure that a rule matched. `link` 0 is the error, 1 its first cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grounds<'f> {
    Nothing,
    /// The typed evidence of the link.
    Typed {
        link: usize,
    },
    /// A part of a text of the link.
    Text {
        link: usize,
        text: &'f str,
    },
    /// The condition of a user rule over the whole failure.
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
