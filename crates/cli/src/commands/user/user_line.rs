//! A user as a line of JSON, as a row of a table, or as fields.

use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::UserInfo;
use serde::Serialize;

use crate::console::{Align, Fields, given, or_dash, shown_time};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct UserLine<'u> {
    id: &'u str,
    username: &'u str,
    email: Option<&'u str>,
    external_id: Option<&'u str>,
    created_at: Option<Timestamp>,
    updated_at: Option<Timestamp>,
}

impl<'u> From<&'u UserInfo> for UserLine<'u> {
    fn from(user: &'u UserInfo) -> Self {
        Self {
            id: &user.id,
            username: &user.username,
            email: given(&user.email),
            external_id: given(&user.external_id),
            created_at: user.created_at,
            updated_at: user.updated_at,
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("USERNAME", Align::Text),
    ("EMAIL", Align::Text),
    ("EXTERNAL ID", Align::Text),
    ("CREATED AT", Align::Text),
];

pub(super) fn row(user: &UserInfo) -> Vec<String> {
    vec![
        user.id.clone(),
        user.username.clone(),
        or_dash(&user.email).to_owned(),
        or_dash(&user.external_id).to_owned(),
        shown_time(user.created_at),
    ]
}

pub(super) fn fields(user: &UserInfo) -> Fields {
    Fields::new()
        .with("id", &user.id)
        .with("username", &user.username)
        .with("email", or_dash(&user.email))
        .with("external id", or_dash(&user.external_id))
        .with("created at", &shown_time(user.created_at))
        .with("updated at", &shown_time(user.updated_at))
}
