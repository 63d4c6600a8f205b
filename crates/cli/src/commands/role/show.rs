//! `redrive role show`.

use anyhow::Result;

use super::role_line::{RoleLine, fields, find};
use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive role show operator --namespace shop")]
pub(crate) struct Arguments {
    /// Role name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let role = find(session, &arguments.namespace.name(session), &arguments.name).await?;
    session.show(fields(&role), &RoleLine::from(&role))
}
