//! Checks the numeric `dlq` settings before they are parsed.
//!
//! A value that is not a number, or does not fit into the type of the setting, gets the same error as a number that is
//! out of range.

use anyhow::Result;
use toml::{Table, Value};

use super::ranges::{out_of_range, range};
use super::sources::keys;

/// Checks the numbers of a file or of `--set`.
pub(super) fn check(table: &Table) -> Result<()> {
    let Some(Value::Table(section)) = table.get("dlq") else { return Ok(()) };
    for (key, value) in section {
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        if let Some(range) = range(key).filter(|_| !is_usable(key, number)) {
            return out_of_range(key, &value.to_string(), &range);
        }
    }
    Ok(())
}

/// Checks the numbers of the environment.
pub(super) fn check_variables(variable: impl Fn(&str) -> Option<String>) -> Result<()> {
    for (key, name) in keys() {
        // An empty variable counts as unset.
        let text = name.and_then(&variable).filter(|text| !text.is_empty());
        if let (Some(text), Some(range)) = (text, range(key))
            && !is_usable(key, text.parse().ok())
        {
            return out_of_range(key, &text, &range);
        }
    }
    Ok(())
}

/// Whether the value is a number that the setting can hold, in range or not. Only `max_size` may exceed 32 bits.
fn is_usable(key: &str, number: Option<u64>) -> bool {
    number.is_some_and(|number| key == "max_size" || u32::try_from(number).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{check, check_variables};
    use crate::config::ranges::check_range;

    #[test]
    fn an_error_about_a_value_that_is_not_a_number_has_the_range() {
        let file = |text: &str| check(&text.parse().unwrap()).map_err(|error| error.to_string());
        assert_eq!(file("[dlq]\nlease_seconds = -5"), Err("dlq.lease_seconds is -5; allowed: 5 to 3600".to_owned()));
        let half = "dlq.jitter_percent is \"half\"; allowed: 0 to 100".to_owned();
        assert_eq!(file("[dlq]\njitter_percent = 'half'"), Err(half));
        assert_eq!(file("[dlq]\nlease_seconds = 4\non_full = 'reject'"), Ok(()), "the range is checked later");
        assert!(check_range("lease_seconds", 4).is_err() && check_range("lease_seconds", 5).is_ok());
    }

    #[test]
    fn an_error_about_a_variable_has_the_range() {
        let environment = |value: &'static str| {
            check_variables(move |name| (name == "REDRIVE_DLQ_MAX_SIZE").then(|| value.to_owned()))
        };
        let error = environment("-1").unwrap_err().to_string();
        assert_eq!(error, "dlq.max_size is -1; allowed: 100 to 100000, more only with dlq_allow_large");
        assert!(environment("100").is_ok() && environment("").is_ok());
    }
}
