//! The subcommands of `redrive namespace`.

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
    /// Create a namespace.
    Create(create::Arguments),
    /// List namespaces by name.
    List(list::Arguments),
    /// Show a namespace.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Change a namespace. Settings that are not given do not change.
    Update(update::Arguments),
    /// Delete a namespace without queues, roles and bindings.
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
