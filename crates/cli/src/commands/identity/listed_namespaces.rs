//! The namespaces of a list: one, or all in which the caller may list.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::redrive::v1::WhoamiNamespacesRequest;

use super::{NamespaceOption, PAGE, PivotPages};
use crate::console::{Align, Format, say};
use crate::session::Session;

/// Maximum number of other namespaces that are named below a list.
const OTHERS_MAX: usize = 5;

/// The options for the namespaces of a list.
#[derive(Debug, clap::Args)]
pub(crate) struct NamespacesOption {
    #[command(flatten)]
    one: NamespaceOption,
    /// List those of all namespaces in which the caller may list them.
    #[arg(long, conflicts_with = "namespace")]
    all_namespaces: bool,
}

impl NamespacesOption {
    /// The namespaces of a list that needs this permission.
    pub(in crate::commands) async fn select(
        &self,
        session: &Session,
        permission: &'static str,
    ) -> Result<ListedNamespaces> {
        let mut names = if self.all_namespaces { own_namespaces(session, permission).await? } else { Vec::new() };
        if names.is_empty() {
            // Without the permission anywhere, the server denies the list of any namespace.
            names.push(self.one.name(session));
        }
        Ok(ListedNamespaces { names, are_all: self.all_namespaces, permission })
    }
}

/// The namespaces whose entries are listed.
pub(in crate::commands) struct ListedNamespaces {
    pub(in crate::commands) names: Vec<String>,
    are_all: bool,
    permission: &'static str,
}

impl ListedNamespaces {
    /// The header of the table. Its first column is the namespace, which a list of one namespace does not have.
    pub(in crate::commands) fn header(
        &self,
        header: &'static [(&'static str, Align)],
    ) -> &'static [(&'static str, Align)] {
        if self.are_all { header } else { header.get(1..).unwrap_or_default() }
    }

    /// The cells of a row below [`header`](Self::header).
    pub(in crate::commands) fn cells(&self, mut row: Vec<String>) -> Vec<String> {
        row.drain(..usize::from(!self.are_all));
        row
    }

    /// Names the namespace below a table, if the caller may list others.
    pub(in crate::commands) async fn note(&self, session: &Session) -> Result<()> {
        match &self.names[..] {
            [namespace] if !self.are_all => note_others(session, namespace, self.permission).await,
            _ => Ok(()),
        }
    }
}

/// Names the namespace of a table, if there are others in which the caller has the permission of the list.
pub(in crate::commands) async fn note_others(session: &Session, namespace: &str, permission: &str) -> Result<()> {
    if session.format == Format::Json {
        return Ok(());
    }
    // One more than are named, and the namespace itself.
    let limit = i32::try_from(OTHERS_MAX + 2)?;
    let request = WhoamiNamespacesRequest { permission: permission.to_owned(), limit, ..Default::default() };
    let found = session.call_if_offered(session.client.own_namespaces(&request)).await?.unwrap_or_default();
    if let Some(others) = others(&found.namespaces, namespace) {
        say(format_args!("namespace: {namespace}; others: {others}; list all with --all-namespaces"));
    }
    Ok(())
}

/// The namespaces other than this one, as a text; `None` if there are none.
pub(in crate::commands) fn others(namespaces: &[String], namespace: &str) -> Option<String> {
    let others: Vec<&str> = namespaces.iter().map(String::as_str).filter(|name| *name != namespace).collect();
    let named = others.get(..OTHERS_MAX).unwrap_or(&others).join(", ");
    let more = if others.len() > OTHERS_MAX { ", …" } else { "" };
    (!others.is_empty()).then(|| named + more)
}

/// The namespaces in which the caller has a permission.
async fn own_namespaces(session: &Session, permission: &'static str) -> Result<Vec<String>> {
    let fetch = move |pivot| {
        let request = WhoamiNamespacesRequest { permission: permission.to_owned(), pivot, limit: PAGE };
        async move { Ok(session.client.own_namespaces(&request).await?.namespaces) }.boxed_local()
    };
    let mut pages = PivotPages::new(session, |name: &String| name, fetch);
    let mut names = Vec::new();
    while let Some(page) = pages.next().await? {
        names.extend(page);
    }
    Ok(names)
}
