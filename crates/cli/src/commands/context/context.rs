//! The subcommands of `redrive context`.

use anyhow::Result;
use serde_json::json;

use super::context_line::{ContextLine, HEADER};
use super::set;
use crate::cli_error::CliError;
use crate::console::{Lines, print, report};
use crate::exit::Exit;
use crate::session::{ContextFile, ContextName, ServerOptions};

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// List contexts by name.
    #[command(after_help = "Example:
  redrive context list")]
    List,
    /// Show a context.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive context show prod")]
    Show {
        /// Name of the context [default: the one that commands use].
        name: Option<ContextName>,
    },
    /// Create a context, or change settings of one. Settings that are not given do not change.
    Set(set::Arguments),
    /// Use a context in all further commands.
    #[command(after_help = "Examples:
  redrive context use prod
  redrive context use --none")]
    Use {
        /// Name of the context.
        #[arg(required_unless_present = "none")]
        name: Option<ContextName>,
        /// Use no context.
        #[arg(long, conflicts_with = "name")]
        none: bool,
    },
    /// Delete a context. The key file is kept.
    #[command(after_help = "Example:
  redrive context delete staging")]
    Delete {
        /// Name of the context.
        name: ContextName,
    },
}

pub(crate) fn run(action: &Action, options: &ServerOptions) -> Result<()> {
    match action {
        Action::List => list(options),
        Action::Show { name } => show(name.as_ref(), options),
        Action::Set(arguments) => set::run(arguments, options),
        Action::Use { name, .. } => choose(name.as_ref(), options),
        Action::Delete { name } => delete(name, options),
    }
}

fn list(options: &ServerOptions) -> Result<()> {
    let file = ContextFile::required()?;
    let current = options.selected_name(&file)?;
    let mut lines = Lines::new(options.format(), HEADER);
    for (name, context) in &file.contexts {
        let line = ContextLine::new(name, context, current.as_ref() == Some(name));
        lines.push(|| line.row(), &line)?;
    }
    lines.finish()
}

fn show(name: Option<&ContextName>, options: &ServerOptions) -> Result<()> {
    let file = ContextFile::required()?;
    let current = options.selected_name(&file)?;
    let name = name.or(current.as_ref()).ok_or_else(|| {
        CliError::new(Exit::NotFound, "no context is in use").remedy("use one with: redrive context use NAME")
    })?;
    let line = ContextLine::new(name, file.find(name)?, current.as_ref() == Some(name));
    print(options.format(), &line, |out| line.fields().print(out))
}

fn choose(name: Option<&ContextName>, options: &ServerOptions) -> Result<()> {
    let mut file = ContextFile::required()?;
    if let Some(name) = name {
        file.find(name)?;
    }
    file.current = name.cloned();
    file.write()?;
    let message = match name {
        Some(name) => format!("commands now use the context '{name}'"),
        None => "commands now use no context".to_owned(),
    };
    let name = name.map(ToString::to_string);
    report(options.format(), &message, &json!({ "name": name, "outcome": "used" }))
}

fn delete(name: &ContextName, options: &ServerOptions) -> Result<()> {
    let mut file = ContextFile::required()?;
    if file.contexts.remove(name).is_none() {
        return Err(file.no_such(name).into());
    }
    let was_current = file.current.as_ref() == Some(name);
    if was_current {
        file.current = None;
    }
    file.write()?;
    let more = if was_current { "\ncommands now use no context" } else { "" };
    let message = format!("deleted context '{name}'{more}");
    report(options.format(), &message, &json!({ "name": name.to_string(), "outcome": "deleted" }))
}
