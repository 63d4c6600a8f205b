//! `redrive namespace create`.

use anyhow::Result;
use redrive_client::proto::querator::NamespaceInfo;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive namespace create shop --description 'the web shop'")]
pub(crate) struct Arguments {
    /// Namespace name.
    name: String,
    /// Free-form description.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    description: String,
    /// Tag of API keys that are limited to this namespace: up to 16 lowercase letters and digits [default: live].
    #[arg(long, value_name = "TAG", default_value = "", hide_default_value = true)]
    key_tag: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let namespace = NamespaceInfo {
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        api_key_tag: arguments.key_tag.clone(),
        ..NamespaceInfo::default()
    };
    session.call(session.client.create_namespace(&namespace)).await?;
    session.report(
        &format!("created namespace '{}'", arguments.name),
        &json!({ "name": arguments.name, "outcome": "created" }),
    )
}
