//! The subcommands of `redrive audit`.

use anyhow::Result;

use super::{export, list, show, verify};
use crate::session::{ServerOptions, Session};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List audit records, the newest first.
    List(list::Arguments),
    /// Show an audit record.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Write audit records as JSON, the oldest first. Without filters, the file can be verified.
    Export(export::Arguments),
    /// Check that no audit record was changed or removed.
    Verify(verify::Arguments),
}

pub(crate) fn run(arguments: &Arguments, server: &ServerOptions) -> Result<()> {
    match &arguments.action {
        Action::List(arguments) => Session::run(server, async |session| list::run(arguments, &session).await),
        Action::Show(arguments) => Session::run(server, async |session| show::run(arguments, &session).await),
        Action::Export(arguments) => Session::run(server, async |session| export::run(arguments, &session).await),
        Action::Verify(arguments) => verify::run(arguments, server),
    }
}
