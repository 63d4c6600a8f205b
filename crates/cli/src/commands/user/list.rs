//! `redrive user list`.

use anyhow::Result;
use redrive_client::proto::querator::{UserInfo, UsersListRequest};

use super::user_line::{HEADER, UserLine, row};
use crate::commands::identity::{PAGE, PivotPages};
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive user list --output json")]
pub(crate) struct Arguments {}

pub(super) async fn run(_arguments: &Arguments, session: &Session) -> Result<()> {
    let mut pages = PivotPages::new(
        |user: &UserInfo| &user.id,
        async |pivot| {
            let request = UsersListRequest { limit: PAGE, pivot };
            Ok(session.call(session.client.list_users(&request)).await?.items)
        },
    );
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|user| lines.push(|| row(user), &UserLine::from(user)))?;
    }
    lines.finish()
}
