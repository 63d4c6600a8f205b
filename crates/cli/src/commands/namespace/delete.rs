//! `redrive namespace delete`.

use anyhow::Result;
use redrive_client::proto::querator::NamespacesDeleteRequest;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive namespace delete shop --yes --reason 'the shop was closed'")]
pub(crate) struct Arguments {
    /// Namespace name.
    name: String,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    if !session.is_confirmed(format!("delete the namespace '{name}'"), arguments.yes).await? {
        return Ok(());
    }
    session.call(session.client.delete_namespace(&NamespacesDeleteRequest { name: name.clone() })).await?;
    session.report(&format!("deleted namespace '{name}'"), &json!({ "name": name, "outcome": "deleted" }))
}
