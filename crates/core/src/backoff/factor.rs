//! The growth factor of an exponential curve, in integer arithmetic.
//!
//! Powers of floating-point numbers differ between machines and library versions; a due time that is computed again
//! must not. So a factor is a fixed-point number with 32 fractional bits, and powers are computed by squaring: at most
//! 32 squarings for any attempt number, and exact for integer factors.

use std::fmt;

use crate::{Invalid, Problem, Span};

/// The growth factor of an exponential delay: 1 to 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(u64);

const FRACTION_BITS: u32 = 32;
const ONE: u128 = 1 << FRACTION_BITS;

impl Factor {
    pub const TWO: Self = Self(2 << FRACTION_BITS);

    pub fn new(factor: f64) -> Result<Self, Invalid> {
        if !(1.0..=1000.0).contains(&factor) {
            return Err(Invalid::new("factor", Problem::OutOfRange, factor, "1 to 1000"));
        }
        // A multiplication by a power of two is exact, and the bounds keep the product within 42 bits.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        Ok(Self((factor * (1u64 << FRACTION_BITS) as f64).round() as u64))
    }

    /// `first` × factor^`times`, saturating.
    pub(super) fn grow(self, first: Span, times: u32) -> Span {
        self.power(times)
            .and_then(|power| power.checked_mul(u128::from(first.as_micros())))
            .and_then(|product| u64::try_from(product >> FRACTION_BITS).ok())
            .map_or(if first.is_zero() { Span::ZERO } else { Span::MAX }, Span::from_micros)
    }

    /// The power in fixed point; `None` if it is 2⁶⁴ or more, which saturates every delay.
    fn power(self, mut times: u32) -> Option<u128> {
        let multiply = |a: u128, b: u128| a.checked_mul(b).map(|product| product >> FRACTION_BITS);
        let mut power = ONE;
        let mut square = u128::from(self.0);
        while times > 0 {
            if times & 1 == 1 {
                power = multiply(power, square)?;
            }
            times >>= 1;
            if times > 0 {
                square = multiply(square, square)?;
            }
        }
        Some(power)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 as f64 / ONE as f64).fmt(f)
    }
}

impl fmt::Debug for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
