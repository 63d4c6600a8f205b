//! The delays of one letter.

use crate::{Backoff, RetryPolicy};

/// By which delays one letter is retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterDelays {
    /// By those that the policy has for what failed last.
    ByCategory,
    /// By these, whatever failed.
    Own(Backoff),
    /// By delays that only the keeper of the letter knows, and adds: here nothing is waited for but what the failure
    /// itself asks for.
    Kept,
}

impl LetterDelays {
    /// The delays that a policy's name stands for; `custom` stands for those of the letter's queue. Where the queue has
    /// none (any more), a person decides.
    pub fn named(policy: RetryPolicy, custom: Option<&Backoff>) -> Self {
        Self::Own(policy.backoff().or_else(|| custom.cloned()).unwrap_or(Backoff::NEVER))
    }
}
