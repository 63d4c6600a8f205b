//! The names of users and roles, for lists that have their ids.

use std::collections::HashMap;

use anyhow::Result;
use redrive_client::proto::querator::{RoleInfo, RolesListRequest, UserInfo, UsersListRequest};

use super::{PAGE, PivotPages};
use crate::session::Session;

/// Names by id. It is empty if the caller may not list them: ids are shown then.
#[derive(Debug, Default)]
pub(in crate::commands) struct Names(HashMap<String, String>);

impl Names {
    /// The names of all users.
    pub(in crate::commands) async fn of_users(session: &Session) -> Result<Self> {
        let pages = PivotPages::new(
            |user: &UserInfo| &user.id,
            async |pivot| {
                let request = UsersListRequest { limit: PAGE, pivot };
                let page = session.call_if_allowed(session.client.list_users(&request)).await?;
                Ok(page.unwrap_or_default().items)
            },
        );
        Self::collect(pages, |user| (user.id, user.username)).await
    }

    /// The names of all roles of a namespace.
    pub(in crate::commands) async fn of_roles(session: &Session, namespace: &str) -> Result<Self> {
        let pages = PivotPages::new(
            |role: &RoleInfo| &role.id,
            async |pivot| {
                let request = RolesListRequest { namespace: namespace.to_owned(), limit: PAGE, pivot };
                let page = session.call_if_allowed(session.client.list_roles(&request)).await?;
                Ok(page.unwrap_or_default().items)
            },
        );
        Self::collect(pages, |role| (role.id, role.name)).await
    }

    pub(in crate::commands) fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The name, or the id if there is none.
    pub(in crate::commands) fn shown<'n>(&'n self, id: &'n str) -> &'n str {
        self.get(id).unwrap_or(id)
    }

    async fn collect<T, F: AsyncFn(String) -> Result<Vec<T>>>(
        mut pages: PivotPages<T, F>,
        entry: fn(T) -> (String, String),
    ) -> Result<Self> {
        let mut names = HashMap::new();
        while let Some(page) = pages.next().await? {
            names.extend(page.into_iter().map(entry));
        }
        Ok(Self(names))
    }
}
