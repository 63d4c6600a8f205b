//! `redrive role delete`.

use anyhow::Result;
use redrive_client::proto::querator::RolesDeleteRequest;
use serde_json::json;

use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive role delete operator --namespace shop --yes")]
pub(crate) struct Arguments {
    /// Role name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (name, namespace) = (&arguments.name, arguments.namespace.name(session));
    if !session.is_confirmed(format!("delete the role '{name}' of the namespace '{namespace}'"), arguments.yes).await? {
        return Ok(());
    }
    let request = RolesDeleteRequest { namespace: namespace.clone(), name: name.clone() };
    session.call(session.client.delete_role(&request)).await?;
    session.report(
        &format!("deleted role '{name}' of the namespace '{namespace}'"),
        &json!({ "namespace": namespace, "name": name, "outcome": "deleted" }),
    )
}
