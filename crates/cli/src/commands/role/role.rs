//! The subcommands of `redrive role`.

use anyhow::Result;

use super::{create, delete, list, show, update};
use crate::commands::identity::ReasonOption;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    reason: ReasonOption,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Create a role: a set of permissions in a namespace.
    Create(create::Arguments),
    /// List the roles of a namespace in the order of their creation.
    List(list::Arguments),
    /// Show a role.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Replace, add or remove permissions of a role.
    Update(update::Arguments),
    /// Delete a role without bindings.
    Delete(delete::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = arguments.reason.apply(session)?;
    match &arguments.action {
        Action::Create(arguments) => create::run(arguments, &session).await,
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Show(arguments) => show::run(arguments, &session).await,
        Action::Update(arguments) => update::run(arguments, &session).await,
        Action::Delete(arguments) => delete::run(arguments, &session).await,
    }
}
