//! The statuses of a response that mean success.

use std::fmt;
use std::str::FromStr;

use http::StatusCode;
use redrive_core::{Invalid, Problem};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A status that means success, or a class of them.
///
/// ```
/// use redrive_run::ExpectedStatus;
///
/// assert_eq!("2xx".parse::<ExpectedStatus>().unwrap().to_string(), "2xx");
/// assert!("199".parse::<ExpectedStatus>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedStatus {
    first: u16,
    last: u16,
}

/// 200 to 299.
pub(super) const SUCCESS: ExpectedStatus = ExpectedStatus { first: 200, last: 299 };

impl ExpectedStatus {
    /// One status, from 200 to 599.
    pub fn new(status: u16) -> Result<Self, Invalid> {
        match status {
            200..=599 => Ok(Self { first: status, last: status }),
            _ => Err(refused(status)),
        }
    }

    pub(super) fn contains(self, status: StatusCode) -> bool {
        (self.first..=self.last).contains(&status.as_u16())
    }
}

fn refused(value: impl fmt::Display) -> Invalid {
    Invalid::new("expected", Problem::OutOfRange, value, "a status from 200 to 599, or 2xx, 3xx, 4xx, 5xx")
}

impl FromStr for ExpectedStatus {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        match text {
            "2xx" => Ok(SUCCESS),
            "3xx" => Ok(Self { first: 300, last: 399 }),
            "4xx" => Ok(Self { first: 400, last: 499 }),
            "5xx" => Ok(Self { first: 500, last: 599 }),
            _ => text.parse().map_err(|_| refused(text)).and_then(Self::new),
        }
    }
}

impl fmt::Display for ExpectedStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { write!(f, "{}", self.first) } else { write!(f, "{}xx", self.first / 100) }
    }
}

/// A number, or a text.
impl<'de> Deserialize<'de> for ExpectedStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrClass;

        impl Visitor<'_> for NumberOrClass {
            type Value = ExpectedStatus;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a status, as in 200, or a class of them, as in \"2xx\"")
            }

            fn visit_i64<E: Error>(self, status: i64) -> Result<ExpectedStatus, E> {
                let known = u16::try_from(status).map_err(|_| refused(status));
                known.and_then(ExpectedStatus::new).map_err(E::custom)
            }

            fn visit_u64<E: Error>(self, status: u64) -> Result<ExpectedStatus, E> {
                let known = u16::try_from(status).map_err(|_| refused(status));
                known.and_then(ExpectedStatus::new).map_err(E::custom)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ExpectedStatus, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(NumberOrClass)
    }
}
