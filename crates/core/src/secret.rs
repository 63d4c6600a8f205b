//! Secret values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A text that is never shown: its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Accepts every scalar of a configuration, because a password may consist of digits only. Errors never show the value.
impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Secret;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Secret, E> {
                Ok(Secret::from(text))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Secret, E> {
                Ok(Secret::from(number.to_string()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Secret, E> {
                Ok(Secret::from(number.to_string()))
            }

            fn visit_f64<E: Error>(self, _number: f64) -> Result<Secret, E> {
                Err(E::custom("a secret must be a quoted string"))
            }

            fn visit_bool<E>(self, word: bool) -> Result<Secret, E> {
                Ok(Secret::from(word.to_string()))
            }
        }
        deserializer.deserialize_string(Scalar)
    }
}
