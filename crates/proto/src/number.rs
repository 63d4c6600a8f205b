//! A whole number as protobuf's JSON writes it: `3`, `3.0`, `"3"`; `null` is zero.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

#[derive(Debug, Default)]
pub(crate) struct Number<T>(pub(crate) T);

/// The kinds of whole numbers that fields have.
pub(crate) trait Whole: TryFrom<i128> + Default {
    const BITS: u32;
}

impl Whole for i32 {
    const BITS: u32 = Self::BITS;
}

impl Whole for i64 {
    const BITS: u32 = Self::BITS;
}

impl<'de, T: Whole> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Form(PhantomData))
    }
}

struct Form<T>(PhantomData<T>);

/// Beyond it a float does not say which whole number is meant.
const FLOAT_MAX: f64 = 9_007_199_254_740_992.0;

impl<T: Whole> Visitor<'_> for Form<T> {
    type Value = Number<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number of {} bits", T::BITS)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number<T>, E> {
        let whole = T::try_from(i128::from(number));
        whole.map(Number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number<T>, E> {
        let whole = T::try_from(i128::from(number));
        whole.map(Number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number<T>, E> {
        let is_whole = number.fract() == 0.0 && number.abs() <= FLOAT_MAX;
        // It fits: it was just looked at.
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of that range")]
        let whole = is_whole.then_some(number as i128).and_then(|whole| T::try_from(whole).ok());
        whole.map(Number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
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
