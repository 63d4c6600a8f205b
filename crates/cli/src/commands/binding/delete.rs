//! `redrive binding delete`.

use anyhow::Result;
use redrive_client::proto::querator::RoleBindingsDeleteRequest;
use serde_json::json;

use crate::commands::identity::{NamespaceOption, user_id};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive binding delete --role operator --user ann --namespace shop --yes")]
pub(crate) struct Arguments {
    /// Role name.
    #[arg(long, value_name = "NAME")]
    role: String,
    /// Name or id of the user.
    #[arg(long, value_name = "USER")]
    user: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { role, user, yes, .. } = arguments;
    let namespace = arguments.namespace.name(session);
    let action = format!("take the role '{role}' away from user '{user}' in the namespace '{namespace}'");
    if !session.is_confirmed(action, *yes).await? {
        return Ok(());
    }
    let user_id = user_id(session, user).await?;
    let request = RoleBindingsDeleteRequest { namespace, role_name: role.clone(), user_id };
    session.call(session.client.delete_role_binding(&request)).await?;
    let message = format!("took role '{role}' away from user '{user}' in the namespace '{}'", request.namespace);
    session.report(
        &message,
        &json!({ "namespace": request.namespace, "role": role, "user_id": request.user_id, "outcome": "deleted" }),
    )
}
