//! A role as a line of JSON, as a row of a table, or as fields; and reading it.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::{RoleInfo, RolesListRequest};
use serde::Serialize;

use crate::cli_error::CliError;
use crate::commands::identity::{PAGE, PivotPages};
use crate::console::{Align, Fields, excerpt, or_dash, shown_time};
use crate::exit::Exit;
use crate::session::Session;

/// The maximum width of the permissions in a table.
const PERMISSIONS_CHARS: usize = 80;

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct RoleLine<'r> {
    id: &'r str,
    namespace: &'r str,
    name: &'r str,
    permissions: &'r [String],
    created_at: Option<Timestamp>,
}

impl<'r> From<&'r RoleInfo> for RoleLine<'r> {
    fn from(role: &'r RoleInfo) -> Self {
        let RoleInfo { id, namespace, name, permissions, created_at } = role;
        Self { id, namespace, name, permissions, created_at: *created_at }
    }
}

pub(super) const HEADER: &[(&str, Align)] =
    &[("NAME", Align::Text), ("NAMESPACE", Align::Text), ("ID", Align::Text), ("PERMISSIONS", Align::Text)];

pub(super) fn row(role: &RoleInfo) -> Vec<String> {
    let permissions = excerpt(&role.permissions.join(", "), PERMISSIONS_CHARS);
    vec![role.name.clone(), role.namespace.clone(), role.id.clone(), or_dash(&permissions).to_owned()]
}

pub(super) fn fields(role: &RoleInfo) -> Fields {
    let mut fields = Fields::new()
        .with("name", &role.name)
        .with("namespace", &role.namespace)
        .with("id", &role.id)
        .with("created at", &shown_time(role.created_at));
    for (index, permission) in role.permissions.iter().enumerate() {
        fields = fields.with(if index == 0 { "permissions" } else { "" }, permission);
    }
    fields
}

/// The role with this name in a namespace.
pub(super) async fn find(session: &Session, namespace: &str, name: &str) -> Result<RoleInfo> {
    roles(session, namespace.to_owned()).find(|role| role.name == name).await?.ok_or_else(|| {
        let error = CliError::new(Exit::NotFound, format!("no such role: '{name}' in the namespace '{namespace}'"));
        error.remedy(format!("list all with: redrive role list --namespace {namespace}")).into()
    })
}

/// All roles of a namespace, in the order of their creation.
pub(super) fn roles(session: &Session, namespace: String) -> PivotPages<'_, RoleInfo> {
    let fetch = move |pivot| {
        let request = RolesListRequest { namespace: namespace.clone(), limit: PAGE, pivot };
        async move { Ok(session.client.list_roles(&request).await?.items) }.boxed_local()
    };
    PivotPages::new(session, |role| &role.id, fetch)
}
