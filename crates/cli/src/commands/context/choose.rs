//! `redrive context use`.

use anyhow::Result;

use crate::console::say;
use crate::session::{ContextFile, ContextName};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive context use prod
  redrive context use --none")]
pub(crate) struct Arguments {
    /// Name of the context.
    #[arg(required_unless_present = "none")]
    name: Option<ContextName>,
    /// Use no context.
    #[arg(long, conflicts_with = "name")]
    none: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut file = ContextFile::required()?;
    if let Some(name) = &arguments.name {
        file.find(name)?;
    }
    file.current.clone_from(&arguments.name);
    file.write()?;
    match &arguments.name {
        Some(name) => say(format_args!("commands now use the context '{name}'")),
        None => say("commands now use no context"),
    }
    Ok(())
}
