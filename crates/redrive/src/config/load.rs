//! Where settings come from: flags before the environment before the file before the defaults.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use confique::Config as _;

use super::unknown;
use super::{Config, ConfigLayer};

/// Read if it is there and no other file is named.
const USUAL_FILE: &str = "redrive.toml";

/// The configuration, with `flags` before all else.
pub(crate) fn load(file: Option<&Path>, flags: ConfigLayer) -> Result<Config> {
    let mut builder = Config::builder().preloaded(flags).env();
    if let Some(file) = file_to_read(file) {
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        unknown::check(&text).with_context(|| format!("in {}", file.display()))?;
        let layer: ConfigLayer = toml::from_str(&text).with_context(|| format!("in {}", file.display()))?;
        builder = builder.preloaded(layer);
    }
    builder.load().context("the configuration cannot be used")
}

/// A file that is named must be there; the usual one need not.
fn file_to_read(named: Option<&Path>) -> Option<PathBuf> {
    let usual = || Some(PathBuf::from(USUAL_FILE)).filter(|file| file.exists());
    named.map(Path::to_owned).or_else(usual)
}
