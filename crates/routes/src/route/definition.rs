//! A route as it was written, beside its parsed settings.

use std::sync::Arc;

use redrive_core::Classifier;
use serde_json::Value;

use super::named_errors::named_errors;
use super::{RouteSettings, RouteSettingsError};

/// The definition of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteDefinition {
    pub settings: RouteSettings,
    /// As it was written, so that defaults are those of the running version. Values of Kafka properties are hidden.
    shown: Value,
}

/// Tables whose values may be secrets.
const HIDDEN: [&str; 2] = ["consumer_properties", "producer_properties"];

impl RouteDefinition {
    /// Parses a definition and checks what needs no other definition. The classifier is that of policies without rules.
    pub fn parse(written: Value, classifier: &Arc<Classifier>) -> Result<Self, RouteSettingsError> {
        let settings = named_errors::<RouteSettings>(&written).map_err(RouteSettingsError::Malformed)?;
        settings.check(classifier)?;
        let mut shown = written;
        for table in HIDDEN {
            let hidden = shown.get_mut("kafka").and_then(|source| source.get_mut(table)?.as_object_mut());
            hidden.into_iter().flat_map(serde_json::Map::values_mut).for_each(|value| *value = Value::from("…"));
        }
        Ok(Self { settings, shown })
    }

    /// The definition without secrets.
    pub const fn shown(&self) -> &Value {
        &self.shown
    }
}
