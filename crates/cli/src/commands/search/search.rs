//! The subcommands of `redrive search`.

use anyhow::Result;

use super::{rebuild, restore, status};
use crate::session::Session;
use crate::values::parse_reason;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// Reason, which the server writes to the audit record.
    #[arg(long, global = true, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show the state of the index: pending changes, lag and errors.
    #[command(after_help = "Examples:
  redrive search status
  redrive search status --json")]
    Status,
    /// Rebuild the index from the store, without downtime.
    #[command(after_help = "Example:
  redrive search rebuild --reason 'the mapping has changed'")]
    Rebuild,
    /// Restore letters from the index into a store without letters.
    Restore(restore::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = match &arguments.reason {
        Some(reason) => session.with_reason(reason)?,
        None => session,
    };
    match &arguments.action {
        Action::Status => status::run(&session).await,
        Action::Rebuild => rebuild::run(&session).await,
        Action::Restore(arguments) => restore::run(arguments, &session).await,
    }
}
