//! A binding as a line of JSON, as a row of a table, or as fields; and reading bindings.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::{RoleBindingInfo, RoleBindingsListRequest};
use redrive_client::proto::redrive::v1::WhoamiNamesRequest;
use serde::Serialize;

use crate::commands::identity::{Names, PAGE, PivotPages};
use crate::console::{Align, Fields, shown_time};
use crate::session::Session;

/// The bindings whose names are read at once.
const CHUNK: usize = 200;

/// The names of the users and roles of bindings, as far as the caller may know them.
#[derive(Default)]
pub(super) struct BindingNames {
    users: Names,
    roles: Names,
}

impl BindingNames {
    /// The names in these bindings, which are of one namespace.
    pub(super) async fn of(session: &Session, bindings: &[RoleBindingInfo]) -> Result<Self> {
        let mut names = Self::default();
        for chunk in bindings.chunks(CHUNK) {
            let request = WhoamiNamesRequest {
                namespace: chunk.first().map(|binding| binding.namespace.clone()).unwrap_or_default(),
                user_ids: chunk.iter().map(|binding| binding.user_id.clone()).collect(),
                role_ids: chunk.iter().map(|binding| binding.role_id.clone()).collect(),
            };
            let known = session.call_if_offered(session.client.known_names(&request)).await?.unwrap_or_default();
            names.users.extend(known.users);
            names.roles.extend(known.roles);
        }
        Ok(names)
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
    /// `null` if the caller may not know the user.
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
