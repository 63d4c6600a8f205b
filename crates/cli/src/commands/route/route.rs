//! The subcommands of `redrive route`.

use anyhow::Result;

use super::{control, define, delete, list, show};
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
    /// Create a route from a file, and start it.
    Create(define::DefinedRoute),
    /// Replace the definition of a route. It drains and starts again.
    Update(define::DefinedRoute),
    /// List the routes of a namespace with their state.
    List(list::Arguments),
    /// Show a route: its state, what is wrong, and its definition.
    #[command(visible_alias = "get")]
    Show(show::Arguments),
    /// Start a route that is paused or stopped.
    Start(control::RouteName),
    /// Pause a route: it takes no new work, and stays in its consumer group.
    Pause(control::RouteName),
    /// Stop a route. Running calls finish first.
    Stop(control::RouteName),
    /// Drain and delete a route.
    Delete(delete::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = arguments.reason.apply(session)?;
    match &arguments.action {
        Action::Create(arguments) => define::create(arguments, &session).await,
        Action::Update(arguments) => define::update(arguments, &session).await,
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Show(arguments) => show::run(arguments, &session).await,
        Action::Start(arguments) => control::run(arguments, "start", &session).await,
        Action::Pause(arguments) => control::run(arguments, "pause", &session).await,
        Action::Stop(arguments) => control::run(arguments, "stop", &session).await,
        Action::Delete(arguments) => delete::run(arguments, &session).await,
    }
}
