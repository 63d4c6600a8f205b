//! The `[[routes]]` sections of the configuration file.

use std::fmt;
use std::slice;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;

/// The `[[routes]]` sections as they are written.
#[derive(Clone)]
pub(crate) struct RouteSections(Vec<Value>);

impl<'de> Deserialize<'de> for RouteSections {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Array(sections) => Ok(Self(sections)),
            _ => Err(D::Error::custom("a route is a section [[routes]], with two brackets")),
        }
    }
}

/// Without their content: properties of Kafka may be secrets.
impl fmt::Debug for RouteSections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RouteSections({})", self.0.len())
    }
}

impl RouteSections {
    pub(super) fn iter(&self) -> slice::Iter<'_, Value> {
        self.0.iter()
    }
}
