//! Delays as an expression of the number of failed retries.
//!
//! A letter has at most a hundred retries, so all values of the expression are computed when it is configured. An
//! expression that fails for the seventh retry is rejected then, not when a letter fails for the seventh time. Later
//! decisions use the computed list, so an upgrade of the CEL library cannot change them.

use std::sync::Arc;

use cel::Value;

use crate::expression::Expression;
use crate::{AttemptLimit, Invalid, Problem, Span};

/// The longest delay of a list, a custom function or a rule.
pub(super) const DELAY_MAX: Span = Span::from_days(30);

/// A CEL expression over `n`, the number of failed retries. It yields the delay in seconds, 0 or more.
///
/// ```
/// use redrive_core::{Backoff, Formula, Span};
///
/// let backoff = Backoff::formula(Formula::new("n < 2 ? 10 : 60 * n * n")?);
/// let delays: Vec<_> = (1..=4).filter_map(|failed| backoff.delay(failed, 0)).collect();
/// assert_eq!(delays, [10, 10, 240, 540].map(Span::from_secs));
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    delays: Arc<[Span]>,
}

impl Formula {
    /// Enough for any arithmetic over one number, and cheap enough to evaluate for every `n`.
    const COST_MAX: u64 = 1_000;

    /// Compiles and evaluates the expression. Values above [`Backoff::DELAY_MAX`](super::Backoff::DELAY_MAX) are
    /// reduced to it.
    ///
    /// # Errors
    ///
    /// If `source` is not an expression over `n`, exceeds the cost limit, or does not yield a number of seconds for
    /// some `n` from 0 to 100.
    pub fn new(source: &str) -> Result<Self, Invalid> {
        let expression = Expression::of_number("cel", source, &["n"], Self::COST_MAX)?;
        let delay = |n: u32| {
            let wrong = |problem: &str| {
                let allowed = format!("an expression that gives seconds, 0 or more, for every n (n = {n}: {problem})");
                Invalid::new("cel", Problem::OutOfRange, source, allowed)
            };
            let value = expression.value(|_| Value::Int(i64::from(n))).map_err(wrong)?;
            seconds(&value).map_err(wrong)
        };
        let delays = (0..=AttemptLimit::LETTER_RETRIES_MAX).map(delay).collect::<Result<_, _>>()?;
        Ok(Self { delays })
    }

    /// A formula from its computed delays, by the number of failed retries.
    pub(super) const fn from_delays(delays: Arc<[Span]>) -> Self {
        Self { delays }
    }

    pub(super) fn delays(&self) -> &[Span] {
        &self.delays
    }

    /// The delay after `failed_retries` failed retries.
    pub(super) fn delay(&self, failed_retries: u32) -> Span {
        let index = usize::try_from(failed_retries).unwrap_or(usize::MAX);
        self.delays.get(index).or(self.delays.last()).copied().unwrap_or(Span::ZERO)
    }
}

fn seconds(value: &Value) -> Result<Span, &'static str> {
    const NEGATIVE: &str = "it is negative";
    let span = match value {
        Value::Int(seconds) => Span::from_secs(u64::try_from(*seconds).map_err(|_| NEGATIVE)?),
        Value::UInt(seconds) => Span::from_secs(*seconds),
        Value::Float(seconds) if seconds.is_nan() => return Err("it is not a number"),
        Value::Float(seconds) if *seconds < 0.0 => return Err(NEGATIVE),
        // The cast saturates.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above, and saturating")]
        Value::Float(seconds) => Span::from_micros((seconds * 1e6) as u64),
        _ => return Err("it is not a number"),
    };
    Ok(span.min(DELAY_MAX))
}
