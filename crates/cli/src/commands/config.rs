//! `redrive config`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use confique::Layer;
use confique::toml::FormatOptions;
use serde_json::json;

use crate::commands::serve::CheckedConfig;
use crate::config::{self, Config, ConfigLayer, Flags};
use crate::console::Format;
use crate::session::ServerOptions;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Print a configuration file with every setting, its description and its default.
    #[command(after_help = "Example:
  redrive config template > redrive.toml")]
    Template,
    /// Check a configuration file without starting the server. Exits with 1 if it is invalid.
    #[command(after_help = "Example:
  redrive config check redrive.toml")]
    Check {
        /// Configuration file (TOML).
        file: PathBuf,
    },
}

pub(crate) fn run(action: &Action, server: &ServerOptions) -> Result<()> {
    let mut out = stdout().lock();
    match action {
        Action::Template => {
            server.reject_json("the template is TOML")?;
            write!(out, "{}", confique::toml::template::<Config>(FormatOptions::default()))?;
        }
        Action::Check { file } => {
            let flags = Flags { layer: ConfigLayer::empty(), set: Vec::new() };
            let (config, sources) = config::load(Some(file), flags)?;
            CheckedConfig::new(&config, &sources).map_err(|error| sources.locate(error))?;
            match server.format() {
                Format::Table => writeln!(out, "{} is valid", file.display())?,
                Format::Json => writeln!(out, "{}", json!({ "file": file.display().to_string(), "is_valid": true }))?,
            }
        }
    }
    Ok(())
}
