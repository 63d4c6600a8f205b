//! Finding out who calls, and whether they may.

use std::sync::Arc;

use http::HeaderMap;
use redrive_core::{NamespaceName, Time};
use redrive_store::{Store, StoreError};

use super::cache::Cache;
use super::caller::Holder;
use super::usage::Usage;
use super::{ANONYMOUS, AuthMode, Caller, Edition, Permission, Permissions, SYSTEM, Secret, bearer};
use crate::fault::{Code, Fault};
use crate::records::{Link, Records};
use crate::tenancy::{ApiKey, Binding, Role, User};

#[derive(Debug)]
pub(crate) struct Auth {
    mode: AuthMode,
    key_prefix: String,
    store: Arc<dyn Store>,
    cache: Cache,
    usage: Usage,
    anonymous: Arc<str>,
}

impl Auth {
    pub(crate) fn new(mode: AuthMode, key_prefix: &str, store: Arc<dyn Store>) -> Self {
        Self {
            mode,
            key_prefix: key_prefix.to_owned(),
            store,
            cache: Cache::default(),
            usage: Usage::default(),
            anonymous: Arc::from(ANONYMOUS),
        }
    }

    /// Whether everybody may do everything.
    pub(crate) fn is_open(&self) -> bool {
        self.mode == AuthMode::None
    }

    pub(crate) async fn authenticate(&self, headers: &HeaderMap, now: Time) -> Result<Caller, Fault> {
        let shown = bearer::shown(headers)?;
        let anonymous = |edition| Caller { user: Arc::clone(&self.anonymous), key: None, edition };
        if self.is_open() {
            return Ok(anonymous(0));
        }
        let edition = Edition::read(&*self.store).await?.number();
        let Some(shown) = shown else { return Ok(anonymous(edition)) };
        let secret = Secret::parse(shown, &self.key_prefix).ok_or_else(bearer::invalid)?;
        let holder = self.holder(&secret, edition).await?;
        if holder.expires_at.is_some_and(|at| now >= at) {
            return Err(bearer::expired());
        }
        self.usage.note(&holder.key_id, now, &self.store);
        Ok(Caller { user: Arc::clone(&holder.user), key: Some(holder), edition })
    }

    /// Whoever a key was made for.
    async fn holder(&self, secret: &Secret, edition: u64) -> Result<Arc<Holder>, Fault> {
        let hash = secret.hash();
        if let Some(holder) = self.cache.holder(edition, &hash) {
            return Ok(holder);
        }
        let records = Records(&*self.store);
        let link = records.get::<Link>(ApiKey::hash_key(&hash)).await?.ok_or_else(ApiKey::missing)?;
        let key = records.get::<ApiKey>(ApiKey::key(&link.record.id)).await?.ok_or_else(ApiKey::missing)?.record;
        records.get::<User>(User::key(&key.user_id)).await?.ok_or_else(bearer::invalid)?;
        let holder = Arc::new(Holder {
            key_id: key.id,
            user: Arc::from(key.user_id),
            scope: key.namespace_scope,
            expires_at: key.expires_at.map(|at| at.0),
        });
        self.cache.keep_holder(edition, hash, &holder);
        Ok(holder)
    }

    pub(crate) async fn allow(
        &self,
        caller: &Caller,
        permission: Permission,
        namespace: Option<&NamespaceName>,
    ) -> Result<(), Fault> {
        self.allow_in(caller, permission, namespace.map_or(SYSTEM, NamespaceName::as_str)).await
    }

    /// The same for a namespace that nobody can have: only who may do it everywhere may do it there.
    pub(crate) async fn allow_in(&self, caller: &Caller, permission: Permission, namespace: &str) -> Result<(), Fault> {
        if self.is_open() {
            return Ok(());
        }
        let scope = caller.key.as_ref().map(|key| key.scope.as_str()).filter(|scope| !scope.is_empty());
        if namespace != SYSTEM && scope.is_some_and(|scope| scope != namespace) {
            return Err(Fault::denied());
        }
        for namespace in [namespace, SYSTEM] {
            let grants = self.grants(caller, namespace).await.map_err(unchecked)?;
            if grants.has(permission) {
                return Ok(());
            }
        }
        Err(Fault::denied())
    }

    /// What a user may do by the roles that are bound in a namespace.
    async fn grants(&self, caller: &Caller, namespace: &str) -> Result<Permissions, StoreError> {
        if let Some(grants) = self.cache.grants(caller.edition, &caller.user, namespace) {
            return Ok(grants);
        }
        let records = Records(&*self.store);
        let mut grants = Permissions::default();
        for bound in records.all::<Binding>(Binding::prefix_of(&caller.user, namespace)).await? {
            if let Some(role) = records.get::<Role>(Role::key(namespace, &bound.record.role_id)).await? {
                grants = grants.and(Permissions::named(role.record.permissions.iter().map(String::as_str)));
            }
        }
        self.cache.keep_grants(caller.edition, &caller.user, namespace, grants);
        Ok(grants)
    }
}

/// Nobody knows whether it is allowed, so it is not done.
fn unchecked(error: StoreError) -> Fault {
    match error {
        StoreError::Closed => error.into(),
        error => {
            tracing::error!(%error, "whether a call is allowed could not be found out");
            Fault::new(Code::RequestFailed, "authorization check failed")
        }
    }
}
