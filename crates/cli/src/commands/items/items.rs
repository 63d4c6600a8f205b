//! The subcommands of `redrive items`.

use anyhow::Result;

use super::{delete, export, import, list};
use crate::session::Session;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// List stored items, by partition and in the order of their ids.
    List(list::Arguments),
    /// Export all items of a queue, one JSON object per line.
    Export(export::Arguments),
    /// Import exported items. They get new ids; items whose source id exists in the queue are skipped.
    Import(import::Arguments),
    /// Delete items in any state.
    Delete(delete::Arguments),
}

pub(crate) async fn run(action: &Action, session: Session) -> Result<()> {
    match action {
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Export(arguments) => export::run(arguments, &session).await,
        Action::Import(arguments) => import::run(arguments, &session).await,
        Action::Delete(arguments) => delete::run(arguments, session).await,
    }
}
