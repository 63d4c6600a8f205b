//! `redrive binding create`.

use anyhow::Result;
use redrive_client::proto::querator::RoleBindingsCreateRequest;
use serde_json::json;

use crate::commands::identity::{NamespaceOption, user_id};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive binding create --role operator --user ann --namespace shop")]
pub(crate) struct Arguments {
    /// Role name.
    #[arg(long, value_name = "NAME")]
    role: String,
    /// Name or id of the user.
    #[arg(long, value_name = "USER")]
    user: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { role, user, .. } = arguments;
    let namespace = arguments.namespace.name(session);
    let user_id = user_id(session, user).await?;
    let request = RoleBindingsCreateRequest { namespace: namespace.clone(), role_name: role.clone(), user_id };
    let id = session.call(session.client.create_role_binding(&request)).await?.id;
    let message = format!("bound role '{role}' to user '{user}' in the namespace '{namespace}'");
    let object = json!({ "id": id, "namespace": namespace, "role": role, "user_id": request.user_id });
    session.report(&message, &object)
}
