//! `redrive role create`.

use anyhow::Result;
use redrive_client::proto::querator::RolesCreateRequest;
use serde_json::json;

use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive role create operator --namespace shop --permission letters.read,letters.retry,queue.stats")]
pub(crate) struct Arguments {
    /// Role name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Permissions, separated by commas. The option may be repeated.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    permission: Vec<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (name, namespace) = (&arguments.name, arguments.namespace.name(session));
    let (role_name, permissions) = (name.clone(), arguments.permission.clone());
    let request = RolesCreateRequest { namespace: namespace.clone(), name: role_name, permissions };
    let id = session.call(session.client.create_role(&request)).await?.id;
    let message = format!("created role '{name}' in the namespace '{namespace}'");
    session.report(&message, &json!({ "id": id, "namespace": namespace, "name": name }))
}
