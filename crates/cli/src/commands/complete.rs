//! `redrive complete`.

use anyhow::Result;
use redrive_client::proto::querator::QueueCompleteRequest;
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
    const TIMEOUT: &str = "1m";
    let queue_name = &arguments.items.queue;
    let mut batches = arguments.items.batches(&session)?;
    let mut done = 0u64;
    while let Some(batch) = batches.next().await? {
        let count = u64::try_from(batch.ids.len())?;
        let request = QueueCompleteRequest {
            queue_name: queue_name.clone(),
            partition: batch.partition,
            request_timeout: TIMEOUT.to_owned(),
            ids: batch.ids,
        };
        if let Err(error) = session.call_to_end(session.client.complete(&request)).await {
            say(format_args!("completed {}, plus those before the rejected item in the last request", items(done)));
            return Err(error);
        }
        done += count;
    }
    session.report(&format!("completed {}", items(done)), &json!({ "queue_name": queue_name, "completed": done }))
}
