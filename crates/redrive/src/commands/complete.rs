//! `redrive complete`.

use anyhow::Result;
use serde_json::json;

use super::item_selection::ItemSelection;
use crate::console::{items, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive complete orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive lease orders --output json | redrive complete orders -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    items: ItemSelection,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let queue = session.client.queue(&arguments.items.queue);
    let mut batches = arguments.items.batches(&session)?;
    let mut done = 0u64;
    while let Some(batch) = batches.next().await? {
        let count = u64::try_from(batch.ids.len())?;
        if let Err(error) = session.call_to_end(queue.complete(batch.partition, batch.ids)).await {
            say(format_args!("completed {}, plus those before the rejected item in the last request", items(done)));
            return Err(error);
        }
        done += count;
    }
    session.report(&format!("completed {}", items(done)), &json!({ "queue_name": queue.name(), "completed": done }))
}
