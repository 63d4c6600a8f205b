//! The subcommands of `redrive binding`.

use anyhow::Result;
use redrive_client::proto::querator::{RoleBindingsCreateRequest, RoleBindingsDeleteRequest};
use serde_json::json;

use super::binding_line::{BindingLine, BindingNames, HEADER, bindings, fields, row};
use crate::cli_error::CliError;
use crate::commands::identity::{Audited, NamespaceOption, NamespacesOption, user_id};
use crate::console::Lines;
use crate::exit::Exit;
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Bind a role to a user: it has the permissions of the role in the namespace, in _system everywhere.
    #[command(after_help = "Example:
  redrive binding create --role operator --user ann --namespace shop")]
    Create(BoundRole),
    /// List the bindings of a namespace.
    #[command(after_help = "Examples:
  redrive binding list --namespace shop --user ann
  redrive binding list --all-namespaces")]
    List {
        #[command(flatten)]
        namespaces: NamespacesOption,
        /// Only bindings of this user, by name or id.
        #[arg(long, value_name = "USER")]
        user: Option<String>,
    },
    /// Show a binding.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive binding show 3M928yx0UrfVbDwCKPpjAHbKnmG --namespace shop")]
    Show {
        /// Id of the binding.
        id: String,
        #[command(flatten)]
        namespace: NamespaceOption,
    },
    /// Take a role away from a user.
    #[command(after_help = "Example:
  redrive binding delete --role operator --user ann --namespace shop --yes")]
    Delete {
        #[command(flatten)]
        bound: BoundRole,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(clap::Args)]
pub(crate) struct BoundRole {
    /// Role name: one of the namespace, or a standard role, which a server with authentication has: Admin, NamespaceOwner
    /// or PublicViewer.
    #[arg(long, value_name = "NAME")]
    role: String,
    /// Name or id of the user.
    #[arg(long, value_name = "USER")]
    user: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create(bound) => create(bound, session).await,
        Action::List { namespaces, user } => list(namespaces, user.as_deref(), session).await,
        Action::Show { id, namespace } => show(id, &namespace.name(session), session).await,
        Action::Delete { bound, yes } => delete(bound, *yes, session).await,
    }
}

async fn create(BoundRole { role, user, namespace }: &BoundRole, session: &Session) -> Result<()> {
    let namespace = namespace.name(session);
    let user_id = user_id(session, user).await?;
    let request = RoleBindingsCreateRequest { namespace: namespace.clone(), role_name: role.clone(), user_id };
    let id = session.call(session.client.create_role_binding(&request)).await?.id;
    let message = format!("bound role '{role}' to user '{user}' in the namespace '{namespace}'");
    let object = json!({ "id": id, "namespace": namespace, "role": role, "user_id": request.user_id });
    session.report(&message, &object)
}

async fn list(namespaces: &NamespacesOption, user: Option<&str>, session: &Session) -> Result<()> {
    let user_id = match user {
        Some(user) => user_id(session, user).await?,
        None => String::new(),
    };
    let listed = namespaces.select(session, "rolebinding.list").await?;
    let mut lines = Lines::new(session.format, HEADER);
    for namespace in &listed.names {
        let mut pages = bindings(session, namespace, user_id.clone());
        while let Some(page) = pages.next().await? {
            let names = BindingNames::of(session, &page).await?;
            page.iter()
                .try_for_each(|binding| lines.push(|| row(binding, &names), &BindingLine::new(binding, &names)))?;
        }
    }
    lines.finish()?;
    listed.note(session).await
}

async fn show(id: &str, namespace: &str, session: &Session) -> Result<()> {
    let found = bindings(session, namespace, String::new()).find(|binding| binding.id == id).await?;
    let found = found.ok_or_else(|| {
        CliError::new(Exit::NotFound, format!("no such binding: '{id}' in the namespace '{namespace}'"))
            .remedy(format!("list all with: redrive binding list --namespace {namespace}"))
    })?;
    let names = BindingNames::of(session, std::slice::from_ref(&found)).await?;
    session.show(fields(&found, &names), &BindingLine::new(&found, &names))
}

async fn delete(bound: &BoundRole, is_confirmed: bool, session: &Session) -> Result<()> {
    let BoundRole { role, user, namespace } = bound;
    let namespace = namespace.name(session);
    let action = format!("take the role '{role}' away from user '{user}' in the namespace '{namespace}'");
    if !session.is_confirmed(action, is_confirmed).await? {
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
