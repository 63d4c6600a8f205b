//! `redrive whoami`.

use anyhow::Result;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{WhoamiGetRequest, WhoamiGetResponse, WhoamiNamespacesRequest, WhoamiRole};
use serde::Serialize;

use super::identity::others;
use crate::console::{Fields, given};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive whoami --namespace shop")]
pub(crate) struct Arguments {
    /// Namespace of the permissions [default: that of the context, else that of the key's limit, else _system].
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let request = WhoamiGetRequest { namespace: session.namespace_or(arguments.namespace.as_deref()) };
    let caller = session.call(session.client.whoami(&request)).await?;
    let in_which = WhoamiNamespacesRequest::default();
    let found = session.call_if_offered(session.client.own_namespaces(&in_which)).await?;
    let namespaces = found.map(|found| found.namespaces);
    let context = session.context.as_ref().map(ToString::to_string);
    session.show(
        fields(&caller, namespaces.as_deref().unwrap_or_default(), session, context.as_deref()),
        &CallerLine::new(&caller, namespaces.as_deref(), session, context.as_deref()),
    )
}

/// The object of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
struct CallerLine<'c> {
    server: &'c str,
    context: Option<&'c str>,
    auth: &'c str,
    user_id: &'c str,
    username: &'c str,
    key_id: Option<&'c str>,
    key_name: Option<&'c str>,
    key_prefix: Option<&'c str>,
    namespace_scope: Option<&'c str>,
    expires_at: Option<Timestamp>,
    namespace: &'c str,
    /// The first 1000 namespaces in which the caller has a permission; `null` if the server does not tell.
    namespaces: Option<&'c [String]>,
    permissions: &'c [String],
    roles: Vec<RoleEntry<'c>>,
}

#[derive(Debug, Serialize)]
struct RoleEntry<'c> {
    namespace: &'c str,
    name: &'c str,
    permissions: &'c [String],
}

impl<'c> CallerLine<'c> {
    fn new(
        caller: &'c WhoamiGetResponse,
        namespaces: Option<&'c [String]>,
        session: &'c Session,
        context: Option<&'c str>,
    ) -> Self {
        let role = |role: &'c WhoamiRole| {
            let WhoamiRole { namespace, name, permissions } = role;
            RoleEntry { namespace, name, permissions }
        };
        Self {
            server: session.client.address(),
            context,
            auth: &caller.auth,
            user_id: &caller.user_id,
            username: &caller.username,
            key_id: given(&caller.key_id),
            key_name: given(&caller.key_name),
            key_prefix: given(&caller.key_prefix),
            namespace_scope: given(&caller.namespace_scope),
            expires_at: caller.expires_at,
            namespace: &caller.namespace,
            namespaces,
            permissions: &caller.permissions,
            roles: caller.roles.iter().map(role).collect(),
        }
    }
}

fn fields(caller: &WhoamiGetResponse, namespaces: &[String], session: &Session, context: Option<&str>) -> Fields {
    let user = if caller.user_id == caller.username {
        caller.username.clone()
    } else {
        format!("{} ({})", caller.username, caller.user_id)
    };
    let auth = if caller.auth == "none" { "none: every caller may do everything" } else { &caller.auth };
    let mut fields = Fields::new()
        .with("user", &user)
        .with("key", &key(caller))
        .with_non_empty("limited to", &caller.namespace_scope)
        .with("server", session.client.address())
        .with_non_empty("context", context.unwrap_or_default())
        .with("authentication", auth)
        .with("namespace", &caller.namespace)
        .with_non_empty("also visible", &others(namespaces, &caller.namespace).unwrap_or_default());
    for (index, role) in caller.roles.iter().enumerate() {
        fields = fields.with(label("roles", index), &format!("{} in {}", role.name, role.namespace));
    }
    if caller.permissions.is_empty() {
        return fields.with("permissions", "none");
    }
    for (index, permissions) in by_noun(&caller.permissions).iter().enumerate() {
        fields = fields.with(label("permissions", index), permissions);
    }
    fields
}

fn key(caller: &WhoamiGetResponse) -> String {
    let WhoamiGetResponse { key_id, key_name, key_prefix, expires_at, .. } = caller;
    if key_id.is_empty() {
        return "none".to_owned();
    }
    let shown = if key_name.is_empty() { key_prefix.clone() } else { format!("{key_name} ({key_prefix}…)") };
    match expires_at {
        Some(at) => format!("{shown}, valid until {at}"),
        None => shown,
    }
}

/// The permissions in one text per noun.
fn by_noun(permissions: &[String]) -> Vec<String> {
    let noun = |permission: &str| permission.split('.').next().unwrap_or_default().to_owned();
    permissions.chunk_by(|one, other| noun(one) == noun(other)).map(|group| group.join(", ")).collect()
}

/// The name of the first of several fields of the same kind.
const fn label(name: &'static str, index: usize) -> &'static str {
    if index == 0 { name } else { "" }
}
