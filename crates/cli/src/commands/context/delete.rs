//! `redrive context delete`.

use anyhow::Result;

use crate::console::say;
use crate::session::{ContextFile, ContextName};

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive context delete staging")]
pub(crate) struct Arguments {
    /// Name of the context.
    name: ContextName,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
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
    say(format_args!("deleted context '{name}'"));
    if was_current {
        say("commands now use no context");
    }
    Ok(())
}
