//! The ranges of the numeric `dlq` settings.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use redrive_model::LetterSettingKey;
use redrive_run::ProcessorSettings;

/// The ranges of settings that a queue cannot override.
const RANGES: [(&str, RangeInclusive<u64>); 10] = [
    ("retry_interval_seconds", ProcessorSettings::INTERVAL_SECONDS),
    ("max_parallel", 1..=1024),
    ("attempt_timeout_seconds", 1..=86_400),
    ("lease_seconds", 5..=3600),
    ("drain_deadline_seconds", 0..=600),
    ("breaker_threshold", 1..=1000),
    ("breaker_open_seconds", 1..=3600),
    ("breaker_probes", 1..=100),
    ("jitter_percent", 0..=100),
    ("opensearch_timeout_seconds", 1..=600),
];

pub(super) fn range(key: &str) -> Option<RangeInclusive<u64>> {
    let of_server = RANGES.iter().find(|(name, _)| *name == key).map(|(_, range)| range.clone());
    of_server.or_else(|| key.parse::<LetterSettingKey>().ok()?.range())
}

/// Fails if the value is out of the range of the setting.
pub(super) fn check_range(key: &str, value: u64) -> Result<()> {
    match range(key) {
        Some(range) if !range.contains(&value) => out_of_range(key, &value.to_string(), &range),
        _ => Ok(()),
    }
}

pub(super) fn out_of_range(key: &str, value: &str, range: &RangeInclusive<u64>) -> Result<()> {
    let more = if key == "max_size" { ", more only with dlq_allow_large" } else { "" };
    bail!("dlq.{key} is {value}; allowed: {} to {}{more}", range.start(), range.end())
}
