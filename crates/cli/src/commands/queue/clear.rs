//! `redrive queue clear`.

use anyhow::Result;
use redrive_client::proto::querator::QueueClearRequest;
use serde_json::json;

use super::letters_of::letters_of;
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue clear orders
  redrive queue clear orders --scheduled --destructive --yes
  redrive queue clear orders-dead --yes --reason 'a test'")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    /// Delete scheduled items, too.
    #[arg(long)]
    scheduled: bool,
    /// Delete leased items, too.
    #[arg(long)]
    destructive: bool,
    /// Do not prompt for confirmation. Without --destructive and letters, none is asked for.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { name, scheduled, destructive, yes } = arguments;
    let what = if *destructive { "all items" } else { "the ready items" };
    let action = match letters_of(name, session).await? {
        Some(0) | None if !destructive => None,
        Some(0) => Some(format!("delete {what} of '{name}', including leased ones")),
        Some(count) => {
            let found = letters(count);
            session.require_reason(format!("queue '{name}' has {found}, and deleting letters needs a reason"))?;
            Some(format!("delete {what} of '{name}', which has {found}"))
        }
        // The caller may clear the queue without reading its letters.
        None => Some(format!("delete {what} of '{name}', including leased ones and letters")),
    };
    if let Some(action) = action
        && !session.is_confirmed(action, *yes).await?
    {
        return Ok(());
    }
    let request =
        QueueClearRequest { queue_name: name.clone(), queue: true, scheduled: *scheduled, destructive: *destructive };
    session.call(session.client.clear(&request)).await?;
    session.report(&format!("cleared queue '{name}'"), &json!({ "queue_name": name, "outcome": "cleared" }))
}
