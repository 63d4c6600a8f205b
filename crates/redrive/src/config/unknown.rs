//! Settings that nobody knows: a typing error must not become a default.

use anyhow::{Result, bail};
use confique::Config as _;
use confique::meta::{Field, FieldKind, Meta};
use toml::{Table, Value};

use super::Config;
use super::sources::keys;

/// Whether every key of a file is one that there is.
pub(crate) fn check(table: &Table) -> Result<()> {
    check_table(table, &Config::META, "")
}

/// Whether every variable about letters is one that there is. Others of ours are no settings: those of the command line.
pub(super) fn check_variables(names: impl Iterator<Item = String>) -> Result<()> {
    for name in names {
        // The nested spelling is looked at as a file is.
        let Some(key) = name.strip_prefix("REDRIVE_DLQ_").filter(|key| !key.starts_with('_')) else { continue };
        if keys().all(|(_, variable)| variable != Some(name.as_str())) {
            bail!("unknown variable '{name}'\n  {}", advice(&format!("dlq.{}", key.to_lowercase()), &[]));
        }
    }
    Ok(())
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
