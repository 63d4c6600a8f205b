//! `redrive context show`.

use std::io::{Write, stdout};

use anyhow::Result;

use super::context_line::ContextLine;
use crate::cli_error::CliError;
use crate::console::Format;
use crate::exit::Exit;
use crate::session::{ContextFile, ContextName, ServerOptions};

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive context show prod")]
pub(crate) struct Arguments {
    /// Name of the context [default: the one that commands use].
    name: Option<ContextName>,
}

pub(super) fn run(arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    let file = ContextFile::required()?;
    let current = options.selected_name(&file)?;
    let name = arguments.name.as_ref().or(current.as_ref()).ok_or_else(|| {
        CliError::new(Exit::NotFound, "no context is in use").remedy("use one with: redrive context use NAME")
    })?;
    let line = ContextLine::new(name, file.find(name)?, current.as_ref() == Some(name));
    match options.format() {
        Format::Table => line.fields().print(stdout()),
        Format::Json => Ok(writeln!(stdout(), "{}", serde_json::to_string(&line)?)?),
    }
}
