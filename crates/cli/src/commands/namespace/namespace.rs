//! The subcommands of `redrive namespace`.

use anyhow::Result;
use redrive_client::proto::querator::{NamespaceInfo, NamespacesDeleteRequest};
use serde_json::json;

use super::namespace_line::{HEADER, NamespaceLine, fields, find, namespaces, row};
use super::update;
use crate::commands::identity::Audited;
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create a namespace.
    #[command(after_help = "Example:
  redrive namespace create shop --description 'the web shop'")]
    Create {
        /// Namespace name.
        name: String,
        /// Free-form description.
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        description: String,
        /// Tag of API keys that are limited to this namespace: up to 16 lowercase letters and digits [default: live].
        #[arg(long, value_name = "TAG", default_value = "", hide_default_value = true)]
        key_tag: String,
    },
    /// List namespaces by name.
    #[command(after_help = "Example:
  redrive namespace list --output json")]
    List,
    /// Show a namespace.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive namespace show shop")]
    Show {
        /// Namespace name.
        name: String,
    },
    /// Change a namespace. Settings that are not given do not change.
    Update(update::Arguments),
    /// Delete a namespace without queues, roles and bindings.
    #[command(after_help = "Example:
  redrive namespace delete shop --yes --reason 'the shop was closed'")]
    Delete {
        /// Namespace name.
        name: String,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create { name, description, key_tag } => {
            let (name, description, api_key_tag) = (name.clone(), description.clone(), key_tag.clone());
            create(NamespaceInfo { name, description, api_key_tag, ..NamespaceInfo::default() }, session).await
        }
        Action::List => {
            let pages = namespaces(session);
            pages.print(HEADER, |lines, found| lines.push(|| row(found), &NamespaceLine::from(found))).await
        }
        Action::Show { name } => {
            let namespace = find(session, name).await?;
            session.show(fields(&namespace), &NamespaceLine::from(&namespace))
        }
        Action::Update(arguments) => update::run(arguments, session).await,
        Action::Delete { name, yes } => delete(name, *yes, session).await,
    }
}

async fn create(namespace: NamespaceInfo, session: &Session) -> Result<()> {
    session.call(session.client.create_namespace(&namespace)).await?;
    let name = &namespace.name;
    session.report(&format!("created namespace '{name}'"), &json!({ "name": name, "outcome": "created" }))
}

async fn delete(name: &str, is_confirmed: bool, session: &Session) -> Result<()> {
    if !session.is_confirmed(format!("delete the namespace '{name}'"), is_confirmed).await? {
        return Ok(());
    }
    session.call(session.client.delete_namespace(&NamespacesDeleteRequest { name: name.to_owned() })).await?;
    session.report(&format!("deleted namespace '{name}'"), &json!({ "name": name, "outcome": "deleted" }))
}
