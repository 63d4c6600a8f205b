//! `redrive context delete`.

use anyhow::Result;
use serde_json::json;

use crate::console::report;
use crate::session::{ContextFile, ContextName, ServerOptions};

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive context delete staging")]
pub(crate) struct Arguments {
    /// Name of the context.
    name: ContextName,
}

pub(super) fn run(arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    let name = &arguments.name;
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
