//! The sources of the settings about letters, and their values as the server reports them.

use std::collections::BTreeMap;

use anyhow::Result;
use confique::Config as _;
use confique::meta::{FieldKind, LeafKind, Meta};
use redrive_server::{ConfigSource, ConfiguredSetting};
use toml::Table;

use super::Dlq;

/// The source of each setting about letters, and the place of every setting. One that is not listed has its default.
#[derive(Debug, Default)]
pub(crate) struct SettingSources {
    of_letters: BTreeMap<String, ConfigSource>,
    /// By the whole name, as in `server.listen`: a file, a variable, or an option.
    places: BTreeMap<String, String>,
}

impl SettingSources {
    /// Adds the settings of a table, except those that a source of higher precedence has set.
    pub(super) fn add(&mut self, table: &Table, source: ConfigSource, place: &str) {
        for (section, settings) in table {
            for name in settings.as_table().into_iter().flat_map(Table::keys) {
                self.places.entry(format!("{section}.{name}")).or_insert_with(|| place.to_owned());
                if section == "dlq" {
                    self.of_letters.entry(name.clone()).or_insert(source);
                }
            }
        }
    }

    /// Adds the settings of the environment. `config` describes all settings.
    pub(super) fn add_variables(&mut self, config: &'static Meta, is_set: impl Fn(&str) -> bool) {
        for field in config.fields {
            let FieldKind::Nested { meta } = field.kind else { continue };
            for (name, variable) in leaves(meta) {
                let Some(variable) = variable.filter(|variable| is_set(variable)) else { continue };
                self.places.entry(format!("{}.{name}", field.name)).or_insert_with(|| variable.to_owned());
                if field.name == "dlq" {
                    self.of_letters.entry(name.to_owned()).or_insert(ConfigSource::Environment);
                }
            }
        }
    }

    /// The error of a check of the configuration, with the place of the setting that it is about.
    pub(crate) fn locate(&self, error: anyhow::Error) -> anyhow::Error {
        let text = format!("{error:#}");
        // A check has the whole name of the setting, or begins with the last part of it.
        let is_about = |name: &str| {
            let key = name.split_once('.').map_or(name, |(_, key)| key);
            let begins = |part: &str| part.strip_prefix(key).is_some_and(|rest| rest.starts_with(' '));
            text.contains(name) || text.split(": ").any(begins)
        };
        match self.places.iter().filter(|(name, _)| is_about(name)).max_by_key(|(name, _)| name.len()) {
            Some((_, place)) => error.context(format!("in {place}")),
            None => error,
        }
    }
}

/// The names of the settings about letters, with their variables.
pub(super) fn keys() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    leaves(&Dlq::META)
}

fn leaves(meta: &'static Meta) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    meta.fields.iter().map(|field| match field.kind {
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
            source: sources.of_letters.get(name).copied().unwrap_or_default(),
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
