//! Users by their id or their name.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::querator::{UserInfo, UsersListRequest};

use super::{PAGE, PivotPages};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

/// The length of an id, which consists of letters and digits.
const ID_CHARS: usize = 27;

/// All users, in the order of their creation.
pub(in crate::commands) fn users(session: &Session) -> PivotPages<'_, UserInfo> {
    let fetch = move |pivot| {
        let request = UsersListRequest { limit: PAGE, pivot };
        async move { Ok(session.client.list_users(&request).await?.items) }.boxed_local()
    };
    PivotPages::new(session, |user| &user.id, fetch)
}

/// The user with this id or name.
pub(in crate::commands) async fn find_user(session: &Session, text: &str) -> Result<UserInfo> {
    let found = users(session).find(|user| user.id == text || user.username == text).await?;
    found.ok_or_else(|| {
        let error = CliError::new(Exit::NotFound, format!("no such user: '{text}'"));
        error.remedy("list all with: redrive user list").into()
    })
}

/// The id of a user. An id is not looked up, so that it can be used without the permission to list users.
pub(in crate::commands) async fn user_id(session: &Session, text: &str) -> Result<String> {
    let is_id = text.len() == ID_CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_id { Ok(text.to_owned()) } else { Ok(find_user(session, text).await?.id) }
}
