//! `redrive queue update`.
//!
//! An update overwrites reference, dead queue and attempts, even with empty values. So the queue is read first, and its
//! current values are sent. Other settings that are not given are omitted from the request, which keeps them.

use anyhow::Result;
use redrive_client::proto::querator::QueueInfo;
use serde_json::json;

use super::settings::{Settings, warn_of_drops};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue update orders --max-attempts 5
  redrive queue update orders --no-dead-queue")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    #[command(flatten)]
    settings: Settings,
    /// Remove the dead queue. Items that reach --max-attempts or expire are then deleted.
    #[arg(long, conflicts_with = "dead_queue")]
    no_dead_queue: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    let before = session.queue_info(name).await?;
    if let Some(namespace) = arguments.settings.namespace.as_ref().filter(|namespace| **namespace != before.namespace) {
        let message = format!("queue '{name}' is in the namespace '{}', which cannot be changed", before.namespace);
        let remedy = format!("create a queue in '{namespace}', and move the items with: redrive items export, import");
        return Err(CliError::new(Exit::Rejected, message).remedy(remedy).into());
    }
    let omitted = String::new;
    let kept = QueueInfo { lease_timeout: omitted(), expire_timeout: omitted(), requested_partitions: 0, ..before };
    let mut after = arguments.settings.over(kept);
    if arguments.no_dead_queue {
        after.dead_queue.clear();
    }
    session.call(session.client.update_queue(&after)).await?;
    session.report(&format!("updated queue '{name}'"), &json!({ "queue_name": name, "outcome": "updated" }))?;
    warn_of_drops(&after);
    Ok(())
}
