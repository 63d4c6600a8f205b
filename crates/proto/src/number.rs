//! Deserialization of a number as protobuf's JSON mapping allows it: `3`, `3.0`, `"3"`, and `null` for zero.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

#[derive(Debug, Default)]
pub(crate) struct Number<T>(pub(crate) T);

/// The numeric types that message fields have.
pub(crate) trait NumberType: Default {
    /// What serde's error reports as expected.
    const EXPECTED: &'static str;

    fn of_whole(whole: i128) -> Option<Self>;

    fn of_float(float: f64) -> Option<Self> {
        whole(float).and_then(Self::of_whole)
    }
}

impl NumberType for i32 {
    const EXPECTED: &'static str = "a 32-bit integer";

    fn of_whole(whole: i128) -> Option<Self> {
        whole.try_into().ok()
    }
}

impl NumberType for i64 {
    const EXPECTED: &'static str = "a 64-bit integer";

    fn of_whole(whole: i128) -> Option<Self> {
        whole.try_into().ok()
    }
}

impl NumberType for f64 {
    const EXPECTED: &'static str = "a number";

    #[expect(clippy::cast_precision_loss, reason = "a double field is not exact")]
    fn of_whole(whole: i128) -> Option<Self> {
        Some(whole as Self)
    }

    fn of_float(float: f64) -> Option<Self> {
        Some(float)
    }
}

/// 2^53: a larger float does not identify one integer.
const FLOAT_MAX: f64 = 9_007_199_254_740_992.0;

pub(crate) fn whole(float: f64) -> Option<i128> {
    let is_whole = float.fract() == 0.0 && float.abs() <= FLOAT_MAX;
    #[expect(clippy::cast_possible_truncation, reason = "an integer within 2^53, as checked above")]
    is_whole.then_some(float as i128)
}

impl<'de, T: NumberType> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor(PhantomData))
    }
}

struct NumberVisitor<T>(PhantomData<T>);

impl<T: NumberType> Visitor<'_> for NumberVisitor<T> {
    type Value = Number<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number<T>, E> {
        let found = T::of_whole(i128::from(number));
        found.map(Number).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number<T>, E> {
        let found = T::of_whole(i128::from(number));
        found.map(Number).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number<T>, E> {
        T::of_float(number).map(Number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number<T>, E> {
        match text.parse::<i64>() {
            Ok(number) => self.visit_i64(number),
            Err(_) if text.trim() == text => {
                let number = text.parse::<f64>().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))?;
                self.visit_f64(number)
            }
            Err(_) => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Number<T>, E> {
        Ok(Number(T::default()))
    }
}
