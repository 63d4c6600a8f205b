//! The names of users and roles, for lists that have their ids.

use std::collections::HashMap;

use anyhow::Result;

use super::{PivotPages, users};
use crate::session::Session;

/// Names by id. It is empty if the caller may not list them: ids are shown then.
#[derive(Debug, Default)]
pub(in crate::commands) struct Names(HashMap<String, String>);

impl Names {
    /// The names of all users.
    pub(in crate::commands) async fn of_users(session: &Session) -> Result<Self> {
        Self::of(users(session), |user| (user.id, user.username)).await
    }

    /// The names of all entries of a list, with their ids.
    pub(in crate::commands) async fn of<T>(
        mut pages: PivotPages<'_, T>,
        entry: fn(T) -> (String, String),
    ) -> Result<Self> {
        let mut names = HashMap::new();
        while let Some(page) = pages.next_if_allowed().await? {
            names.extend(page.into_iter().map(entry));
        }
        Ok(Self(names))
    }

    pub(in crate::commands) fn extend(&mut self, names: impl IntoIterator<Item = (String, String)>) {
        self.0.extend(names);
    }

    pub(in crate::commands) fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The name, or the id if there is none.
    pub(in crate::commands) fn shown<'n>(&'n self, id: &'n str) -> &'n str {
        self.get(id).unwrap_or(id)
    }
}
