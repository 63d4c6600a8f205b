//! `redrive queue clear`.

use anyhow::Result;
use redrive_client::proto::querator::QueueClearRequest;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue clear orders
  redrive queue clear orders --scheduled --destructive --yes")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    /// Delete scheduled items, too.
    #[arg(long)]
    scheduled: bool,
    /// Delete leased items, too.
    #[arg(long)]
    destructive: bool,
    /// Do not prompt for confirmation of --destructive.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { name, scheduled, destructive, yes } = arguments;
    let action = format!("delete all items of '{name}', including leased ones");
    if *destructive && !session.is_confirmed(action, *yes).await? {
        return Ok(());
    }
    let request =
        QueueClearRequest { queue_name: name.clone(), queue: true, scheduled: *scheduled, destructive: *destructive };
    session.call(session.client.clear(&request)).await?;
    session.report(&format!("cleared queue '{name}'"), &json!({ "queue_name": name, "outcome": "cleared" }))
}
