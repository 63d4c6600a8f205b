//! The subcommands of `redrive queue`.

use anyhow::Result;
use redrive_client::proto::querator::QueuesDeleteRequest;
use serde_json::json;

use super::paused::PausedQueues;
use super::queue_line::{QueueLine, fields};
use super::{clear, create, list, stats, update};
use crate::commands::identity::Audited;
use crate::commands::removal::{LetterCount, Removal};
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create a queue.
    Create(create::Arguments),
    /// List queues by name.
    List(list::Arguments),
    /// Show the settings of a queue.
    #[command(after_help = "Example:
  redrive queue info orders")]
    Info(QueueArgument),
    /// Change settings of a queue. Settings that are not given do not change.
    Update(update::Arguments),
    /// Delete a queue with all of its items and letters. Their numbers are shown; deleting letters needs a reason.
    #[command(after_help = "Examples:
  redrive queue delete orders --yes
  redrive queue delete orders-dead --force --yes --reason 'moved to another server'")]
    Delete {
        #[command(flatten)]
        queue: QueueArgument,
        /// Delete the queue even if it is the dead queue of another queue.
        #[arg(long)]
        force: bool,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
    /// Show the number and the age of the items of a queue.
    #[command(after_help = "Examples:
  redrive queue stats orders
  redrive queue stats orders --json")]
    Stats(QueueArgument),
    /// Delete the ready items of a queue, and optionally scheduled and leased ones.
    Clear(clear::Arguments),
    /// Pause leasing from a queue. Other requests are still served.
    #[command(after_help = "Example:
  redrive queue pause orders")]
    Pause(QueueArgument),
    /// Resume leasing from a queue.
    #[command(after_help = "Example:
  redrive queue resume orders")]
    Resume(QueueArgument),
}

#[derive(clap::Args)]
pub(crate) struct QueueArgument {
    /// Queue name.
    name: String,
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create(arguments) => create::run(arguments, session).await,
        Action::List(arguments) => list::run(arguments, session).await,
        Action::Info(queue) => info(&queue.name, session).await,
        Action::Update(arguments) => update::run(arguments, session).await,
        Action::Delete { queue, force, yes } => delete(&queue.name, *force, *yes, session).await,
        Action::Stats(queue) => stats::run(&queue.name, session).await,
        Action::Clear(arguments) => clear::run(arguments, session).await,
        Action::Pause(queue) => pause(&queue.name, session).await,
        Action::Resume(queue) => resume(&queue.name, session).await,
    }
}

async fn info(name: &str, session: &Session) -> Result<()> {
    let queue = session.queue_info(name).await?;
    let paused = PausedQueues::of(session, name).await?.get(name);
    session.show(fields(&queue, paused), &QueueLine::new(&queue, paused))
}

async fn delete(name: &str, force: bool, is_confirmed: bool, session: &Session) -> Result<()> {
    let removal = Removal::of_queue(name, session).await?;
    removal.require_reason(name, session)?;
    if !session.is_confirmed(format!("delete the queue '{name}' with {removal}"), is_confirmed).await? {
        return Ok(());
    }
    let request = QueuesDeleteRequest { queue_name: name.to_owned(), force };
    session.call(session.client.delete_queue(&request)).await?;
    let data = json!({
        "queue_name": name, "outcome": "deleted",
        "items": removal.items, "letters": removal.letters.and_then(LetterCount::exact),
    });
    session.report(&format!("deleted queue '{name}' with {removal}"), &data)
}

async fn pause(name: &str, session: &Session) -> Result<()> {
    session.call(session.client.queue(name).pause()).await?;
    let message = format!("paused queue '{name}'; resume it with: redrive queue resume {name}");
    session.report(&message, &json!({ "queue_name": name, "outcome": "paused" }))
}

async fn resume(name: &str, session: &Session) -> Result<()> {
    session.call(session.client.queue(name).resume()).await?;
    session.report(&format!("resumed queue '{name}'"), &json!({ "queue_name": name, "outcome": "resumed" }))
}
