//! Numbers among the settings about letters, before the settings are made.
//!
//! A text that is no number at all, or a number that no setting can hold, is refused here with the same message as a number
//! that is a little too large.

use anyhow::Result;
use toml::{Table, Value};

use super::ranges::{range, refuse};
use super::sources::keys;

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

#[cfg(test)]
mod tests {
    use super::{check, check_variables};
    use crate::config::ranges::within;

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
