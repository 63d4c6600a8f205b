//! The subcommands of `redrive key`.

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
    /// Create an API key of a user, and print it once.
    Create(create::Arguments),
    /// List API keys in the order of their creation. The keys themselves cannot be shown again.
    List(list::Arguments),
    /// Show an API key, without the key itself.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Delete an API key. Requests with it are rejected from then on.
    #[command(visible_alias = "revoke")]
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
