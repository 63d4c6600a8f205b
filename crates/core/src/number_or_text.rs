//! A configuration value that may be a number or a text, kept as text.
//!
//! The deserialiser accepts both; the code that knows the field and its allowed values validates the text, so that the
//! error names both.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

pub(crate) struct NumberOrText(pub(crate) String);

impl<'de> Deserialize<'de> for NumberOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrTextVisitor;

        impl Visitor<'_> for NumberOrTextVisitor {
            type Value = NumberOrText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a text")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<NumberOrText, E> {
                Ok(NumberOrText(number.to_string()))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<NumberOrText, E> {
                Ok(NumberOrText(number.to_string()))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<NumberOrText, E> {
                Ok(NumberOrText(number.to_string()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<NumberOrText, E> {
                Ok(NumberOrText(text.to_owned()))
            }
        }

        deserializer.deserialize_any(NumberOrTextVisitor)
    }
}

/// Deserialises an optional field.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<NumberOrText>::deserialize(deserializer)?.map(|written| written.0))
}
