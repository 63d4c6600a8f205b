//! `redrive queue update`.
//!
//! On the wire an update overwrites reference, dead queue and attempts, also by nothing. So the queue is read first, and
//! they are sent. What else is not named is left out, which keeps it.

use anyhow::Result;
use redrive_client::proto::querator::QueueInfo;

use super::settings::{Settings, warn_of_drops};
use crate::complaint::Complaint;
use crate::console::say;
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue update orders --max-attempts 5
  redrive queue update orders --no-dead-queue")]
pub(crate) struct Arguments {
    name: String,
    #[command(flatten)]
    settings: Settings,
    /// Have no dead queue: what fails for good is deleted.
    #[arg(long, conflicts_with = "dead_queue")]
    no_dead_queue: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    let before = session.queue_info(name).await?;
    if let Some(namespace) = arguments.settings.namespace.as_ref().filter(|namespace| **namespace != before.namespace) {
        let complaint = format!("queue '{name}' is in the namespace '{}' and stays there", before.namespace);
        let advice =
            format!("make another one in '{namespace}', and move its items with: redrive items export, import");
        return Err(Complaint::new(Exit::Refused, complaint).advise(advice).into());
    }
    let unsaid = String::new;
    let kept = QueueInfo { lease_timeout: unsaid(), expire_timeout: unsaid(), requested_partitions: 0, ..before };
    let mut after = arguments.settings.over(kept);
    if arguments.no_dead_queue {
        after.dead_queue.clear();
    }
    session.ask(session.client.update_queue(&after)).await?;
    say(format_args!("changed queue '{name}'"));
    warn_of_drops(&after);
    Ok(())
}
