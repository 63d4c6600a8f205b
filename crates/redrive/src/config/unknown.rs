//! Settings that nobody knows: a typing error must not become a default.

use anyhow::{Result, bail};
use confique::Config as _;
use confique::meta::{Field, FieldKind, Meta};
use toml::{Table, Value};

use super::Config;

/// Whether every key of a file is one that there is.
pub(crate) fn check(table: &Table) -> Result<()> {
    check_table(table, &Config::META, "")
}

/// Variables of the command line, which are no settings of a server.
const OF_COMMANDS: [&str; 3] = ["REDRIVE_SERVER", "REDRIVE_API_KEY", "REDRIVE_CONFIG"];
/// Kubernetes sets variables that begin so beside a service named `redrive`.
const OF_KUBERNETES: [&str; 2] = ["REDRIVE_SERVICE_", "REDRIVE_PORT"];

/// Whether every variable that begins with `REDRIVE_` is one that there is.
pub(super) fn check_variables(names: impl Iterator<Item = String>) -> Result<()> {
    let known: Vec<&str> = variables(&Config::META).into_iter().chain(OF_COMMANDS).collect();
    for name in names.filter(|name| name.starts_with("REDRIVE_")) {
        // The nested spelling is looked at as a file is.
        let is_nested = name.starts_with("REDRIVE_DLQ__");
        if is_nested || known.contains(&name.as_str()) || OF_KUBERNETES.iter().any(|of| name.starts_with(of)) {
            continue;
        }
        if let Some(key) = name.strip_prefix("REDRIVE_DLQ_") {
            bail!("unknown variable '{name}'\n  {}", advice(&format!("dlq.{}", key.to_lowercase()), &[]));
        }
        let likeness = |known: &&str| strsim::jaro_winkler(&name, known);
        let nearest = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default();
        bail!("unknown variable '{name}'\n  did you mean '{nearest}'? `redrive config template` shows all settings");
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
            bail!("unknown setting '{above}{key}'\n  {}", advice(&format!("{above}{key}"), &names));
        };
        if let (FieldKind::Nested { meta }, Value::Table(table)) = (field.kind, value) {
            check_table(table, meta, &format!("{above}{key}."))?;
        }
    }
    Ok(())
}

/// The nearest name there is, in this section or elsewhere; else all of the section.
fn advice(key: &str, section: &[String]) -> String {
    let all = names(&Config::META, "");
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let likeness = |name: &String| {
        let whole = strsim::jaro_winkler(key, name);
        whole.max(strsim::jaro_winkler(&last(key), &last(name)))
    };
    let nearest = all.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|name| likeness(name) > 0.8) {
        Some(name) => format!("did you mean '{name}'? `redrive config template` shows all settings"),
        None if section.is_empty() => "`redrive config template` shows all settings".to_owned(),
        None => format!("there are: {}", section.join(", ")),
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
    fn a_typing_error_is_told_with_the_nearest_name() {
        let error = format!("{:#}", check("[server]\nlisten_on = '127.0.0.1:1'").unwrap_err());
        assert!(error.starts_with("unknown setting 'server.listen_on'\n  did you mean 'server.listen'?"), "{error}");
    }

    #[test]
    fn a_setting_in_the_wrong_section_is_told_where_it_belongs() {
        let error = format!("{:#}", check("data_dir = 'x'").unwrap_err());
        assert!(error.contains("did you mean 'store.data_dir'?"), "{error}");
    }

    #[test]
    fn a_name_like_no_other_is_told_what_there_is() {
        let error = format!("{:#}", check("[log]\nzzzzzz = 1").unwrap_err());
        assert!(error.contains("there are: log.level, log.format"), "{error}");
    }

    #[test]
    fn the_template_itself_is_known_and_means_the_defaults() {
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
