//! What the numbers among the settings about letters may be.
//!
//! A text that is no number at all, or a number that no setting can hold, is found before the settings are made: whoever
//! wrote it is told the same as somebody whose number is a little too large.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use redrive_model::LetterSettingKey;
use redrive_run::ProcessorSettings;
use toml::{Table, Value};

use super::sources::keys;

const RANGES: [(&str, RangeInclusive<u64>); 16] = [
    ("default_max_retries", LetterSettingKey::MAX_RETRIES),
    ("max_size", LetterSettingKey::MAX_SIZE),
    ("completed_retention_seconds", LetterSettingKey::RETENTION_SECONDS),
    ("archive_retention_seconds", LetterSettingKey::RETENTION_SECONDS),
    ("auto_archive_exhausted_seconds", LetterSettingKey::RETENTION_SECONDS),
    ("max_letter_bytes", LetterSettingKey::LETTER_BYTES),
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

fn range(key: &str) -> Option<&'static RangeInclusive<u64>> {
    RANGES.iter().find(|(name, _)| *name == key).map(|(_, range)| range)
}

/// Whether a number is within its bounds.
pub(super) fn within(key: &str, value: u64) -> Result<()> {
    match range(key) {
        Some(range) if !range.contains(&value) => refuse(key, &value.to_string(), range),
        _ => Ok(()),
    }
}

/// Whether what should be numbers in a file, or on the command line, are some.
pub(super) fn check(table: &Table) -> Result<()> {
    let Some(Value::Table(section)) = table.get("dlq") else { return Ok(()) };
    for (key, value) in section {
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        if let Some(range) = range(key).filter(|_| !is_usable(key, number)) {
            return refuse(key, &value.to_string(), range);
        }
    }
    Ok(())
}

/// The same for the variables of an environment.
pub(super) fn check_variables(variable: impl Fn(&str) -> Option<String>) -> Result<()> {
    for (key, name) in keys() {
        // One that is there and empty says nothing.
        let text = name.and_then(&variable).filter(|text| !text.is_empty());
        if let (Some(text), Some(range)) = (text, range(key))
            && !is_usable(key, text.parse().ok())
        {
            return refuse(key, &text, range);
        }
    }
    Ok(())
}

/// Whether a setting can hold a number, be it within its bounds or not. Those of letters alone may be very large.
fn is_usable(key: &str, number: Option<u64>) -> bool {
    number.is_some_and(|number| key == "max_size" || u32::try_from(number).is_ok())
}

fn refuse(key: &str, value: &str, range: &RangeInclusive<u64>) -> Result<()> {
    let more = if key == "max_size" { ", more only with dlq_allow_large" } else { "" };
    bail!("dlq.{key} is {value}; allowed: {} to {}{more}", range.start(), range.end())
}

#[cfg(test)]
mod tests {
    use super::{check, check_variables, within};

    #[test]
    fn what_is_no_number_is_told_the_range() {
        let file = |text: &str| check(&text.parse().unwrap()).map_err(|error| error.to_string());
        assert_eq!(file("[dlq]\nlease_seconds = -5"), Err("dlq.lease_seconds is -5; allowed: 5 to 3600".to_owned()));
        let half = "dlq.jitter_percent is \"half\"; allowed: 0 to 100".to_owned();
        assert_eq!(file("[dlq]\njitter_percent = 'half'"), Err(half));
        assert_eq!(
            file("[dlq]\nlease_seconds = 4\non_full = 'reject'"),
            Ok(()),
            "the number itself is looked at later"
        );
        assert!(within("lease_seconds", 4).is_err() && within("lease_seconds", 5).is_ok());
    }

    #[test]
    fn so_is_a_variable() {
        let environment = |value: &'static str| {
            check_variables(move |name| (name == "REDRIVE_DLQ_MAX_SIZE").then(|| value.to_owned()))
        };
        let told = environment("-1").unwrap_err().to_string();
        assert_eq!(told, "dlq.max_size is -1; allowed: 100 to 100000, more only with dlq_allow_large");
        assert!(environment("100").is_ok() && environment("").is_ok());
    }
}
