//! The retry policies that a letter can name.

use super::{Backoff, Curve, Factor, Jitter};
use crate::Span;
use crate::closed_set::closed_set;

closed_set! {
    /// The named retry policy of a letter. Each name selects a fixed curve, so that a letter stores only the name.
    #[derive(Default)]
    pub enum RetryPolicy ("policy") {
        /// Manual retries only.
        Never = "never",
        /// After 5, 10, 15 … minutes.
        Linear = "linear",
        /// After 1, 2, 4 … minutes, at most 60.
        #[default]
        Exponential = "exponential",
        /// Immediately; after a failed retry, in the next cycle of the retry processor.
        Immediate = "immediate",
        /// With the delays of the letter's queue: a [`CustomBackoff`](super::CustomBackoff).
        Custom = "custom",
    }
}

impl RetryPolicy {
    /// The curve of the policy; `None` for `custom`.
    pub const fn backoff(self) -> Option<&'static Backoff> {
        static NEVER: Backoff = Backoff::NEVER;
        static IMMEDIATE: Backoff = Backoff::IMMEDIATE;
        static LINEAR: Backoff = Backoff::plain(Curve::Linear { first: Span::from_mins(5), step: Span::from_mins(5) });
        static EXPONENTIAL: Backoff = Backoff {
            curve: Curve::Exponential { first: Span::from_mins(1), factor: Factor::TWO },
            cap: Some(Span::from_mins(60)),
            jitter: Jitter::None,
        };
        match self {
            Self::Never => Some(&NEVER),
            Self::Immediate => Some(&IMMEDIATE),
            Self::Linear => Some(&LINEAR),
            Self::Exponential => Some(&EXPONENTIAL),
            Self::Custom => None,
        }
    }
}
