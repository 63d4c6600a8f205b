//! `redrive queue pause` and `resume`.

use anyhow::Result;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
}

pub(super) async fn pause(arguments: &Arguments, session: &Session) -> Result<()> {
    session.call(session.client.queue(&arguments.name).pause()).await?;
    let name = &arguments.name;
    let message = format!("paused queue '{name}'; resume it with: redrive queue resume {name}");
    session.report(&message, &json!({ "queue_name": name, "outcome": "paused" }))
}

pub(super) async fn resume(arguments: &Arguments, session: &Session) -> Result<()> {
    session.call(session.client.queue(&arguments.name).resume()).await?;
    let name = &arguments.name;
    session.report(&format!("resumed queue '{name}'"), &json!({ "queue_name": name, "outcome": "resumed" }))
}
