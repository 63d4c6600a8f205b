//! The delay before the next attempt.
//!
//! The systems that Redrive unites define the same few curves in minutes, seconds and milliseconds, with the first
//! delay at attempt 0 or 1. This is one type for all of them: a curve over the number of failed attempts, a cap, and
//! jitter. It is pure: the caller passes the random number, so that a due time can be stored, explained and computed
//! again. Arithmetic saturates, so attempt 4 000 000 000 works like attempt 4.

use super::formula::DELAY_MAX;
use super::{Curve, CustomDelay, Factor, Formula, Jitter};
use crate::{Invalid, Problem, Span};

/// A curve of delays with a cap and jitter.
///
/// ```
/// use redrive_core::{Backoff, Span};
///
/// let backoff = Backoff::exponential(Span::from_secs(1), 2.0).unwrap().capped(Span::from_secs(30)).unwrap();
/// let delays: Vec<_> = (1..=7).filter_map(|failed| backoff.delay(failed, 0)).map(|d| d.to_string()).collect();
/// assert_eq!(delays, ["1s", "2s", "4s", "8s", "16s", "30s", "30s"]);
/// assert_eq!(backoff.delay(4_000_000_000, 0), Some(Span::from_secs(30)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    pub(super) curve: Curve,
    pub(super) cap: Option<Span>,
    pub(super) jitter: Jitter,
}

impl Backoff {
    /// The longest delay of a list, a custom function or a rule.
    pub const DELAY_MAX: Span = DELAY_MAX;

    /// No automatic retry: an operator decides.
    pub const NEVER: Self = Self::plain(Curve::Never);
    /// Retry immediately.
    pub const IMMEDIATE: Self = Self::plain(Curve::Immediate);

    /// For messages of a mailbox: a minute more after each failure, at most 15.
    pub const MAILBOX: Self = Self {
        curve: Curve::Linear { first: Span::from_mins(1), step: Span::from_mins(1) },
        cap: Some(Span::from_mins(15)),
        jitter: Jitter::None,
    };

    pub(super) const fn plain(curve: Curve) -> Self {
        Self { curve, cap: None, jitter: Jitter::None }
    }

    pub fn fixed(delay: Span) -> Self {
        Self::plain(Curve::Fixed(delay))
    }

    /// `first`, then `step` longer after each failure.
    pub fn linear(first: Span, step: Span) -> Self {
        Self::plain(Curve::Linear { first, step })
    }

    /// `first`, then multiplied by `factor` after each failure.
    pub fn exponential(first: Span, factor: f64) -> Result<Self, Invalid> {
        Ok(Self::plain(Curve::Exponential { first, factor: Factor::new(factor)? }))
    }

    /// For reconnects: `first`, doubled after each failure up to `cap`, each shortened by a random part of up to half,
    /// so that clients that lost a server together do not come back together.
    pub const fn reconnect(first: Span, cap: Span) -> Self {
        Self { curve: Curve::Exponential { first, factor: Factor::TWO }, cap: Some(cap), jitter: Jitter::Equal }
    }

    /// These delays in turn, then the last one repeatedly.
    pub fn list(delays: impl Into<Vec<Span>>) -> Result<Self, Invalid> {
        let delays = delays.into();
        let allowed = || format!("1 to {} delays of at most {} each", Curve::LIST_LEN_MAX, Self::DELAY_MAX);
        if delays.is_empty() || delays.len() > Curve::LIST_LEN_MAX {
            return Err(Invalid::new("delays", Problem::OutOfRange, format!("{} delays", delays.len()), allowed()));
        }
        if let Some(long) = delays.iter().find(|delay| **delay > Self::DELAY_MAX) {
            return Err(Invalid::new("delays", Problem::OutOfRange, long, allowed()));
        }
        Ok(Self::plain(Curve::List(delays.into())))
    }

    /// The delay that the function returns for the number of failed attempts, at most [`Backoff::DELAY_MAX`]. The
    /// function must be pure.
    pub fn custom(name: &str, delay: impl Fn(u32) -> Span + Send + Sync + 'static) -> Self {
        Self::plain(Curve::Custom(CustomDelay::new(name, delay)))
    }

    /// The delay that a formula yields for the number of failed retries.
    pub const fn formula(formula: Formula) -> Self {
        Self::plain(Curve::Formula(formula))
    }

    /// Limits the delays of the curve to `cap`.
    pub fn capped(mut self, cap: Span) -> Result<Self, Invalid> {
        let first = self.curve.delay(1).unwrap_or(Span::ZERO);
        if cap < first {
            let allowed = format!("the first delay ({first}) or more");
            return Err(Invalid::new("cap", Problem::Contradiction, cap, allowed));
        }
        self.cap = Some(cap);
        Ok(self)
    }

    #[must_use]
    pub fn with_jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = jitter;
        self
    }

    pub const fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Whether there is never a next attempt.
    pub const fn is_never(&self) -> bool {
        matches!(self.curve, Curve::Never)
    }

    /// Whether there is never a delay.
    pub const fn is_immediate(&self) -> bool {
        matches!(self.curve, Curve::Immediate)
    }

    /// The delay after `failed` failed attempts (1 = the first has just failed), or `None` for never.
    ///
    /// `random` is any uniformly distributed number; only the jitter uses it.
    pub fn delay(&self, failed: u32, random: u64) -> Option<Span> {
        let cap = self.cap.unwrap_or(Span::MAX);
        let delay = self.curve.delay(failed)?.min(cap);
        Some(self.jitter.apply(delay, cap, random))
    }
}
