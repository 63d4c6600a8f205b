//! The subcommands of `redrive context`.

use anyhow::Result;

use super::{choose, delete, list, set, show};
use crate::session::ServerOptions;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List contexts by name.
    List(list::Arguments),
    /// Show a context.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Create a context, or change settings of one. Settings that are not given do not change.
    Set(set::Arguments),
    /// Use a context in all further commands.
    Use(choose::Arguments),
    /// Delete a context. The key file is kept.
    Delete(delete::Arguments),
}

pub(crate) fn run(arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, options),
        Action::Show(arguments) => show::run(arguments, options),
        Action::Set(arguments) => set::run(arguments, options),
        Action::Use(arguments) => choose::run(arguments, options),
        Action::Delete(arguments) => delete::run(arguments, options),
    }
}
