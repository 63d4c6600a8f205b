//! The commands that there are.

use anyhow::Result;

use super::{delete, export, import, list};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List items, in the order in which they were put in.
    List(list::Arguments),
    /// Write all items of a queue, one object a line.
    Export(export::Arguments),
    /// Put in what `export` wrote. Items get new ids; those whose source id is there already are passed over.
    Import(import::Arguments),
    /// Remove items in any state.
    Delete(delete::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Export(arguments) => export::run(arguments, &session).await,
        Action::Import(arguments) => import::run(arguments, &session).await,
        Action::Delete(arguments) => delete::run(arguments, &session).await,
    }
}
