//! `redrive key delete`.

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::querator::ApiKeysDeleteRequest;
use redrive_client::proto::redrive::v1::WhoamiGetRequest;
use serde_json::json;

use super::show::no_such;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive key delete 3M928yx0UrfVbDwCKPpjAHbKnmG --yes --reason 'laptop lost'")]
pub(crate) struct Arguments {
    /// Id of the key.
    id: String,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let id = &arguments.id;
    if !session.is_confirmed(format!("delete the API key {id}"), arguments.yes).await? {
        return Ok(());
    }
    let deleted = session.client.delete_api_key(&ApiKeysDeleteRequest { id: id.clone() }).await;
    // The server answers an unknown key of the request and an unknown key of the caller with the same error.
    if matches!(&deleted, Err(error @ ClientError::Unauthorized { .. }) if error.key() == Some("api key does not exist"))
        && session.client.whoami(&WhoamiGetRequest::default()).await.is_ok()
    {
        return Err(no_such(id).into());
    }
    session.call(async { deleted }).await?;
    session.report(&format!("deleted key {id}"), &json!({ "id": id, "outcome": "deleted" }))
}
