//! Rejects unknown settings: a misspelled name must not silently leave a setting at its default.

use anyhow::{Result, bail};
use confique::Config as _;
use confique::meta::{Field, FieldKind, Meta};
use toml::{Table, Value};

use super::Config;

/// Fails if a key of a file is unknown.
pub(crate) fn check(table: &Table) -> Result<()> {
    check_table(table, &Config::META, "")
}

/// Variables of the command line, which are not settings of the server.
const OF_COMMANDS: [&str; 3] = ["REDRIVE_SERVER", "REDRIVE_API_KEY", "REDRIVE_CONFIG"];
/// Prefixes of the variables that Kubernetes sets for a service named `redrive`.
const OF_KUBERNETES: [&str; 2] = ["REDRIVE_SERVICE_", "REDRIVE_PORT"];

/// Fails if a variable with the prefix `REDRIVE_` is unknown.
pub(super) fn check_variables(names: impl Iterator<Item = String>) -> Result<()> {
    let known: Vec<&str> = variables(&Config::META).into_iter().chain(OF_COMMANDS).collect();
    for name in names.filter(|name| name.starts_with("REDRIVE_")) {
        // The nested spelling is checked as the keys of a file are.
        let is_nested = name.starts_with("REDRIVE_DLQ__");
        if is_nested || known.contains(&name.as_str()) || OF_KUBERNETES.iter().any(|of| name.starts_with(of)) {
            continue;
        }
        if let Some(key) = name.strip_prefix("REDRIVE_DLQ_") {
            bail!("unknown variable '{name}'\n  {}", suggestion(&format!("dlq.{}", key.to_lowercase()), &[]));
        }
        let similarity = |known: &&str| strsim::jaro_winkler(&name, known);
        let nearest = known.iter().copied().max_by(|a, b| similarity(a).total_cmp(&similarity(b))).unwrap_or_default();
        bail!("unknown variable '{name}'\n  did you mean '{nearest}'? list all settings with: redrive config template");
    }
    Ok(())
}

/// The variables of all settings.
fn variables(meta: &'static Meta) -> Vec<&'static str> {
    let of = |field: &'static Field| match field.kind {
        FieldKind::Nested { meta } => variables(meta),
        FieldKind::Leaf { env, .. } => env.into_iter().collect(),
    };
    meta.fields.iter().flat_map(of).collect()
}

fn check_table(table: &Table, meta: &Meta, above: &str) -> Result<()> {
    for (key, value) in table {
        let Some(field) = meta.fields.iter().find(|field| field.name == key) else {
            let names: Vec<String> = meta.fields.iter().map(|field| format!("{above}{}", field.name)).collect();
            bail!("unknown setting '{above}{key}'\n  {}", suggestion(&format!("{above}{key}"), &names));
        };
        if let (FieldKind::Nested { meta }, Value::Table(table)) = (field.kind, value) {
            check_table(table, meta, &format!("{above}{key}."))?;
        }
    }
    Ok(())
}

/// The most similar setting of any section; if none is similar, the settings of this section.
fn suggestion(key: &str, section: &[String]) -> String {
    let all = names(&Config::META, "");
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let similarity = |name: &String| {
        let whole = strsim::jaro_winkler(key, name);
        whole.max(strsim::jaro_winkler(&last(key), &last(name)))
    };
    let nearest = all.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest.filter(|name| similarity(name) > 0.8) {
        Some(name) => format!("did you mean '{name}'? list all settings with: redrive config template"),
        None if section.is_empty() => "list all settings with: redrive config template".to_owned(),
        None => format!("allowed: {}", section.join(", ")),
    }
}

fn names(meta: &Meta, above: &str) -> Vec<String> {
    let of = |field: &Field| match field.kind {
        FieldKind::Nested { meta } => names(meta, &format!("{above}{}.", field.name)),
        FieldKind::Leaf { .. } => vec![format!("{above}{}", field.name)],
    };
    meta.fields.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    fn check(text: &str) -> anyhow::Result<()> {
        super::check(&text.parse()?)
    }

    #[test]
    fn an_unknown_setting_is_reported_with_the_most_similar_one() {
        let error = format!("{:#}", check("[server]\nlisten_on = '127.0.0.1:1'").unwrap_err());
        assert!(error.starts_with("unknown setting 'server.listen_on'\n  did you mean 'server.listen'?"), "{error}");
    }

    #[test]
    fn a_setting_in_the_wrong_section_is_reported_with_the_right_section() {
        let error = format!("{:#}", check("data_dir = 'x'").unwrap_err());
        assert!(error.contains("did you mean 'store.data_dir'?"), "{error}");
    }

    #[test]
    fn a_setting_without_a_similar_one_is_reported_with_those_of_its_section() {
        let error = format!("{:#}", check("[log]\nzzzzzz = 1").unwrap_err());
        assert!(error.contains("allowed: log.level, log.format"), "{error}");
    }

    #[test]
    fn every_setting_of_the_template_is_known() {
        let template = confique::toml::template::<super::Config>(confique::toml::FormatOptions::default());
        let set: String = template
            .lines()
            .map(|line| {
                let is_setting = line.starts_with('#') && !line.starts_with("# ") && line.contains(" = ");
                format!("{}\n", if is_setting { line.trim_start_matches('#') } else { line })
            })
            .collect();
        check(&set).unwrap();
    }
}
