//! The subcommands of `redrive user`.

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
    /// Create a user. It has no permissions until a role is bound to it.
    Create(create::Arguments),
    /// List users in the order of their creation.
    List(list::Arguments),
    /// Show a user.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Delete a user with its API keys and bindings.
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
