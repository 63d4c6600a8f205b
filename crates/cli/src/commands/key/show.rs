//! `redrive key show`.

use anyhow::Result;
use redrive_client::proto::querator::{ApiKeyInfo, ApiKeysListRequest};

use super::key_line::{KeyLine, fields};
use crate::cli_error::CliError;
use crate::commands::identity::{Names, PAGE, PivotPages};
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive key show 3M928yx0UrfVbDwCKPpjAHbKnmG")]
pub(crate) struct Arguments {
    /// Id of the key, or its prefix as in a list.
    key: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let key = &arguments.key;
    let pages = PivotPages::new(
        |key: &ApiKeyInfo| &key.id,
        async |pivot| {
            let request = ApiKeysListRequest { limit: PAGE, pivot, ..ApiKeysListRequest::default() };
            Ok(session.call(session.client.list_api_keys(&request)).await?.items)
        },
    );
    let found = pages.find(|found| found.id == *key || found.prefix == *key).await?;
    let found = found.ok_or_else(|| no_such(key))?;
    let users = Names::of_users(session).await?;
    session.show(fields(&found, &users), &KeyLine::new(&found, &users))
}

pub(super) fn no_such(key: &str) -> CliError {
    CliError::new(Exit::NotFound, format!("no such key: '{key}'")).remedy("list all with: redrive key list")
}
