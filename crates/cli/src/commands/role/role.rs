//! The subcommands of `redrive role`.

use anyhow::Result;
use redrive_client::proto::querator::{RolesCreateRequest, RolesDeleteRequest};
use serde_json::json;

use super::role_line::{HEADER, RoleLine, fields, find, roles, row};
use super::update;
use crate::commands::identity::{Audited, NamespaceOption, NamespacesOption};
use crate::console::Lines;
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create a role: a set of permissions in a namespace.
    #[command(after_help = "Example:
  redrive role create operator --namespace shop --permission letters.read,letters.retry,queue.stats")]
    Create {
        /// Role name.
        name: String,
        #[command(flatten)]
        namespace: NamespaceOption,
        /// Permissions, separated by commas. The option may be repeated.
        #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
        permission: Vec<String>,
    },
    /// List the roles of a namespace in the order of their creation.
    #[command(after_help = "Examples:
  redrive role list --namespace shop
  redrive role list --all-namespaces")]
    List(NamespacesOption),
    /// Show a role.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive role show operator --namespace shop")]
    Show {
        /// Role name.
        name: String,
        #[command(flatten)]
        namespace: NamespaceOption,
    },
    /// Replace, add or remove permissions of a role.
    Update(update::Arguments),
    /// Delete a role without bindings.
    #[command(after_help = "Example:
  redrive role delete operator --namespace shop --yes")]
    Delete {
        /// Role name.
        name: String,
        #[command(flatten)]
        namespace: NamespaceOption,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create { name, namespace, permission } => {
            create(name, namespace.name(session), permission.clone(), session).await
        }
        Action::List(namespaces) => list(namespaces, session).await,
        Action::Show { name, namespace } => {
            let role = find(session, &namespace.name(session), name).await?;
            session.show(fields(&role), &RoleLine::from(&role))
        }
        Action::Update(arguments) => update::run(arguments, session).await,
        Action::Delete { name, namespace, yes } => delete(name, namespace.name(session), *yes, session).await,
    }
}

async fn list(namespaces: &NamespacesOption, session: &Session) -> Result<()> {
    let listed = namespaces.select(session, "role.list").await?;
    let mut lines = Lines::new(session.format, HEADER);
    for namespace in &listed.names {
        let pages = roles(session, namespace.clone());
        pages.push_to(&mut lines, |lines, role| lines.push(|| row(role), &RoleLine::from(role))).await?;
    }
    lines.finish()?;
    listed.note(session).await
}

async fn create(name: &str, namespace: String, permissions: Vec<String>, session: &Session) -> Result<()> {
    let request = RolesCreateRequest { namespace, name: name.to_owned(), permissions };
    let id = session.call(session.client.create_role(&request)).await?.id;
    let namespace = &request.namespace;
    let message = format!("created role '{name}' in the namespace '{namespace}'");
    session.report(&message, &json!({ "id": id, "namespace": namespace, "name": name }))
}

async fn delete(name: &str, namespace: String, is_confirmed: bool, session: &Session) -> Result<()> {
    if !session.is_confirmed(format!("delete the role '{name}' of the namespace '{namespace}'"), is_confirmed).await? {
        return Ok(());
    }
    let request = RolesDeleteRequest { namespace: namespace.clone(), name: name.to_owned() };
    session.call(session.client.delete_role(&request)).await?;
    let message = format!("deleted role '{name}' of the namespace '{namespace}'");
    session.report(&message, &json!({ "namespace": namespace, "name": name, "outcome": "deleted" }))
}
