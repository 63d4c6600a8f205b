//! The retry settings of one letter, which override its policy.

use crate::{AttemptLimit, Backoff, RetryPolicy, Span};

/// The delays and the limit of one letter. They replace those of the policy; its classifier, lists, deadline and jitter
/// still apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterTerms<'t> {
    pub delays: LetterDelays<'t>,
    pub limit: AttemptLimit,
    /// One cycle of the retry processor: the delay of `immediate` after a failed retry. Without it, a letter whose
    /// target fails immediately would be retried in a busy loop.
    pub retry_interval: Span,
}

impl LetterTerms<'_> {
    /// The default cycle of a retry processor.
    pub const RETRY_INTERVAL: Span = Span::from_secs(60);
}

/// The retry delays of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterDelays<'t> {
    /// The delays of the policy for the category of the latest failure.
    ByCategory,
    /// Fixed delays, independent of the failure.
    Own(&'t Backoff),
}

impl<'t> LetterDelays<'t> {
    /// The delays of a named policy. `custom` uses the delays of the letter's queue; if the queue has none (any more),
    /// the letter waits for a manual retry.
    pub fn named(policy: RetryPolicy, custom: Option<&'t Backoff>) -> Self {
        static NEVER: Backoff = Backoff::NEVER;
        Self::Own(policy.backoff().or(custom).unwrap_or(&NEVER))
    }
}
