//! `redrive retry`.

use anyhow::Result;
use redrive_client::proto::querator::QueueRetryItem;
use serde_json::json;

use super::named::Named;
use super::when::When;
use crate::console::{items, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive retry orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --delay 10m
  redrive lease orders --output json | redrive retry orders - --dead")]
pub(crate) struct Arguments {
    #[command(flatten)]
    items: Named,
    #[command(flatten)]
    when: When,
    /// Not again: to the dead queue, or deleted if there is none.
    #[arg(long, conflicts_with_all = ["at", "delay"])]
    dead: bool,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let queue = session.client.queue(&arguments.items.queue);
    let retry_at = arguments.when.time();
    let told = if arguments.dead { "gave up" } else { "gave back" };
    let mut batches = arguments.items.batches(&session)?;
    let mut done = 0u64;
    while let Some(batch) = batches.next().await? {
        let item = |id| QueueRetryItem { id, retry_at, dead: arguments.dead };
        let given: Vec<_> = batch.ids.into_iter().map(item).collect();
        let count = u64::try_from(given.len())?;
        if let Err(error) = session.finish(queue.retry(batch.partition, given)).await {
            say(format_args!("{told} {}, and those before the one that is named", items(done)));
            return Err(error);
        }
        done += count;
    }
    session.report(&format!("{told} {}", items(done)), &json!({ "queue_name": queue.name(), "retried": done }))
}
