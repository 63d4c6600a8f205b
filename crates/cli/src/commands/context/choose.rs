//! `redrive context use`.

use anyhow::Result;
use serde_json::json;

use crate::console::report;
use crate::session::{ContextFile, ContextName, ServerOptions};

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

pub(super) fn run(arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    let mut file = ContextFile::required()?;
    if let Some(name) = &arguments.name {
        file.find(name)?;
    }
    file.current.clone_from(&arguments.name);
    file.write()?;
    let message = match &arguments.name {
        Some(name) => format!("commands now use the context '{name}'"),
        None => "commands now use no context".to_owned(),
    };
    let name = arguments.name.as_ref().map(ToString::to_string);
    report(options.format(), &message, &json!({ "name": name, "outcome": "used" }))
}
