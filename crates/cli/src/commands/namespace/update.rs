//! `redrive namespace update`.
//!
//! An update overwrites both settings, even with empty values. So the namespace is read first, and its current values
//! are sent.

use anyhow::Result;
use redrive_client::proto::querator::NamespaceInfo;
use serde_json::json;

use super::namespace_line::find;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive namespace update shop --description 'the web shop and its app'")]
pub(crate) struct Arguments {
    /// Namespace name.
    name: String,
    /// Free-form description; an empty text removes it.
    #[arg(long, value_name = "TEXT", required_unless_present = "key_tag")]
    description: Option<String>,
    /// Tag of API keys that are limited to this namespace; an empty text removes it.
    #[arg(long, value_name = "TAG")]
    key_tag: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let before = find(session, &arguments.name).await?;
    let after = NamespaceInfo {
        description: arguments.description.clone().unwrap_or(before.description),
        api_key_tag: arguments.key_tag.clone().unwrap_or(before.api_key_tag),
        name: before.name,
        ..NamespaceInfo::default()
    };
    session.call(session.client.update_namespace(&after)).await?;
    session.report(
        &format!("updated namespace '{}'", arguments.name),
        &json!({ "name": arguments.name, "outcome": "updated" }),
    )
}
