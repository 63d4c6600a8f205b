//! `redrive user create`.

use anyhow::Result;
use redrive_client::proto::querator::UsersCreateRequest;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive user create ann --email ann@example.com")]
pub(crate) struct Arguments {
    /// User name.
    name: String,
    /// Email address.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    email: String,
    /// Id of the user in another system.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    external_id: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let request = UsersCreateRequest {
        username: arguments.name.clone(),
        email: arguments.email.clone(),
        external_id: arguments.external_id.clone(),
    };
    let id = session.call(session.client.create_user(&request)).await?.id;
    let name = &arguments.name;
    let message = format!("created user '{name}' with the id {id}; give it a role with: redrive binding create");
    session.report(&message, &json!({ "id": id, "username": name }))
}
