//! Spreading due times, so that what failed together does not come back together.
//!
//! Which one? [`Jitter::Full`] spreads best and is the usual choice against a shared destination;
//! [`Jitter::Equal`] keeps half of the delay certain; the additive ones never make a delay shorter, which
//! is what a person expects who configured "five minutes".

use crate::{Invalid, Problem, Span};

/// How a delay is varied. No jitter makes a delay negative or overflows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Jitter {
    #[default]
    None,
    /// Up to this much more, also beyond the cap.
    Additive(Span),
    /// Up to this many percent of the delay more, also beyond the cap.
    AdditivePercent(u8),
    /// Anything from zero to the delay.
    Full,
    /// Anything from half the delay to the delay.
    Equal,
    /// Up to this many percent more or less, never above the cap.
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

/// A part of the span between nothing and all of it, both included.
fn fraction(span: Span, random: u64) -> Span {
    let scaled = ((u128::from(span.as_micros()) + 1) * u128::from(random)) >> 64;
    Span::from_micros(u64::try_from(scaled).unwrap_or(u64::MAX))
}
