//! The sources of the settings about letters, and their values as the server reports them.

use std::collections::BTreeMap;

use anyhow::Result;
use confique::Config as _;
use confique::meta::{FieldKind, LeafKind};
use redrive_server::{ConfigSource, ConfiguredSetting};
use toml::{Table, Value};

use super::Dlq;

/// The source of each setting about letters. A setting that is not listed has its default.
#[derive(Debug, Default)]
pub(crate) struct SettingSources(BTreeMap<String, ConfigSource>);

impl SettingSources {
    /// Adds the settings of a table, except those that a source of higher precedence has set.
    pub(super) fn add(&mut self, table: &Table, source: ConfigSource) {
        if let Some(Value::Table(section)) = table.get("dlq") {
            for name in section.keys() {
                self.0.entry(name.clone()).or_insert(source);
            }
        }
    }

    /// Adds the settings of the environment.
    pub(super) fn add_variables(&mut self, is_set: impl Fn(&str) -> bool) {
        for (name, variable) in keys() {
            if variable.is_some_and(&is_set) {
                self.0.entry(name.to_owned()).or_insert(ConfigSource::Environment);
            }
        }
    }
}

/// The names of the settings about letters, with their variables.
pub(super) fn keys() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    Dlq::META.fields.iter().map(|field| match field.kind {
        FieldKind::Leaf { env, kind: LeafKind::Required { .. } | LeafKind::Optional } => (field.name, env),
        FieldKind::Nested { .. } => (field.name, None),
    })
}

impl Dlq {
    /// All settings about letters, with values and sources.
    pub(crate) fn configured(&self, sources: &SettingSources) -> Result<Vec<ConfiguredSetting>> {
        let mut values = self.values()?;
        let configured = |(name, _): (&'static str, _)| ConfiguredSetting {
            name: name.to_owned(),
            value: values.remove(name).unwrap_or_default(),
            source: sources.0.get(name).copied().unwrap_or_default(),
        };
        Ok(keys().map(configured).collect())
    }

    /// The settings that have a value, as they are written in the file; secrets are masked.
    pub(super) fn values(&self) -> Result<BTreeMap<String, String>> {
        let values: BTreeMap<String, serde_json::Value> = serde_json::from_value(serde_json::to_value(self)?)?;
        let shown = values.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| match value {
            serde_json::Value::String(text) => (name, text),
            value => (name, value.to_string()),
        });
        Ok(shown.collect())
    }
}

#[cfg(test)]
mod tests {
    use confique::Config as _;

    use super::{Dlq, SettingSources, keys};

    #[test]
    fn every_setting_about_letters_is_reported_once_and_secrets_are_masked() {
        let mut dlq = Dlq::builder().load().unwrap();
        dlq.opensearch_password = Some("5ecret".into());
        dlq.custom_backoff = Some("cel n < 3 ? 10 : 600".parse().unwrap());
        let configured = dlq.configured(&SettingSources::default()).unwrap();
        assert_eq!(configured.len(), keys().count());
        let value = |name: &str| configured.iter().find(|setting| setting.name == name).unwrap().value.as_str();
        for (name, expected) in [
            ("enabled", "true"),
            ("max_parallel", "16"),
            ("custom_backoff", "cel n < 3 ? 10 : 600"),
            ("targets", "0 queues"),
            ("opensearch_index", "redrive_dlq"),
            ("opensearch_password", "********"),
            ("opensearch_api_key", ""),
        ] {
            assert_eq!(value(name), expected, "{name}");
        }
    }
}
