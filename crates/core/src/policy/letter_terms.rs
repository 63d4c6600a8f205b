//! How one letter is retried, where that differs from its policy.

use crate::{AttemptLimit, Backoff, RetryPolicy, Span};

/// The delays and the limit of one letter. They replace those of the policy; its classifier, lists, deadline and jitter
/// still apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterTerms<'t> {
    pub delays: LetterDelays<'t>,
    pub limit: AttemptLimit,
    /// One cycle of the retry processor: how long a delay of `immediate` is once a retry has failed. Without it a letter
    /// whose target refuses at once would be retried as fast as the machine can.
    pub retry_interval: Span,
}

impl LetterTerms<'_> {
    /// The cycle of a retry processor that nobody configured.
    pub const RETRY_INTERVAL: Span = Span::from_secs(60);
}

/// By which delays one letter is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterDelays<'t> {
    /// By those that the policy has for the category of the latest failure.
    ByCategory,
    /// By these, whatever failed.
    Own(&'t Backoff),
}

impl<'t> LetterDelays<'t> {
    /// The delays that a policy's name stands for. `custom` stands for those of the letter's queue; where the queue has
    /// none (any more), the letter waits for a manual retry.
    pub fn named(policy: RetryPolicy, custom: Option<&'t Backoff>) -> Self {
        static NEVER: Backoff = Backoff::NEVER;
        Self::Own(policy.backoff().or(custom).unwrap_or(&NEVER))
    }
}
