//! A binding as a line of JSON, as a row of a table, or as fields; and reading bindings.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::{RoleBindingInfo, RoleBindingsListRequest};
use serde::Serialize;

use crate::commands::identity::{Names, PAGE, PivotPages};
use crate::commands::role::roles;
use crate::console::{Align, Fields, shown_time};
use crate::session::Session;

/// The names of the users and roles of a namespace, as far as the caller may list them.
pub(super) struct BindingNames {
    users: Names,
    roles: Names,
}

impl BindingNames {
    pub(super) async fn read(session: &Session, namespace: &str) -> Result<Self> {
        let roles = roles(session, namespace.to_owned());
        Ok(Self { users: Names::of_users(session).await?, roles: Names::of(roles, |role| (role.id, role.name)).await? })
    }
}

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct BindingLine<'b> {
    id: &'b str,
    namespace: &'b str,
    role_id: &'b str,
    /// `null` if the caller may not list roles.
    role: Option<&'b str>,
    user_id: &'b str,
    /// `null` if the caller may not list users.
    username: Option<&'b str>,
    created_at: Option<Timestamp>,
}

impl<'b> BindingLine<'b> {
    pub(super) fn new(binding: &'b RoleBindingInfo, names: &'b BindingNames) -> Self {
        Self {
            id: &binding.id,
            namespace: &binding.namespace,
            role_id: &binding.role_id,
            role: names.roles.get(&binding.role_id),
            user_id: &binding.user_id,
            username: names.users.get(&binding.user_id),
            created_at: binding.created_at,
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("NAMESPACE", Align::Text),
    ("ROLE", Align::Text),
    ("USER", Align::Text),
    ("CREATED AT", Align::Text),
];

pub(super) fn row(binding: &RoleBindingInfo, names: &BindingNames) -> Vec<String> {
    vec![
        binding.id.clone(),
        binding.namespace.clone(),
        names.roles.shown(&binding.role_id).to_owned(),
        names.users.shown(&binding.user_id).to_owned(),
        shown_time(binding.created_at),
    ]
}

pub(super) fn fields(binding: &RoleBindingInfo, names: &BindingNames) -> Fields {
    Fields::new()
        .with("id", &binding.id)
        .with("namespace", &binding.namespace)
        .with("role", names.roles.shown(&binding.role_id))
        .with("role id", &binding.role_id)
        .with("user", names.users.shown(&binding.user_id))
        .with("user id", &binding.user_id)
        .with("created at", &shown_time(binding.created_at))
}

/// The bindings of a namespace: those of a user, or all of them if the id is empty.
pub(super) fn bindings<'s>(
    session: &'s Session,
    namespace: &'s str,
    user_id: String,
) -> PivotPages<'s, RoleBindingInfo> {
    let fetch = move |pivot| {
        let (namespace, user_id_filter) = (namespace.to_owned(), user_id.clone());
        let request = RoleBindingsListRequest { namespace, user_id_filter, limit: PAGE, pivot };
        async move { Ok(session.client.list_role_bindings(&request).await?.items) }.boxed_local()
    };
    PivotPages::new(session, |binding| &binding.id, fetch)
}
