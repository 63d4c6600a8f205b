//! A route as it was written, beside its parsed settings.

use serde_json::Value;

use super::{RouteSettings, RouteSettingsError};

/// The definition of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteDefinition {
    pub settings: RouteSettings,
    /// As it was written, so that defaults are those of the running version. Values of Kafka properties are hidden.
    shown: Value,
}

/// Tables whose values may be secrets.
const HIDDEN: [&str; 3] = ["properties", "consumer_properties", "producer_properties"];

impl RouteDefinition {
    /// Parses a definition and checks what needs no other definition.
    pub fn parse(written: Value) -> Result<Self, RouteSettingsError> {
        let settings: RouteSettings = serde_json::from_value(written.clone())
            .map_err(|error| RouteSettingsError::Malformed(error.to_string()))?;
        settings.check()?;
        let mut shown = written;
        for source in ["kafka", "ingest"] {
            for table in HIDDEN {
                let hidden = shown.get_mut(source).and_then(|source| source.get_mut(table)?.as_object_mut());
                hidden.into_iter().flat_map(serde_json::Map::values_mut).for_each(|value| *value = Value::from("…"));
            }
        }
        Ok(Self { settings, shown })
    }

    /// The definition without secrets.
    pub const fn shown(&self) -> &Value {
        &self.shown
    }
}
