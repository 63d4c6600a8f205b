//! `redrive items delete`.

use anyhow::Result;
use redrive_client::proto::querator::StorageItemsDeleteRequest;
use serde_json::json;

use crate::commands::item_selection::ItemSelection;
use crate::console::{Progress, items};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive items delete orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --yes
  redrive items list orders --state scheduled --output json | redrive items delete orders - --yes")]
pub(crate) struct Arguments {
    #[command(flatten)]
    items: ItemSelection,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue_name = &arguments.items.queue;
    if !session.is_confirmed(format!("delete these items from '{queue_name}'"), arguments.yes).await? {
        return Ok(());
    }
    let mut batches = arguments.items.batches(session)?;
    let progress = Progress::new("items", None);
    while let Some(batch) = batches.next().await? {
        let count = batch.ids.len();
        let (queue_name, partition) = (queue_name.clone(), batch.partition);
        let request = StorageItemsDeleteRequest { queue_name, partition, ids: batch.ids };
        session.call_to_end(session.client.delete_items(&request)).await?;
        progress.add(count);
    }
    let done = progress.done();
    drop(progress);
    let message = format!("deleted {} from '{queue_name}', including ids that did not exist", items(done));
    session.report(&message, &json!({ "queue_name": queue_name, "deleted": done }))
}
