//! The commands that there are.

use anyhow::Result;

use super::{rebuild, restore, status};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// Why it is done: kept with the record of it.
    #[arg(long, global = true, value_name = "TEXT")]
    reason: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Say how the index fares: what waits for it, and what is wrong.
    Status,
    /// Make the index anew out of the store, while work goes on.
    Rebuild,
    /// Put letters back from the index into a store that has none.
    Restore(restore::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = match &arguments.reason {
        Some(reason) => session.because(reason)?,
        None => session,
    };
    match &arguments.action {
        Action::Status => status::run(&session).await,
        Action::Rebuild => rebuild::run(&session).await,
        Action::Restore(arguments) => restore::run(arguments, &session).await,
    }
}
