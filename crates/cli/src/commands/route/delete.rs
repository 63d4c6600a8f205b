//! `redrive route delete`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::RoutesDeleteRequest;
use serde_json::json;

use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive route delete orders --yes")]
pub(crate) struct Arguments {
    /// Route name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (name, namespace) = (&arguments.name, arguments.namespace.name(session));
    if !session.is_confirmed(format!("delete the route '{name}'"), arguments.yes).await? {
        return Ok(());
    }
    let request = RoutesDeleteRequest { namespace: namespace.clone(), name: name.clone() };
    session.call(session.client.delete_route(&request)).await?;
    session.report(
        &format!("deleted route '{name}'"),
        &json!({ "namespace": namespace, "name": name, "outcome": "deleted" }),
    )
}
