//! The retry policy and limit of a letter.

use crate::{Classification, PolicySource, RetryPolicy};

/// The retry policy and limit of a letter, and the origin of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryTerms {
    pub policy: RetryPolicy,
    pub source: PolicySource,
    /// Retries after the first failure.
    pub max_retries: u32,
}

/// The retry settings that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestedRetry {
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
}

impl RetryTerms {
    /// The default number of retries of a letter.
    pub const MAX_RETRIES: u32 = 3;

    /// Precedence: request > rule > category (for the policy) or `max_retries` (for the limit).
    pub fn of(found: &Classification<'_>, requested: RequestedRetry, max_retries: u32) -> Self {
        let (policy, source) = match requested.policy.or(found.overrides.policy) {
            Some(policy) => (policy, PolicySource::Explicit),
            None => (found.category.derived_policy(), PolicySource::Derived),
        };
        let max_retries = requested.max_retries.or(found.overrides.max_retries).unwrap_or(max_retries);
        Self { policy, source, max_retries }
    }
}
