//! `redrive namespace list`.

use anyhow::Result;
use redrive_client::proto::querator::NamespaceInfo;

use super::namespace_line::{HEADER, NamespaceLine, page, row};
use crate::commands::identity::PivotPages;
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive namespace list --output json")]
pub(crate) struct Arguments {}

pub(super) async fn run(_arguments: &Arguments, session: &Session) -> Result<()> {
    let mut pages =
        PivotPages::new(|namespace: &NamespaceInfo| &namespace.name, async |pivot| page(session, pivot).await);
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|namespace| lines.push(|| row(namespace), &NamespaceLine::from(namespace)))?;
    }
    lines.finish()
}
