//! Delays as an expression of the number of failed retries.
//!
//! A letter is retried a hundred times at most, so the expression has few values: all of them are computed when it is
//! written. What fails for the seventh retry is refused then, not when somebody's letter has failed seven times; and what
//! decides later is a list of times, which no library evaluates differently after an upgrade.

use std::sync::Arc;

use cel::Value;

use super::delay_max::DELAY_MAX;
use crate::expression::Expression;
use crate::{AttemptLimit, Invalid, Problem, Span};

/// An expression in CEL of `n`, the number of failed retries: the seconds to wait, 0 at least.
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
    /// Much more than arithmetic over one number needs, and little enough to be evaluated for all of them.
    const COST_MAX: u64 = 1_000;

    /// # Errors
    ///
    /// When it is no expression of `n`, costs too much, or gives no number of seconds for some `n` from 0 to 100. More
    /// than [`Backoff::DELAY_MAX`](super::Backoff::DELAY_MAX) is that much.
    pub fn new(source: &str) -> Result<Self, Invalid> {
        let expression = Expression::of_number("cel", source, &["n"], Self::COST_MAX)?;
        let delay = |n: u32| {
            let wrong = |fault: &str| {
                let allowed = format!("an expression that gives seconds, 0 or more, for every n (n = {n}: {fault})");
                Invalid::new("cel", Problem::OutOfRange, source, allowed)
            };
            let value = expression.value(|_| Value::Int(i64::from(n))).map_err(wrong)?;
            seconds(&value).map_err(wrong)
        };
        let delays = (0..=AttemptLimit::LETTER_RETRIES_MAX).map(delay).collect::<Result<_, _>>()?;
        Ok(Self { delays })
    }

    /// What a formula gave for each number of failed retries, when it was written.
    pub(super) const fn reckoned(delays: Arc<[Span]>) -> Self {
        Self { delays }
    }

    pub(super) fn delays(&self) -> &[Span] {
        &self.delays
    }

    /// The delay after so many failed retries.
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
        // A cast of a number that is too large gives the largest there is.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above, and saturating")]
        Value::Float(seconds) => Span::from_micros((seconds * 1e6) as u64),
        _ => return Err("it is not a number"),
    };
    Ok(span.min(DELAY_MAX))
}
