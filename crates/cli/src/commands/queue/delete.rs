//! `redrive queue delete`.

use anyhow::Result;
use redrive_client::proto::querator::QueuesDeleteRequest;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue delete orders --yes
  redrive queue delete orders-dead --force --yes")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    /// Delete the queue even if it is the dead queue of another queue.
    #[arg(long)]
    force: bool,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    if !session
        .is_confirmed(format!("delete the queue '{name}' with all of its items and letters"), arguments.yes)
        .await?
    {
        return Ok(());
    }
    let request = QueuesDeleteRequest { queue_name: name.clone(), force: arguments.force };
    session.call(session.client.delete_queue(&request)).await?;
    session.report(&format!("deleted queue '{name}'"), &json!({ "queue_name": name, "outcome": "deleted" }))
}
