//! A namespace as a line of JSON, as a row of a table, or as fields; and reading it.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::{NamespaceInfo, NamespacesListRequest};
use serde::Serialize;

use crate::cli_error::CliError;
use crate::commands::identity::{PAGE, PivotPages};
use crate::console::{Align, Fields, given, or_dash, shown_time};
use crate::exit::Exit;
use crate::session::Session;

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct NamespaceLine<'n> {
    name: &'n str,
    description: Option<&'n str>,
    key_tag: Option<&'n str>,
    created_at: Option<Timestamp>,
}

impl<'n> From<&'n NamespaceInfo> for NamespaceLine<'n> {
    fn from(namespace: &'n NamespaceInfo) -> Self {
        Self {
            name: &namespace.name,
            description: given(&namespace.description),
            key_tag: given(&namespace.api_key_tag),
            created_at: namespace.created_at,
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] =
    &[("NAME", Align::Text), ("KEY TAG", Align::Text), ("CREATED AT", Align::Text), ("DESCRIPTION", Align::Text)];

pub(super) fn row(namespace: &NamespaceInfo) -> Vec<String> {
    vec![
        namespace.name.clone(),
        or_dash(&namespace.api_key_tag).to_owned(),
        shown_time(namespace.created_at),
        or_dash(&namespace.description).to_owned(),
    ]
}

pub(super) fn fields(namespace: &NamespaceInfo) -> Fields {
    Fields::new()
        .with("name", &namespace.name)
        .with("description", or_dash(&namespace.description))
        .with("key tag", or_dash(&namespace.api_key_tag))
        .with("created at", &shown_time(namespace.created_at))
}

/// The namespace with this name.
pub(super) async fn find(session: &Session, name: &str) -> Result<NamespaceInfo> {
    namespaces(session).find(|namespace| namespace.name == name).await?.ok_or_else(|| {
        let error = CliError::new(Exit::NotFound, format!("no such namespace: '{name}'"));
        error.remedy("list all with: redrive namespace list").into()
    })
}

/// All namespaces, by name.
pub(super) fn namespaces(session: &Session) -> PivotPages<'_, NamespaceInfo> {
    let fetch = move |pivot| {
        let request = NamespacesListRequest { pivot, limit: PAGE };
        async move { Ok(session.client.list_namespaces(&request).await?.items) }.boxed_local()
    };
    PivotPages::new(session, |namespace| &namespace.name, fetch)
}
