//! `redrive config`: what can be set, and what is set.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use confique::Layer;
use confique::toml::FormatOptions;

use crate::commands::retries;
use crate::config::{self, Config, ConfigLayer, Flags};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print a file with every setting, its meaning and its default.
    Template,
    /// Say whether a file can be used.
    Check { file: PathBuf },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    match &arguments.action {
        Action::Template => write!(out, "{}", confique::toml::template::<Config>(FormatOptions::default()))?,
        Action::Check { file } => {
            let flags = Flags { layer: ConfigLayer::empty(), set: Vec::new() };
            let (config, sources) = config::load(Some(file), flags)?;
            config.settings(&sources)?.check_files()?;
            config.log.filter()?;
            config.dlq.processor()?;
            config.dlq.search()?;
            retries::check(&config.dlq)?;
            writeln!(out, "{} can be used", file.display())?;
        }
    }
    Ok(())
}
