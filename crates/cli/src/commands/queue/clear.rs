//! `redrive queue clear`.

use anyhow::Result;
use redrive_client::proto::querator::QueueClearRequest;
use serde_json::json;

use crate::commands::removal::{LetterCount, Removal};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue clear orders --yes
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
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { name, scheduled, destructive, yes } = arguments;
    let planned = Removal::of_clear(name, *scheduled, *destructive, session).await?;
    planned.require_reason(name, session)?;
    if !session.is_confirmed(format!("clear the queue '{name}' of {planned}"), *yes).await? {
        return Ok(());
    }
    let request =
        QueueClearRequest { queue_name: name.clone(), queue: true, scheduled: *scheduled, destructive: *destructive };
    let cleared = session.call(session.client.clear(&request)).await?;
    let data = json!({
        "queue_name": name, "outcome": "cleared",
        "items": cleared.map(|cleared| cleared.items), "letters": cleared.map(|cleared| cleared.letters),
    });
    let message = match cleared {
        Some(cleared) => {
            let letters = Some(LetterCount::exactly(cleared.letters));
            format!("cleared queue '{name}': deleted {}", Removal { items: Some(cleared.items), leased: 0, letters })
        }
        // An older server does not return the numbers.
        None => format!("cleared queue '{name}'"),
    };
    session.report(&message, &data)
}
