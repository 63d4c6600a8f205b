//! Authenticates callers and checks their permissions.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::HeaderMap;
use redrive_core::Time;
use redrive_store::{Store, StoreError};
use tokio::sync::watch;

use super::cache::Cache;
use super::caller::KeyIdentity;
use super::usage::Usage;
use super::{ANONYMOUS, AuthMode, Caller, Edition, KeyScope, Permission, Permissions, Reach, SYSTEM, Secret, bearer};
use crate::api_error::{ApiError, Code};
use crate::records::{Link, Records};
use crate::tenancy::{ApiKey, Binding, User};

#[derive(Debug)]
pub(crate) struct Auth {
    mode: AuthMode,
    key_scope: KeyScope,
    key_prefix: String,
    store: Arc<dyn Store>,
    cache: Cache,
    usage: Usage,
    anonymous: Arc<str>,
    /// The number of changes that this server made to users, keys, roles or bindings.
    changes: watch::Sender<u64>,
}

impl Auth {
    pub(crate) fn new(mode: AuthMode, key_scope: KeyScope, key_prefix: &str, store: Arc<dyn Store>) -> Self {
        Self {
            mode,
            key_scope,
            key_prefix: key_prefix.to_owned(),
            store,
            cache: Cache::default(),
            usage: Usage::default(),
            anonymous: Arc::from(ANONYMOUS),
            changes: watch::Sender::new(0),
        }
    }

    /// Whether authentication is off: every caller has all permissions.
    pub(crate) fn is_open(&self) -> bool {
        self.mode == AuthMode::None
    }

    pub(crate) async fn authenticate(&self, headers: &HeaderMap, now: Time) -> Result<Caller, ApiError> {
        let token = bearer::token(headers)?;
        // Read before anything is looked up, so that a later change is noticed.
        let changes = *self.changes.borrow();
        let anonymous = |edition| Caller { user: Arc::clone(&self.anonymous), key: None, edition, changes };
        if self.is_open() {
            return Ok(anonymous(0));
        }
        let edition = Edition::read(&*self.store).await?.number();
        let Some(token) = token else { return Ok(anonymous(edition)) };
        let secret = Secret::parse(token, &self.key_prefix).ok_or_else(bearer::invalid)?;
        let identity = self.identity(&secret, edition).await?;
        if let Some(at) = identity.expires_at.filter(|at| now >= *at) {
            return Err(identity.expired(at));
        }
        self.usage.note(&identity.key_id, now, &self.store);
        Ok(Caller { user: Arc::clone(&identity.user), key: Some(identity), edition, changes })
    }

    /// The caller in whose name the server goes on with what a user has started. The user and the API key must still exist;
    /// a key may have expired.
    pub(crate) async fn acting_for(&self, user: &str, key: Option<&str>) -> Result<Caller, ApiError> {
        let changes = *self.changes.borrow();
        if self.is_open() {
            return Ok(Caller { user: Arc::from(user), key: None, edition: 0, changes });
        }
        let edition = Edition::read(&*self.store).await?.number();
        let records = Records(&*self.store);
        let gone = || ApiError::new(Code::Unauthorized, "the user for whom it acts does not exist any more");
        let record = records.get::<User>(User::key(user)).await?.ok_or_else(gone)?;
        let identity = match key {
            Some(key) => {
                let key = records.get::<ApiKey>(ApiKey::key(key)).await?.ok_or_else(ApiKey::missing)?;
                // All who may read the letters see the errors of the work on them, which do not name the key.
                let identity = identity_of(key, record.username);
                Some(Arc::new(KeyIdentity { key_name: String::new(), prefix: String::new(), ..identity }))
            }
            None => None,
        };
        Ok(Caller { user: Arc::from(user), key: identity, edition, changes })
    }

