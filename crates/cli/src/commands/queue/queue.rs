//! The subcommands of `redrive queue`.

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
    /// Create a queue.
    Create(create::Arguments),
    /// List queues by name.
    List(list::Arguments),
    /// Show the settings of a queue.
    Info(info::Arguments),
    /// Change settings of a queue. Settings that are not given do not change.
    Update(update::Arguments),
    /// Delete a queue with all of its items and letters.
    Delete(delete::Arguments),
    /// Show the number and the age of the items of a queue.
    Stats(stats::Arguments),
    /// Delete the ready items of a queue, and optionally scheduled and leased ones.
    Clear(clear::Arguments),
    /// Pause leasing from a queue. Other requests are still served.
    #[command(after_help = "Example:
  redrive queue pause orders")]
    Pause(pause::Arguments),
    /// Resume leasing from a queue.
    #[command(after_help = "Example:
  redrive queue resume orders")]
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
