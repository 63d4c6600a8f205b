//! Jitter: spreads due times, so that work that failed together is not retried together.
//!
//! Which one to use? [`Jitter::Full`] spreads best and is the usual choice for a shared destination;
//! [`Jitter::Equal`] keeps at least half of the delay; the additive ones never shorten a delay, so a configured delay
//! of five minutes is a minimum.

use crate::{Invalid, Problem, Span};

/// How a delay is varied. The result is never negative and never overflows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Jitter {
    #[default]
    None,
    /// Adds up to this span, even beyond the cap.
    Additive(Span),
    /// Adds up to this percentage of the delay, even beyond the cap.
    AdditivePercent(u8),
    /// A random delay between zero and the delay.
    Full,
    /// A random delay between half the delay and the delay.
    Equal,
    /// Adds or subtracts up to this percentage of the delay, never above the cap.
    Spread(u8),
}

impl Jitter {
    pub fn additive_percent(percent: u8) -> Result<Self, Invalid> {
        check_percent(percent).map(Self::AdditivePercent)
    }

    pub fn spread(percent: u8) -> Result<Self, Invalid> {
        check_percent(percent).map(Self::Spread)
    }

    pub(crate) fn apply(self, delay: Span, cap: Span, random: u64) -> Span {
        match self {
            Self::None => delay,
            Self::Additive(most) => delay.saturating_add(fraction(most, random)),
            Self::AdditivePercent(most) => delay.saturating_add(fraction(percent(delay, most), random)),
            Self::Full => fraction(delay, random),
            Self::Equal => {
                let half = Span::from_micros(delay.as_micros() / 2);
                delay.saturating_sub(fraction(half, random))
            }
            Self::Spread(most) => {
                let reach = percent(delay, most);
                let width = reach.saturating_mul(2);
                delay.saturating_sub(reach).saturating_add(fraction(width, random)).min(cap)
            }
        }
    }
}

fn check_percent(percent: u8) -> Result<u8, Invalid> {
    if percent > 100 {
        return Err(Invalid::new("percent", Problem::OutOfRange, percent, "0 to 100"));
    }
    Ok(percent)
}

fn percent(span: Span, percent: u8) -> Span {
    let share = u128::from(span.as_micros()) * u128::from(percent) / 100;
    Span::from_micros(u64::try_from(share).unwrap_or(u64::MAX))
}

/// A random part of the span, from zero to the whole span inclusive.
fn fraction(span: Span, random: u64) -> Span {
    let scaled = ((u128::from(span.as_micros()) + 1) * u128::from(random)) >> 64;
    Span::from_micros(u64::try_from(scaled).unwrap_or(u64::MAX))
}
