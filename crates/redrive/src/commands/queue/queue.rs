//! The commands that there are.

use anyhow::Result;

use super::{clear, create, delete, info, list, pause, stats, update};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Make a queue.
    Create(create::Arguments),
    /// List queues by name.
    List(list::Arguments),
    /// Show the settings of a queue.
    Info(info::Arguments),
    /// Change settings of a queue; those that are not named stay.
    Update(update::Arguments),
    /// Remove a queue with all that is in it.
    Delete(delete::Arguments),
    /// Show how many items a queue has, and how old they are.
    Stats(stats::Arguments),
    /// Remove the items of a queue that nobody holds.
    Clear(clear::Arguments),
    /// Give no more leases until the queue is resumed; all else goes on.
    Pause(pause::Arguments),
    /// Give leases again.
    Resume(pause::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    match &arguments.action {
        Action::Create(arguments) => create::run(arguments, &session).await,
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Info(arguments) => info::run(arguments, &session).await,
        Action::Update(arguments) => update::run(arguments, &session).await,
        Action::Delete(arguments) => delete::run(arguments, &session).await,
        Action::Stats(arguments) => stats::run(arguments, &session).await,
        Action::Clear(arguments) => clear::run(arguments, &session).await,
        Action::Pause(arguments) => pause::pause(arguments, &session).await,
        Action::Resume(arguments) => pause::resume(arguments, &session).await,
    }
}
