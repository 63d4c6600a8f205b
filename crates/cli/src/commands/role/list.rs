//! `redrive role list`.

use anyhow::Result;
use redrive_client::proto::querator::RoleInfo;

use super::role_line::{HEADER, RoleLine, page, row};
use crate::commands::identity::{NamespaceOption, PivotPages};
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive role list --namespace shop")]
pub(crate) struct Arguments {
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let namespace = arguments.namespace.name(session);
    let mut pages = PivotPages::new(|role: &RoleInfo| &role.id, async |pivot| page(session, &namespace, pivot).await);
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|role| lines.push(|| row(role), &RoleLine::from(role)))?;
    }
    lines.finish()
}
