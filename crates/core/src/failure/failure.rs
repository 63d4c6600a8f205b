//! A failed attempt.

use std::collections::BTreeMap;

use super::{Evidence, Kind};
use crate::fingerprint::Trace;
use crate::{Span, Time};

/// A failed attempt: the error with its causes, and what the handler knows about it.
///
/// Handlers give evidence; only [`Classifier`](crate::Classifier) says what it means.
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
    /// The error itself: the outermost link of the chain.
    pub error: Link,
    /// What caused it, outermost first; at most [`Failure::CAUSES_MAX`].
    pub causes: Vec<Link>,
    /// The named pieces of the work that failed, where it has several.
    pub parts: Vec<String>,
    pub metadata: BTreeMap<String, String>,
    /// How long the other side asked us to wait.
    pub retry_after: Option<Span>,
    /// Where in the code it happened.
    pub trace: Option<Trace>,
}

/// One error of a chain of causes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The type of the error, where it has one.
    pub kind: Option<Kind>,
    /// What the type also is: its superclasses, nearest first.
    pub parents: Vec<Kind>,
    /// The error code of the surface that raised it, where it has one: `RATE_LIMIT_EXCEEDED`.
    pub code: Option<String>,
    pub message: String,
    pub evidence: Option<Evidence>,
}

impl Failure {
    /// A longer chain is cut here: it is a loop, or nobody reads it.
    pub const CAUSES_MAX: usize = 32;

    pub fn new(message: impl Into<String>) -> Self {
        Self { error: Link { message: message.into(), ..Link::default() }, ..Self::default() }
    }

    /// A failure known by its type name or dotted path.
    pub fn of_kind(kind: Kind, message: impl Into<String>) -> Self {
        let mut failure = Self::new(message);
        failure.error.kind = Some(kind);
        failure
    }

    /// A failure known by typed evidence alone.
    pub fn typed(evidence: Evidence) -> Self {
        let mut failure = Self::default();
        failure.error.evidence = Some(evidence);
        failure
    }

    /// Not an attempt at all: a breaker or a local shutdown refused it before the handler ran.
    pub fn refused(until: Option<Time>) -> Self {
        Self::typed(Evidence::Refused { until })
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

    /// Puts another failure, with all its causes, behind this one.
    #[must_use]
    pub fn caused_by(mut self, cause: Self) -> Self {
        self.causes.push(cause.error);
        self.causes.extend(cause.causes);
        self.causes.truncate(Self::CAUSES_MAX);
        self.retry_after = self.retry_after.or(cause.retry_after);
        self.trace = self.trace.or(cause.trace);
        self
    }

    /// Whether the work was refused before it was tried: by which link, and until when.
    pub(crate) fn refusal(&self) -> Option<(usize, Option<Time>)> {
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
