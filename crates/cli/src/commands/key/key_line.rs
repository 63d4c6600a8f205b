//! An API key as a line of JSON, as a row of a table, or as fields.

use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::ApiKeyInfo;
use serde::Serialize;

use crate::commands::identity::Names;
use crate::console::{Align, Fields, given, or_dash, shown_time};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct KeyLine<'k> {
    id: &'k str,
    name: Option<&'k str>,
    user_id: &'k str,
    /// `null` also if the caller may not list users.
    username: Option<&'k str>,
    prefix: &'k str,
    namespace_scope: Option<&'k str>,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    created_at: Option<Timestamp>,
}

impl<'k> KeyLine<'k> {
    pub(super) fn new(key: &'k ApiKeyInfo, users: &'k Names) -> Self {
        Self {
            id: &key.id,
            name: given(&key.name),
            user_id: &key.user_id,
            username: users.get(&key.user_id),
            prefix: &key.prefix,
            namespace_scope: given(&key.namespace_scope),
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
            created_at: key.created_at,
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("NAME", Align::Text),
    ("USER", Align::Text),
    ("PREFIX", Align::Text),
    ("LIMITED TO", Align::Text),
    ("EXPIRES AT", Align::Text),
    ("LAST USED AT", Align::Text),
];

pub(super) fn row(key: &ApiKeyInfo, users: &Names) -> Vec<String> {
    vec![
        key.id.clone(),
        or_dash(&key.name).to_owned(),
        users.shown(&key.user_id).to_owned(),
        key.prefix.clone(),
        or_dash(&key.namespace_scope).to_owned(),
        shown_time(key.expires_at),
        shown_time(key.last_used_at),
    ]
}

pub(super) fn fields(key: &ApiKeyInfo, users: &Names) -> Fields {
    Fields::new()
        .with("id", &key.id)
        .with("name", or_dash(&key.name))
        .with("user", users.shown(&key.user_id))
        .with("user id", &key.user_id)
        .with("prefix", &key.prefix)
        .with("limited to", or_dash(&key.namespace_scope))
        .with("expires at", &shown_time(key.expires_at))
        .with("last used at", &shown_time(key.last_used_at))
        .with("created at", &shown_time(key.created_at))
}
