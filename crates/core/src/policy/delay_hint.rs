//! The delay that a failure requests.

use crate::{Classification, Span};

/// The delay before the next retry that a failure requests. A store keeps no failures, so this is all it has to
/// schedule the first retry of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DelayHint {
    /// The delay set by a rule. It replaces the delay of the policy.
    pub delay: Option<Span>,
    /// The minimum delay that the destination requested; at most [`Classification::RETRY_AFTER_MAX`] takes effect.
    pub retry_after: Option<Span>,
}

impl DelayHint {
    pub const NONE: Self = Self { delay: None, retry_after: None };

    /// The hint of a classified failure.
    pub const fn of(found: &Classification<'_>) -> Self {
        Self { delay: found.overrides.delay, retry_after: found.retry_after }
    }
}
