//! Whole numbers within a range.
//!
//! The bounds have the type of the option, as in `at_least(1_u32)`: the compiler does not check it, and a wrong one is
//! a panic when the option is given.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A parser for numbers of at least `least`.
pub(crate) fn at_least<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Copy + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| format!("expected a whole number, {least} or more"))
    }
}

/// A parser for the numbers of a range.
pub(crate) fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Copy + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::{at_least, within};

    #[test]
    fn a_number_outside_the_range_and_a_text_name_the_range() {
        assert_eq!((within(0..=100)("0"), within(0..=100)("100")), (Ok(0), Ok(100)));
        for wrong in ["101", "-1", "many", "", "1.5"] {
            assert_eq!(within(0..=100)(wrong), Err("expected a whole number from 0 to 100".to_owned()), "{wrong}");
        }
        assert_eq!(at_least(1_u32)("4294967295"), Ok(u32::MAX));
        for wrong in ["0", "-1", "many", "4294967296"] {
            assert_eq!(at_least(1_u32)(wrong), Err("expected a whole number, 1 or more".to_owned()), "{wrong}");
        }
    }
}
