//! A whole number as protobuf's JSON writes it: `3`, `3.0`, `"3"`; `null` is zero.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

#[derive(Debug, Default)]
pub(crate) struct Number(pub(crate) i32);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Form)
    }
}

struct Form;

impl Visitor<'_> for Form {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of 32 bits")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
        i32::try_from(number).map(Number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
        i32::try_from(number).map(Number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        let is_whole = number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
        // It fits: it was just looked at.
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of that range")]
        is_whole.then_some(Number(number as i32)).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        match text.parse::<i32>() {
            Ok(number) => Ok(Number(number)),
            Err(_) if text.trim() == text => {
                let number = text.parse::<f64>().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))?;
                self.visit_f64(number)
            }
            Err(_) => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Number, E> {
        Ok(Number(0))
    }
}
