//! The names of users, for callers that read ids of users in letters, records and bindings.

use std::collections::HashMap;

use redrive_core::Ksuid;

use super::User;
use crate::api_error::ApiError;
use crate::auth::{Permission, Permissions, SYSTEM};
use crate::request_context::RequestContext;
use crate::tenancy::Binding;

/// Maximum number of users that are looked up for one answer; further ones have no name there.
const LOOKUPS_MAX: usize = 1_000;

/// The names of users that a caller may know: its own, those of users with a role in a namespace in which the caller has
/// a permission, and all if it may list users. An id proves nothing, because imported letters contain any.
///
/// Names are read when they are shown. What is stored has ids, so that a user's name goes when the user is deleted, and
/// who may know it is decided for each reader.
pub(crate) struct KnownUsers<'c> {
    ctx: &'c RequestContext,
    /// By namespace and id.
    names: HashMap<(String, String), String>,
}

impl<'c> KnownUsers<'c> {
    pub(crate) fn new(ctx: &'c RequestContext) -> Self {
        Self { ctx, names: HashMap::new() }
    }

    /// The name of a user who is named in a namespace; empty if the caller may not know it, or there is no such user.
    pub(crate) async fn name(&mut self, id: &str, namespace: &str) -> Result<String, ApiError> {
        // Other texts are no ids of users, except `anonymous`, which is also the name.
        if id.parse::<Ksuid>().is_err() {
            return Ok(String::new());
        }
        let key = (namespace.to_owned(), id.to_owned());
        if let Some(name) = self.names.get(&key) {
            return Ok(name.clone());
        }
        if self.names.len() >= LOOKUPS_MAX {
            return Ok(String::new());
        }
        let user = if self.knows(id, namespace).await? { User::find(self.ctx.records(), id).await? } else { None };
        let name = user.map(|user| user.username).unwrap_or_default();
        self.names.insert(key, name.clone());
        Ok(name)
    }

    async fn knows(&self, id: &str, namespace: &str) -> Result<bool, ApiError> {
        let ctx = self.ctx;
        if *ctx.caller.user == *id || ctx.permissions_in(SYSTEM).await?.has(Permission::UserList) {
            return Ok(true);
        }
        let has_access = ctx.permissions_in(namespace).await?.intersects(Permissions::GUARDS);
        Ok(has_access && ctx.records().any(Binding::prefix_of(id, namespace)).await?)
    }
}
