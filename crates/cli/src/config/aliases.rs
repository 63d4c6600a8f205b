//! Alternative spellings of the `dlq` settings: `dlq_max_size` for `dlq.max_size`, and in the environment
//! `REDRIVE_DLQ__MAX_SIZE` for `REDRIVE_DLQ_MAX_SIZE`. Two spellings with different values are an error: neither takes
//! precedence.

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

const SECTION: &str = "dlq";
const PREFIX: &str = "dlq_";
const VARIABLES: &str = "REDRIVE_DLQ__";

/// Moves the flat `dlq_…` keys of a file into the `dlq` section.
pub(super) fn nest_flat_keys(mut table: Table) -> Result<Table> {
    let flat: Vec<String> = table.keys().filter(|key| key.starts_with(PREFIX)).cloned().collect();
    for name in flat {
        let Some(value) = table.remove(&name) else { continue };
        let key = &name[PREFIX.len()..];
        let section = table.entry(SECTION).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(section) = section else {
            bail!("{SECTION} must be a section; write [{SECTION}]");
        };
        match section.get(key) {
            Some(other) if *other != value => {
                bail!("{name} and {SECTION}.{key} are both set and differ; remove one of them")
            }
            _ => section.insert(key.to_owned(), value),
        };
    }
    Ok(table)
}

/// The table of `NAME=VALUE` settings, in the structure of a file. A name is spelled `dlq.max_size` or `dlq_max_size`.
pub(super) fn from_assignments(settings: Vec<(String, String)>) -> Result<Table> {
    let mut table = Table::new();
    for (name, text) in settings {
        let (section, key) = match name.split_once('.') {
            Some((section, key)) => (section, key),
            None => name.strip_prefix(PREFIX).map_or(("", name.as_str()), |key| (SECTION, key)),
        };
        let section = if section.is_empty() {
            &mut table
        } else {
            let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            section.as_table_mut().with_context(|| format!("{name} is not a setting"))?
        };
        if section.insert(key.to_owned(), value(&text)).is_some() {
            bail!("{name} is set twice; remove one of them");
        }
    }
    Ok(table)
}

/// The `REDRIVE_DLQ__…` variables as a `dlq` section; `None` if there are none.
pub(super) fn from_nested_variables(variables: impl Iterator<Item = (String, String)>) -> Result<Option<Table>> {
    let variables: Vec<(String, String)> = variables.collect();
    let mut section = Table::new();
    for (name, text) in variables.iter().filter(|(name, _)| name.starts_with(VARIABLES)) {
        let key = name[VARIABLES.len()..].to_lowercase();
        let flat = format!("REDRIVE_DLQ_{}", key.to_uppercase());
        if variables.iter().any(|(other, value)| *other == flat && value != text) {
            bail!("{name} and {flat} are both set and differ; remove one of them");
        }
        section.insert(key, value(text));
    }
    Ok((!section.is_empty()).then(|| Table::from_iter([(SECTION.to_owned(), Value::Table(section))])))
}

/// An integer, a boolean, or else a string.
fn value(text: &str) -> Value {
    let number = text.parse().map(Value::Integer);
    number.or_else(|_| text.parse().map(Value::Boolean)).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{from_assignments, from_nested_variables, nest_flat_keys};

    fn environment(pairs: &[(&str, &str)]) -> anyhow::Result<Option<toml::Table>> {
        from_nested_variables(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn flat_keys_are_moved_into_their_section() {
        let table = nest_flat_keys("dlq_max_parallel = 3\n[dlq]\nlease_seconds = 9".parse().unwrap()).unwrap();
        assert_eq!(table, "[dlq]\nmax_parallel = 3\nlease_seconds = 9".parse::<toml::Table>().unwrap());
    }

    #[test]
    fn two_spellings_must_have_the_same_value() {
        assert!(nest_flat_keys("dlq_max_parallel = 3\n[dlq]\nmax_parallel = 3".parse().unwrap()).is_ok());
        let error = nest_flat_keys("dlq_max_parallel = 3\n[dlq]\nmax_parallel = 4".parse().unwrap()).unwrap_err();
        let expected = "dlq_max_parallel and dlq.max_parallel are both set and differ; remove one of them";
        assert_eq!(error.to_string(), expected);
        assert!(environment(&[("REDRIVE_DLQ__LEASE_SECONDS", "7"), ("REDRIVE_DLQ_LEASE_SECONDS", "7")]).is_ok());
        let differ = environment(&[("REDRIVE_DLQ__LEASE_SECONDS", "7"), ("REDRIVE_DLQ_LEASE_SECONDS", "8")]);
        assert!(differ.unwrap_err().to_string().contains("both set and differ"));
    }

    #[test]
    fn an_assignment_uses_either_spelling_and_occurs_once() {
        let set = |pairs: &[(&str, &str)]| {
            from_assignments(pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect())
        };
        let table = set(&[("dlq.max_size", "500"), ("dlq_on_full", "overflow"), ("log.level", "info")]).unwrap();
        let file = "[dlq]\nmax_size = 500\non_full = 'overflow'\n[log]\nlevel = 'info'";
        assert_eq!(table, file.parse::<toml::Table>().unwrap());
        let twice = set(&[("dlq.max_size", "500"), ("dlq_max_size", "600")]).unwrap_err();
        assert_eq!(twice.to_string(), "dlq_max_size is set twice; remove one of them");
    }

    #[test]
    fn an_environment_without_nested_variables_has_no_section() {
        assert_eq!(environment(&[("REDRIVE_DLQ_LEASE_SECONDS", "7"), ("PATH", "/")]).unwrap(), None);
        let section = environment(&[("REDRIVE_DLQ__RETRY_PROCESSOR_ENABLED", "false")]).unwrap().unwrap();
        assert_eq!(section["dlq"]["retry_processor_enabled"].as_bool(), Some(false));
    }
}
