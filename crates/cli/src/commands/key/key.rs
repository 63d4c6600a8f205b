//! The subcommands of `redrive key`.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::querator::{ApiKeyInfo, ApiKeysDeleteRequest, ApiKeysListRequest};
use redrive_client::proto::redrive::v1::WhoamiGetRequest;
use serde_json::json;

use super::create;
use super::key_line::{HEADER, KeyLine, fields, row};
use crate::cli_error::CliError;
use crate::commands::identity::{Audited, Names, PAGE, PivotPages, user_id};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create an API key of a user, and print it once.
    Create(create::Arguments),
    /// List API keys in the order of their creation. The keys themselves cannot be shown again.
    #[command(after_help = "Example:
  redrive key list --user ann")]
    List {
        /// Only keys of this user, by name or id.
        #[arg(long, value_name = "USER")]
        user: Option<String>,
    },
    /// Show an API key, without the key itself.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive key show 3M928yx0UrfVbDwCKPpjAHbKnmG")]
    Show {
        /// Id of the key, or its prefix as in a list.
        key: String,
    },
    /// Delete an API key. Requests with it are rejected from then on.
    #[command(visible_alias = "revoke")]
    #[command(after_help = "Example:
  redrive key delete 3M928yx0UrfVbDwCKPpjAHbKnmG --yes --reason 'laptop lost'")]
    Delete {
        /// Id of the key.
        id: String,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create(arguments) => create::run(arguments, session).await,
        Action::List { user } => list(user.as_deref(), session).await,
        Action::Show { key } => show(key, session).await,
        Action::Delete { id, yes } => delete(id, *yes, session).await,
    }
}

async fn list(user: Option<&str>, session: &Session) -> Result<()> {
    let user_id = match user {
        Some(user) => user_id(session, user).await?,
        None => String::new(),
    };
    let users = Names::of_users(session).await?;
    let pages = keys(session, user_id);
    pages.print(HEADER, |lines, key| lines.push(|| row(key, &users), &KeyLine::new(key, &users))).await
}

async fn show(key: &str, session: &Session) -> Result<()> {
    let found = keys(session, String::new()).find(|found| found.id == key || found.prefix == key).await?;
    let found = found.ok_or_else(|| no_such(key))?;
    let users = Names::of_users(session).await?;
    session.show(fields(&found, &users), &KeyLine::new(&found, &users))
}

/// The keys of a user, or all of them if the id is empty.
fn keys(session: &Session, user_id: String) -> PivotPages<'_, ApiKeyInfo> {
    let fetch = move |pivot| {
        let request = ApiKeysListRequest { user_id: user_id.clone(), limit: PAGE, pivot };
        async move { Ok(session.client.list_api_keys(&request).await?.items) }.boxed_local()
    };
    PivotPages::new(session, |key| &key.id, fetch)
}

async fn delete(id: &str, is_confirmed: bool, session: &Session) -> Result<()> {
    if !session.is_confirmed(format!("delete the API key {id}"), is_confirmed).await? {
        return Ok(());
    }
    let deleted = session.client.delete_api_key(&ApiKeysDeleteRequest { id: id.to_owned() }).await;
    // The server answers an unknown key of the request and an unknown key of the caller with the same error.
    if deleted.as_ref().is_err_and(|error| error.exact_reason() == Some("no_such_api_key"))
        && session.client.whoami(&WhoamiGetRequest::default()).await.is_ok()
    {
        return Err(no_such(id).into());
    }
    session.call(async { deleted }).await?;
    session.report(&format!("deleted key {id}"), &json!({ "id": id, "outcome": "deleted" }))
}

fn no_such(key: &str) -> CliError {
    CliError::new(Exit::NotFound, format!("no such key: '{key}'")).remedy("list all with: redrive key list")
}
