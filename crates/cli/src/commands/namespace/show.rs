//! `redrive namespace show`.

use anyhow::Result;

use super::namespace_line::{NamespaceLine, fields, find};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive namespace show shop")]
pub(crate) struct Arguments {
    /// Namespace name.
    name: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let namespace = find(session, &arguments.name).await?;
    session.show(fields(&namespace), &NamespaceLine::from(&namespace))
}