    /// Wakes the requests that wait in [`reauthorize_on_change`](Self::reauthorize_on_change).
    pub(crate) fn note_change(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Waits until this server changes users, keys, roles or bindings, then checks that the caller's key still exists
    /// and returns the caller as of the new edition.
    pub(crate) async fn reauthorize_on_change(&self, caller: &Caller) -> Result<Caller, ApiError> {
        let mut changes = self.changes.subscribe();
        // The sender lives as long as `self`.
        let Ok(changes) = changes.wait_for(|changes| *changes != caller.changes).await.map(|changes| *changes) else {
            return Err(ApiError::closing());
        };
        let edition = Edition::read(&*self.store).await?.number();
        if let Some(identity) = &caller.key {
            let records = Records(&*self.store);
            records.get::<ApiKey>(ApiKey::key(&identity.key_id)).await?.ok_or_else(ApiKey::missing)?;
        }
        Ok(Caller { edition, changes, ..caller.clone() })
    }

    /// The user and the scope that an API key stands for.
    async fn identity(&self, secret: &Secret, edition: u64) -> Result<Arc<KeyIdentity>, ApiError> {
        let hash = secret.hash();
        if let Some(identity) = self.cache.identity(edition, &hash) {
            return Ok(identity);
        }
        let records = Records(&*self.store);
        let link = records.get::<Link>(ApiKey::hash_key(&hash)).await?.ok_or_else(ApiKey::missing)?;
        let key = records.get::<ApiKey>(ApiKey::key(&link.id)).await?.ok_or_else(ApiKey::missing)?;
        let user = records.get::<User>(User::key(&key.user_id)).await?.ok_or_else(bearer::invalid)?;
        let identity = Arc::new(identity_of(key, user.username));
        self.cache.insert_identity(edition, hash, &identity);
        Ok(identity)
    }

    /// Checks that a caller has a permission in a namespace. If the text is not a valid name, only a caller with the
    /// permission in all namespaces has it there.
    pub(crate) async fn allow_in(
        &self,
        caller: &Caller,
        permission: Permission,
        namespace: &str,
    ) -> Result<(), ApiError> {
        if self.permissions(caller, namespace).await?.has(permission) {
            return Ok(());
        }
        Err(caller.denied(permission))
    }

    /// The permissions of a caller in a namespace.
    pub(crate) async fn permissions(&self, caller: &Caller, namespace: &str) -> Result<Permissions, ApiError> {
        if self.is_open() {
            return Ok(Permissions::ALL);
        }
        self.permissions_in(caller, namespace).await.map_err(check_failed)
    }

    /// Whether a caller has one of these permissions in any namespace. Without it, every request of the call is denied.
    pub(crate) async fn is_allowed_somewhere(
        &self,
        caller: &Caller,
        needs: Permission,
        or: &[Permission],
    ) -> Result<bool, ApiError> {
        if self.is_open() {
            return Ok(true);
        }
        let held = match caller.scope() {
            Some(scope) if self.key_scope == KeyScope::Strict => self.permissions_in(caller, scope).await,
            _ => self.permissions_anywhere(caller.edition, &caller.user).await,
        };
        let held = held.map_err(check_failed)?;
        Ok(held.has(needs) || or.iter().any(|permission| held.has(*permission)))
    }

    /// The namespaces in which a caller has one of these permissions.
    pub(crate) async fn reach(&self, caller: &Caller, permissions: Permissions) -> Result<Reach, ApiError> {
        if self.is_open() {
            return Ok(Reach::All);
        }
        self.reach_of(caller, permissions).await.map_err(check_failed)
    }

    async fn reach_of(&self, caller: &Caller, permissions: Permissions) -> Result<Reach, StoreError> {
        let candidates = match caller.scope() {
            Some(scope) => [scope, SYSTEM].map(str::to_owned).into(),
            None if self.permissions_in(caller, SYSTEM).await?.intersects(permissions) => return Ok(Reach::All),
            None => self.namespaces_of(&caller.user).await?,
        };
        let mut reached = BTreeSet::new();
        for namespace in candidates {
            if self.permissions_in(caller, &namespace).await?.intersects(permissions) {
                reached.insert(namespace);
            }
        }
        Ok(Reach::Only(reached))
    }

    /// Checks that a caller may grant these permissions in a namespace: a caller can grant only permissions that it
    /// holds.
    pub(crate) async fn may_grant(
        &self,
        caller: &Caller,
        permissions: Permissions,
        namespace: &str,
    ) -> Result<(), ApiError> {
        if self.is_open() {
            return Ok(());
        }
        let held = self.permissions_in(caller, namespace).await.map_err(check_failed)?;
        match permissions.first_not_in(held) {
            None => Ok(()),
            Some(missing) => Err(caller.cannot_grant(missing, namespace)),
        }
    }

    /// Checks that a caller may create an API key for a user: the key must not grant more than the caller's
    /// permissions.
    pub(crate) async fn may_act_as(&self, caller: &Caller, user: &str, scope: &str) -> Result<(), ApiError> {
        if let Some(own) = caller.scope().filter(|own| *own != scope) {
            return Err(caller.cannot_widen(own));
        }
        let namespaces = self.namespaces_of(user).await.map_err(check_failed)?;
        for namespace in
            namespaces.iter().filter(|namespace| scope.is_empty() || [scope, SYSTEM].contains(&namespace.as_str()))
        {
            let granted = self.grants(caller.edition, &Arc::from(user), namespace).await.map_err(check_failed)?;
            // Permissions in `_system` hold in all namespaces; a scoped key has them in its namespace.
            let effective = if scope.is_empty() { namespace.as_str() } else { scope };
            if let Some(missing) = granted.first_not_in(self.permissions(caller, effective).await?) {
                return Err(caller.cannot_act_as(missing));
            }
        }
        Ok(())
    }

    /// The permissions of a caller in a namespace: of the roles that are bound there, and of those bound in `_system`,
    /// which hold everywhere.
    async fn permissions_in(&self, caller: &Caller, namespace: &str) -> Result<Permissions, StoreError> {
        let is_elsewhere = caller.scope().is_some_and(|scope| scope != namespace);
        if is_elsewhere && (self.key_scope == KeyScope::Strict || namespace != SYSTEM) {
            return Ok(Permissions::default());
        }
        let here = self.grants(caller.edition, &caller.user, namespace).await?;
        Ok(here.union(self.grants(caller.edition, &caller.user, SYSTEM).await?))
    }

    /// The permissions that a user has in at least one namespace.
    async fn permissions_anywhere(&self, edition: u64, user: &Arc<str>) -> Result<Permissions, StoreError> {
        // A cache key that no namespace has.
        const ANYWHERE: &str = "";
        if let Some(grants) = self.cache.grants(edition, user, ANYWHERE) {
            return Ok(grants);
        }
        let namespaces = self.namespaces_of(user).await?;
        let mut grants = Permissions::default();
        for namespace in &namespaces {
            grants = grants.union(self.grants(edition, user, namespace).await?);
        }
        self.cache.insert_grants(edition, user, ANYWHERE, grants);
        Ok(grants)
    }

    /// The namespaces in which a user has roles.
    async fn namespaces_of(&self, user: &str) -> Result<BTreeSet<String>, StoreError> {
        let bindings = Binding::of_user(Records(&*self.store), user).await?;
        Ok(bindings.into_iter().map(|binding| binding.namespace).collect())
    }

    /// The permissions of the roles that are bound to a user in a namespace.
    async fn grants(&self, edition: u64, user: &Arc<str>, namespace: &str) -> Result<Permissions, StoreError> {
        if let Some(grants) = self.cache.grants(edition, user, namespace) {
            return Ok(grants);
        }
        let records = Records(&*self.store);
        let mut grants = Permissions::default();
        for bound in records.all::<Binding>(Binding::prefix_of(user, namespace)).await? {
            if let Some(role) = bound.role(records).await? {
                grants = grants.union(role.grants());
            }
        }
        self.cache.insert_grants(edition, user, namespace, grants);
        Ok(grants)
    }
}

fn identity_of(key: ApiKey, user_name: String) -> KeyIdentity {
    KeyIdentity {
        key_id: key.id,
        key_name: key.name,
        prefix: key.prefix,
        user: Arc::from(key.user_id),
        user_name,
        scope: key.namespace_scope,
        expires_at: key.expires_at.map(|at| at.0),
    }
}

/// The permissions of a caller could not be read, so the request is rejected.
fn check_failed(error: StoreError) -> ApiError {
    match error {
        StoreError::Closed => error.into(),
        error => {
            tracing::error!(%error, "authorization check failed");
            ApiError::new(Code::RequestFailed, "authorization check failed").because("authorization_failed")
        }
    }
}
