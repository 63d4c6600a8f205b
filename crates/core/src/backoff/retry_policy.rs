//! The retry policies that a letter can name.

use super::{Backoff, Curve, Factor};
use crate::Span;
use crate::closed_set::closed_set;

closed_set! {
    /// How a letter is retried, by name. The name stands for one curve, so that a letter needs no more.
    #[derive(Default)]
    pub enum RetryPolicy ("policy") {
        /// Only when a person says so.
        Never = "never",
        /// After 5, 10, 15 … minutes.
        Linear = "linear",
        /// After 1, 2, 4 … minutes, at most 60.
        #[default]
        Exponential = "exponential",
        /// At the next opportunity.
        Immediate = "immediate",
        /// By the delays of its queue: a [`CustomBackoff`](super::CustomBackoff).
        Custom = "custom",
    }
}

impl RetryPolicy {
    /// The curve that the name stands for; `None` for a custom one.
    pub fn backoff(self) -> Option<Backoff> {
        const FIVE_MINUTES: Span = Span::from_mins(5);
        Some(match self {
            Self::Never => Backoff::NEVER,
            Self::Immediate => Backoff::IMMEDIATE,
            Self::Linear => Backoff::plain(Curve::Linear { first: FIVE_MINUTES, step: FIVE_MINUTES }),
            Self::Exponential => Backoff {
                cap: Some(Span::from_mins(60)),
                ..Backoff::plain(Curve::Exponential { first: Span::from_mins(1), factor: Factor::TWO })
            },
            Self::Custom => return None,
        })
    }
}
