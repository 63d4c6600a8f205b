//! Loads the configuration. Precedence: flag > environment variable > file > default.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use confique::Config as _;
use redrive_routes::without_value;
use redrive_server::ConfigSource;

use super::{Config, ConfigLayer, SettingSources};
use super::{aliases, numbers, targets, unknown};

/// Read if it exists and no other file is named.
const DEFAULT_FILE: &str = "redrive.toml";

/// Sections that only a file can have: they name programs, addresses and secrets.
const FILE_ONLY: [&str; 5] = ["targets", "clusters", "servers", "redis", "routes"];

/// The settings of the command line.
pub(crate) struct Flags {
    pub(crate) layer: ConfigLayer,
    /// Settings by name: `--set dlq.max_size=500`.
    pub(crate) set: Vec<(String, String)>,
}

/// The configuration, and the source of each setting.
pub(crate) fn load(file: Option<&Path>, flags: Flags) -> Result<(Config, SettingSources)> {
    let mut sources = SettingSources::default();
    let mut builder = Config::builder().preloaded(flags.layer);
    if !flags.set.is_empty() {
        let table = aliases::from_assignments(flags.set).context("in --set")?;
        if let Some(section) = FILE_ONLY.into_iter().find(|section| table.contains_key(*section)) {
            bail!("in --set: {section} are set in the configuration file only");
        }
        unknown::check(&table).context("in --set")?;
        numbers::check(&table).context("in --set")?;
        sources.add(&table, ConfigSource::Flag, "--set");
        builder = builder.preloaded(table.try_into::<ConfigLayer>().context("in --set")?);
    }
    unknown::check_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))?;
    numbers::check_variables(|variable| std::env::var(variable).ok()).context("in the environment")?;
    // An empty variable counts as unset.
    sources.add_variables(&Config::META, |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty()));
    builder = builder.env();
    if let Some(table) = aliases::from_nested_variables(std::env::vars())? {
        unknown::check(&table).context("in the environment")?;
        numbers::check(&table).context("in the environment")?;
        sources.add(&table, ConfigSource::Environment, "the environment");
        builder = builder.preloaded(table.try_into::<ConfigLayer>().context("in the environment")?);
    }
    if let Some(file) = file_to_read(file) {
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let (layer, table) = layer(&text).with_context(|| format!("in {}", file.display()))?;
        sources.add(&table, ConfigSource::File, &file.display().to_string());
        builder = builder.preloaded(layer);
    }
    let config = builder.load().context("invalid configuration")?;
    Ok((config, sources))
}

/// The settings of a file.
fn layer(text: &str) -> Result<(ConfigLayer, toml::Table)> {
    let written: toml::Table = text.parse().map_err(|error| redacted(&error, text)).context("invalid TOML")?;
    let table = aliases::nest_flat_keys(written.clone())?;
    unknown::check(&table)?;
    numbers::check(&table)?;
    targets::check_sections(&table)?;
    // Parsed from the text if no flat key was moved: such an error has the line.
    let layer = if table == written { toml::from_str(text) } else { table.clone().try_into() };
    Ok((layer.map_err(|error| redacted(&error, text))?, table))
}

/// The error with its line and key, but without the content of the line: it may be a password.
fn redacted(error: &toml::de::Error, text: &str) -> anyhow::Error {
    let message = without_value(error.message());
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return anyhow::anyhow!("{message}");
    };
    let number = before.matches('\n').count();
    let key = text.lines().nth(number).and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let is_key = |key: &&str| key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter));
    let key = key.filter(is_key).map_or_else(String::new, |key| format!(", {key}"));
    anyhow::anyhow!("line {}{key}: {message}", number + 1)
}

/// The named file, which must exist, or else the default file if it exists.
pub(crate) fn file_to_read(named: Option<&Path>) -> Option<PathBuf> {
    let default = || Some(PathBuf::from(DEFAULT_FILE)).filter(|file| file.exists());
    named.map(Path::to_owned).or_else(default)
}

#[cfg(test)]
mod tests {
    use super::layer;

    #[test]
    fn an_error_names_the_line_without_its_content() {
        for text in [
            "[dlq]\nopensearch_password = \"5ecret",
            "[dlq]\nopensearch_password = [\"5ecret\"]",
            "[dlq]\ntargets = [{ queue = \"a\", http = \"http://u:5ecret@127.0.0.1:1/\", verb = \"PUT\" }]",
        ] {
            let error = format!("{:#}", layer(text).err().unwrap());
            assert!(error.contains("line 2, ") && !error.contains("5ecret"), "{error}");
        }
    }
}
