//! The subcommands of `redrive binding`.

use anyhow::Result;

use super::{create, delete, list, show};
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
    /// Bind a role to a user: it has the permissions of the role in the namespace, in _system everywhere.
    Create(create::Arguments),
    /// List the bindings of a namespace.
    List(list::Arguments),
    /// Show a binding.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Take a role away from a user.
    Delete(delete::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = arguments.reason.apply(session)?;
    match &arguments.action {
        Action::Create(arguments) => create::run(arguments, &session).await,
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Show(arguments) => show::run(arguments, &session).await,
        Action::Delete(arguments) => delete::run(arguments, &session).await,
    }
}
