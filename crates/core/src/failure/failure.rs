//! A failed attempt.

use super::{Evidence, Kind};
use crate::fingerprint::Trace;
use crate::{Metadata, Span, Time};

/// A failed attempt: the error with its causes, and what the handler knows about it.
///
/// Handlers report evidence; only a [`Classifier`](crate::Classifier) interprets it.
///
/// ```
/// use redrive_core::{Category, Classifier, Evidence, Failure};
///
/// let failure = Failure::new("could not place the order").caused_by(Failure::typed(Evidence::http(503)));
/// let found = Classifier::built_in().classify(&failure, 1);
/// assert_eq!(found.category, Category::Transient);
/// assert_eq!(found.rule.to_string(), "http:503");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Failure {
    /// The outermost error of the chain.
    pub error: Link,
    /// The causes of the error, outermost first; at most [`Failure::CAUSES_MAX`].
    pub causes: Vec<Link>,
    /// The names of the failed parts, if the work has several parts.
    pub parts: Vec<String>,
    pub metadata: Metadata,
    /// The delay that the destination requested before a retry.
    pub retry_after: Option<Span>,
    /// The stack trace.
    pub trace: Option<Trace>,
    /// Where the message of the error begins to repeat what the destination has answered. An answer may quote the work.
    pub answer_at: Option<usize>,
}

/// One error in the chain of causes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The type of the error, if known.
    pub kind: Option<Kind>,
    /// The superclasses of the type, nearest first.
    pub parents: Vec<Kind>,
    /// The error code of the API or library that raised the error, for example `RATE_LIMIT_EXCEEDED`.
    pub code: Option<String>,
    pub message: String,
    pub evidence: Option<Evidence>,
}

impl Failure {
    /// Maximum number of causes. Longer chains are truncated: they are cyclic or carry no further information.
    pub const CAUSES_MAX: usize = 32;

    pub fn new(message: impl Into<String>) -> Self {
        Self { error: Link { message: message.into(), ..Link::default() }, ..Self::default() }
    }

    /// A failure with a type name or dotted path.
    pub fn of_kind(kind: Kind, message: impl Into<String>) -> Self {
        let mut failure = Self::new(message);
        failure.error.kind = Some(kind);
        failure
    }

    /// The same, for a kind by its name. A text that is not the name of a kind is ignored.
    pub fn of_kind_named(kind: &str, message: impl Into<String>) -> Self {
        let mut failure = Self::new(message);
        failure.error.kind = kind.parse().ok();
        failure
    }

    /// A failure with typed evidence only.
    pub fn typed(evidence: Evidence) -> Self {
        let mut failure = Self::default();
        failure.error.evidence = Some(evidence);
        failure
    }

    /// Work that was not attempted: a breaker or a local shutdown refused it before the handler ran.
    pub fn refused(until: Option<Time>) -> Self {
        Self::typed(Evidence::Refused { until })
    }

    /// The message of the error without what the destination has answered.
    pub fn message_without_answer(&self) -> &str {
        let message = self.error.message.as_str();
        self.answer_at.map_or(message, |at| message.get(..at).unwrap_or_default())
    }

    #[must_use]
    pub fn with_evidence(mut self, evidence: Evidence) -> Self {
        self.error.evidence = Some(evidence);
        self
    }

    #[must_use]
    pub fn with_retry_after(mut self, hint: Span) -> Self {
        self.retry_after = Some(hint);
        self
    }

    #[must_use]
    pub fn with_trace(mut self, trace: Trace) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Appends `cause` and its causes to the causes of this failure.
    #[must_use]
    pub fn caused_by(mut self, cause: Self) -> Self {
        self.causes.push(cause.error);
        self.causes.extend(cause.causes);
        self.causes.truncate(Self::CAUSES_MAX);
        self.retry_after = self.retry_after.or(cause.retry_after);
        self.trace = self.trace.or(cause.trace);
        self
    }

    /// If the work was refused before it was attempted: the index of the link that refused it, and until when.
    pub(crate) fn not_attempted(&self) -> Option<(usize, Option<Time>)> {
        self.links().enumerate().find_map(|(link, error)| match error.evidence {
            Some(Evidence::Refused { until }) => Some((link, until)),
            _ => None,
        })
    }

    /// The error and its causes, outermost first.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::once(&self.error).chain(self.causes.iter().take(Self::CAUSES_MAX))
    }
}
