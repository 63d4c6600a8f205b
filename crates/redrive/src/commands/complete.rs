//! `redrive complete`.

use anyhow::Result;
use serde_json::json;

use super::named::Named;
use crate::console::{items, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive complete orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive lease orders --output json | redrive complete orders -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    items: Named,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let queue = session.client.queue(&arguments.items.queue);
    let mut batches = arguments.items.batches(&session)?;
    let mut done = 0u64;
    while let Some(batch) = batches.next().await? {
        let count = u64::try_from(batch.ids.len())?;
        if let Err(error) = session.finish(queue.complete(batch.partition, batch.ids)).await {
            say(format_args!("completed {}, and those before the one that is named", items(done)));
            return Err(error);
        }
        done += count;
    }
    session.report(&format!("completed {}", items(done)), &json!({ "queue_name": queue.name(), "completed": done }))
}
