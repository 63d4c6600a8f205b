//! A value that a file may write as a number or as text, kept as it was written.
//!
//! What is wrong with it is told by whoever knows the field and what is allowed there, not by the parser.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

pub(crate) struct NumberOrText(pub(crate) String);

impl<'de> Deserialize<'de> for NumberOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;

        impl Visitor<'_> for Written {
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

        deserializer.deserialize_any(Written)
    }
}

/// For a field that may be missing.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<NumberOrText>::deserialize(deserializer)?.map(|written| written.0))
}
