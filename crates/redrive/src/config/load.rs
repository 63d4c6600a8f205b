//! Where settings come from: flags before the environment before the file before the defaults.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use confique::Config as _;

use super::{Config, ConfigLayer};
use super::{aliases, unknown};

/// Read if it is there and no other file is named.
const USUAL_FILE: &str = "redrive.toml";

/// The configuration, with `flags` before all else.
pub(crate) fn load(file: Option<&Path>, flags: ConfigLayer) -> Result<Config> {
    let mut builder = Config::builder().preloaded(flags).env();
    if let Some(table) = aliases::in_environment(std::env::vars())? {
        unknown::check(&table).context("in the environment")?;
        builder = builder.preloaded(table.try_into::<ConfigLayer>().context("in the environment")?);
    }
    if let Some(file) = file_to_read(file) {
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let layer = layer(&text).with_context(|| format!("in {}", file.display()))?;
        builder = builder.preloaded(layer);
    }
    builder.load().context("the configuration cannot be used")
}

/// What a file says.
fn layer(text: &str) -> Result<ConfigLayer> {
    let written: toml::Table = text.parse().context("this is no TOML")?;
    let table = aliases::gathered(written.clone())?;
    unknown::check(&table)?;
    // From the text, where nothing was gathered: its errors show the line.
    if table == written { Ok(toml::from_str(text)?) } else { Ok(table.try_into()?) }
}

/// A file that is named must be there; the usual one need not.
fn file_to_read(named: Option<&Path>) -> Option<PathBuf> {
    let usual = || Some(PathBuf::from(USUAL_FILE)).filter(|file| file.exists());
    named.map(Path::to_owned).or_else(usual)
}
