//! `redrive user show`.

use anyhow::Result;

use super::user_line::{UserLine, fields};
use crate::commands::identity::find_user;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive user show ann")]
pub(crate) struct Arguments {
    /// Name or id of the user.
    user: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let user = find_user(session, &arguments.user).await?;
    session.show(fields(&user), &UserLine::from(&user))
}
