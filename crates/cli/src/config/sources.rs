//! The sources of the settings about letters, and their values as the server reports them.

use std::collections::BTreeMap;

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
    pub(crate) fn configured(&self, sources: &SettingSources) -> Vec<ConfiguredSetting> {
        let mut values: BTreeMap<&str, String> = self.shown().into_iter().collect();
        let configured = |(name, _): (&'static str, _)| ConfiguredSetting {
            name: name.to_owned(),
            value: values.remove(name).unwrap_or_default(),
            source: sources.0.get(name).copied().unwrap_or_default(),
        };
        keys().map(configured).collect()
    }

    /// The settings that a queue cannot override, as they are written in the file.
    fn shown(&self) -> Vec<(&'static str, String)> {
        let maybe = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let masked = |is_set: bool| if is_set { "********" } else { "" }.to_owned();
        let ca_file = self.opensearch_ca_file.as_ref().map(|file| file.display().to_string());
        vec![
            ("enabled", self.enabled.to_string()),
            ("allow_large", self.allow_large.to_string()),
            ("retry_processor_enabled", self.retry_processor_enabled.to_string()),
            ("retry_interval_seconds", self.retry_interval_seconds.to_string()),
            ("max_parallel", self.max_parallel.to_string()),
            ("attempt_timeout_seconds", self.attempt_timeout_seconds.to_string()),
            ("lease_seconds", self.lease_seconds.to_string()),
            ("drain_deadline_seconds", self.drain_deadline_seconds.to_string()),
            ("breaker_threshold", self.breaker_threshold.to_string()),
            ("breaker_open_seconds", self.breaker_open_seconds.to_string()),
            ("breaker_probes", self.breaker_probes.to_string()),
            ("jitter_percent", self.jitter_percent.to_string()),
            ("degraded_depth", self.degraded_depth.to_string()),
            ("degraded_age_seconds", self.degraded_age_seconds.to_string()),
            // Addresses and commands may contain secrets, and belong to queues of other tenants.
            ("targets", format!("{} queues", self.targets.len())),
            ("opensearch_url", maybe(self.opensearch_url.as_deref())),
            ("opensearch_index", self.opensearch_index.clone()),
            ("opensearch_user", maybe(self.opensearch_user.as_deref())),
            ("opensearch_password", masked(self.opensearch_password.is_some())),
            ("opensearch_api_key", masked(self.opensearch_api_key.is_some())),
            ("opensearch_ca_file", maybe(ca_file.as_deref())),
            ("opensearch_timeout_seconds", self.opensearch_timeout_seconds.to_string()),
            ("opensearch_shards", self.opensearch_shards.to_string()),
            ("opensearch_replicas", self.opensearch_replicas.to_string()),
            ("fail_on_opensearch_unavailable", self.fail_on_opensearch_unavailable.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use confique::Config as _;
    use redrive_model::LetterSettingKey;

    use super::{Dlq, SettingSources, keys};

    #[test]
    fn every_setting_about_letters_has_a_value_once() {
        let dlq = Dlq::builder().load().unwrap();
        let shown = dlq.shown();
        for (name, _) in keys() {
            let is_of_queues = name.parse::<LetterSettingKey>().is_ok();
            let is_shown = shown.iter().any(|(other, _)| *other == name);
            assert!(is_of_queues != is_shown, "{name} has exactly one value");
        }
        assert_eq!(dlq.configured(&SettingSources::default()).len(), keys().count());
    }
}
