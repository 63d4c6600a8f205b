//! `redrive key list`.

use anyhow::Result;
use redrive_client::proto::querator::{ApiKeyInfo, ApiKeysListRequest};

use super::key_line::{HEADER, KeyLine, row};
use crate::commands::identity::{Names, PAGE, PivotPages, user_id};
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive key list --user ann")]
pub(crate) struct Arguments {
    /// Only keys of this user, by name or id.
    #[arg(long, value_name = "USER")]
    user: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let user = match &arguments.user {
        Some(user) => user_id(session, user).await?,
        None => String::new(),
    };
    let users = Names::of_users(session).await?;
    let mut pages = PivotPages::new(
        |key: &ApiKeyInfo| &key.id,
        async |pivot| {
            let request = ApiKeysListRequest { user_id: user.clone(), limit: PAGE, pivot };
            Ok(session.call(session.client.list_api_keys(&request)).await?.items)
        },
    );
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|key| lines.push(|| row(key, &users), &KeyLine::new(key, &users)))?;
    }
    lines.finish()
}
