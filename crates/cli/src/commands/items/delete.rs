//! `redrive items delete`.

use anyhow::Result;
use redrive_client::proto::querator::StorageItemsDeleteRequest;
use serde_json::json;

use crate::commands::item_selection::{Batch, ItemSelection};
use crate::commands::removal::Removal;
use crate::console::{Progress, items, say};
use crate::session::{Interrupt, Session};
use crate::values::parse_reason;

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
    /// Reason, which the server writes to the audit record. Required if the queue has letters.
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = session.with_reason(arguments.reason.as_deref())?;
    let queue_name = &arguments.items.queue;
    // Any item of a queue with letters may be one.
    Removal::of_queue(queue_name, &session).await?.require_reason(queue_name, &session)?;
    let batches = arguments.items.read_all(&session).await?;
    let count: u64 = batches.iter().map(|batch| batch.ids.len() as u64).sum();
    let question = format!("delete {} of '{queue_name}'", items(count));
    if count > 0 && !session.is_confirmed(question, arguments.yes).await? {
        return Ok(());
    }
    let progress = Progress::new("items", Some(count));
    for Batch { partition, ids } in batches {
        let count = ids.len();
        let request = StorageItemsDeleteRequest { queue_name: queue_name.clone(), partition, ids };
        let deleted = if session.interrupt.is_raised() {
            Err(Interrupt::error("interrupted").into())
        } else {
            session.call_to_end(session.client.delete_items(&request)).await
        };
        if let Err(error) = deleted {
            let done = progress.done();
            drop(progress);
            if done > 0 {
                say(format_args!("deleted {} before the error, including ids that did not exist", items(done)));
            }
            return Err(error);
        }
        progress.add(count);
    }
    let done = progress.done();
    drop(progress);
    let message = format!("deleted {} of '{queue_name}', including ids that did not exist", items(done));
    session.report(&message, &json!({ "queue_name": queue_name, "deleted": done }))
}
