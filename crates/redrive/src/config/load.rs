//! Where settings come from: flags before the environment before the file before the defaults.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use confique::Config as _;
use redrive_server::ConfigSource;

use super::{Config, ConfigLayer, Sources};
use super::{aliases, numbers, unknown};

/// Read if it is there and no other file is named.
const USUAL_FILE: &str = "redrive.toml";

/// What the command line says.
pub(crate) struct Flags {
    pub(crate) layer: ConfigLayer,
    /// Settings by their names, `--set dlq.max_size=500`.
    pub(crate) set: Vec<(String, String)>,
}

/// The configuration, with `flags` before all else, and who said what.
pub(crate) fn load(file: Option<&Path>, flags: Flags) -> Result<(Config, Sources)> {
    let mut sources = Sources::default();
    let mut builder = Config::builder().preloaded(flags.layer);
    if !flags.set.is_empty() {
        let table = aliases::named(flags.set).context("in --set")?;
        unknown::check(&table).context("in --set")?;
        numbers::check(&table).context("in --set")?;
        sources.add(&table, ConfigSource::Flag);
        builder = builder.preloaded(table.try_into::<ConfigLayer>().context("in --set")?);
    }
    unknown::check_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))?;
    numbers::check_variables(|variable| std::env::var(variable).ok()).context("in the environment")?;
    // A variable that is there and empty says nothing.
    sources.add_variables(|variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty()));
    builder = builder.env();
    if let Some(table) = aliases::in_environment(std::env::vars())? {
        unknown::check(&table).context("in the environment")?;
        numbers::check(&table).context("in the environment")?;
        sources.add(&table, ConfigSource::Environment);
        builder = builder.preloaded(table.try_into::<ConfigLayer>().context("in the environment")?);
    }
    if let Some(file) = file_to_read(file) {
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let (layer, table) = layer(&text).with_context(|| format!("in {}", file.display()))?;
        sources.add(&table, ConfigSource::File);
        builder = builder.preloaded(layer);
    }
    let config = builder.load().context("the configuration cannot be used")?;
    Ok((config, sources))
}

/// What a file says.
fn layer(text: &str) -> Result<(ConfigLayer, toml::Table)> {
    let written: toml::Table = text.parse().map_err(|error| told(&error, text)).context("this is no TOML")?;
    let table = aliases::gathered(written.clone())?;
    unknown::check(&table)?;
    numbers::check(&table)?;
    // From the text, where nothing was gathered: its errors name the line.
    let layer = if table == written { toml::from_str(text) } else { table.clone().try_into() };
    Ok((layer.map_err(|error| told(&error, text))?, table))
}

/// What is wrong and where, without what the line says: it may hold a password.
fn told(error: &toml::de::Error, text: &str) -> anyhow::Error {
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return anyhow::anyhow!("{}", error.message());
    };
    let number = before.matches('\n').count();
    let key = text.lines().nth(number).and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let is_key = |key: &&str| key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter));
    let key = key.filter(is_key).map_or_else(String::new, |key| format!(", {key}"));
    anyhow::anyhow!("line {}{key}: {}", number + 1, error.message())
}

/// A file that is named must be there; the usual one need not.
fn file_to_read(named: Option<&Path>) -> Option<PathBuf> {
    let usual = || Some(PathBuf::from(USUAL_FILE)).filter(|file| file.exists());
    named.map(Path::to_owned).or_else(usual)
}

#[cfg(test)]
mod tests {
    use super::layer;

    #[test]
    fn an_error_names_its_line_and_does_not_show_it() {
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
