//! How one letter is retried.

use crate::{Classification, PolicySource, RetryPolicy};

/// How a letter is retried, and who said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryTerms {
    pub policy: RetryPolicy,
    pub source: PolicySource,
    /// Retries after the first failure.
    pub max_retries: u32,
}

/// What somebody asks for, where it is more than nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestedRetry {
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
}

impl RetryTerms {
    /// Retries of a letter, where nothing else is said.
    pub const MAX_RETRIES: u32 = 3;

    /// What is asked for, else what a rule says, else what the category suggests.
    pub fn of(found: &Classification<'_>, wanted: RequestedRetry, max_retries: u32) -> Self {
        let (policy, source) = match wanted.policy.or(found.overrides.policy) {
            Some(policy) => (policy, PolicySource::Explicit),
            None => (found.category.derived_policy(), PolicySource::Derived),
        };
        let max_retries = wanted.max_retries.or(found.overrides.max_retries).unwrap_or(max_retries);
        Self { policy, source, max_retries }
    }
}
