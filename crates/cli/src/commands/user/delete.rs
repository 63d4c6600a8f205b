//! `redrive user delete`.

use anyhow::Result;
use redrive_client::proto::querator::UsersDeleteRequest;
use serde_json::json;

use crate::commands::identity::user_id;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive user delete ann --yes --reason 'left the company'")]
pub(crate) struct Arguments {
    /// Name or id of the user.
    user: String,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let user = &arguments.user;
    if !session.is_confirmed(format!("delete the user '{user}' with its API keys and bindings"), arguments.yes).await? {
        return Ok(());
    }
    let id = user_id(session, user).await?;
    session.call(session.client.delete_user(&UsersDeleteRequest { id: id.clone() })).await?;
    session.report(&format!("deleted user '{user}'"), &json!({ "id": id, "outcome": "deleted" }))
}
