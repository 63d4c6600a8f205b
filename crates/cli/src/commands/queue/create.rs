//! `redrive queue create`.

use anyhow::Result;
use redrive_client::proto::querator::QueueInfo;
use serde_json::json;

use super::settings::{Settings, warn_of_drops};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive queue create orders-dead
  redrive queue create orders --dead-queue orders-dead --max-attempts 3 --lease-timeout 30s")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    #[command(flatten)]
    settings: Settings,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let defaults = QueueInfo {
        queue_name: arguments.name.clone(),
        lease_timeout: "1m".to_owned(),
        expire_timeout: "24h".to_owned(),
        requested_partitions: 1,
        namespace: session.namespace_or(arguments.settings.namespace.as_deref()),
        ..QueueInfo::default()
    };
    let queue = arguments.settings.over(defaults);
    session.call(session.client.create_queue(&queue)).await?;
    let name = &arguments.name;
    session.report(&format!("created queue '{name}'"), &json!({ "queue_name": name, "outcome": "created" }))?;
    warn_of_drops(&queue);
    Ok(())
}
