//! Finding out who calls, and whether they may.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::HeaderMap;
use redrive_core::{NamespaceName, Time};
use redrive_store::{Store, StoreError};
use tokio::sync::watch;

use super::cache::Cache;
use super::caller::Holder;
use super::usage::Usage;
use super::{ANONYMOUS, AuthMode, Caller, Edition, KeyScope, Permission, Permissions, SYSTEM, Secret, bearer};
use crate::fault::{Code, Fault};
use crate::records::{Link, Records};
use crate::tenancy::{ApiKey, Binding, Role, User};

#[derive(Debug)]
pub(crate) struct Auth {
    mode: AuthMode,
    key_scope: KeyScope,
    key_prefix: String,
    store: Arc<dyn Store>,
    cache: Cache,
    usage: Usage,
    anonymous: Arc<str>,
    /// How often this server has changed who may do what.
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

    /// Whether everybody may do everything.
    pub(crate) fn is_open(&self) -> bool {
        self.mode == AuthMode::None
    }

    pub(crate) async fn authenticate(&self, headers: &HeaderMap, now: Time) -> Result<Caller, Fault> {
        let shown = bearer::shown(headers)?;
        // Before anything is looked at: what changes from here on is noticed.
        let changes = *self.changes.borrow();
        let anonymous = |edition| Caller { user: Arc::clone(&self.anonymous), key: None, edition, changes };
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
        Ok(Caller { user: Arc::clone(&holder.user), key: Some(holder), edition, changes })
    }

    /// Whoever waits hears of it.
    pub(crate) fn note_change(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Waits until this server changes who may do what, and looks at the caller again.
    pub(crate) async fn judged_anew(&self, caller: &Caller) -> Result<Caller, Fault> {
        let mut changes = self.changes.subscribe();
        // It is as long-lived as this.
        let Ok(changes) = changes.wait_for(|changes| *changes != caller.changes).await.map(|changes| *changes) else {
            return Err(Fault::closing());
        };
        let edition = Edition::read(&*self.store).await?.number();
        if let Some(holder) = &caller.key {
            let records = Records(&*self.store);
            records.get::<ApiKey>(ApiKey::key(&holder.key_id)).await?.ok_or_else(ApiKey::missing)?;
        }
        Ok(Caller { edition, changes, ..caller.clone() })
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
        if self.is_open() || self.held(caller, namespace).await.map_err(unchecked)?.has(permission) {
            return Ok(());
        }
        Err(Fault::denied())
    }

    /// Whether a caller may do one of these in any namespace. Whoever may not is denied it, whatever their request says.
    pub(crate) async fn is_allowed_somewhere(
        &self,
        caller: &Caller,
        needs: Permission,
        or: &[Permission],
    ) -> Result<bool, Fault> {
        if self.is_open() {
            return Ok(true);
        }
        let held = match caller.scope() {
            Some(scope) if self.key_scope == KeyScope::Strict => self.held(caller, scope).await,
            _ => self.anywhere(caller.edition, &caller.user).await,
        };
        let held = held.map_err(unchecked)?;
        Ok(held.has(needs) || or.iter().any(|permission| held.has(*permission)))
    }

    /// Whether a caller may give others these permissions in a namespace: nobody grants what they do not hold.
    pub(crate) async fn may_grant(
        &self,
        caller: &Caller,
        permissions: Permissions,
        namespace: &str,
    ) -> Result<(), Fault> {
        if self.is_open() {
            return Ok(());
        }
        let held = self.held(caller, namespace).await.map_err(unchecked)?;
        match permissions.beyond(held) {
            None => Ok(()),
            Some(beyond) => {
                let beyond = beyond.name();
                let message =
                    format!("access denied; '{beyond}' in '{namespace}' is granted by those alone who hold it");
                Err(Fault::new(Code::Forbidden, message))
            }
        }
    }

    /// Whether a caller may make a key of a user: one that is good for no more than the caller may do.
    pub(crate) async fn may_act_as(&self, caller: &Caller, user: &str, scope: &str) -> Result<(), Fault> {
        let own = caller.scope();
        if own.is_some_and(|own| own != scope) {
            return Err(Fault::denied());
        }
        let records = Records(&*self.store);
        let bindings = Binding::of_user(records, user).await.map_err(unchecked)?;
        let namespaces: BTreeSet<String> = bindings.into_iter().map(|binding| binding.namespace).collect();
        for namespace in
            namespaces.iter().filter(|namespace| scope.is_empty() || [scope, SYSTEM].contains(&namespace.as_str()))
        {
            let theirs = self.grants(caller.edition, &Arc::from(user), namespace).await.map_err(unchecked)?;
            // What a user may do everywhere, a key of one namespace may do there.
            let place = if scope.is_empty() { namespace.as_str() } else { scope };
            self.may_grant(caller, theirs, place).await?;
        }
        Ok(())
    }

    /// What a caller may do in a namespace: by the roles that are bound there, and by those that are good everywhere.
    async fn held(&self, caller: &Caller, namespace: &str) -> Result<Permissions, StoreError> {
        let is_elsewhere = caller.scope().is_some_and(|scope| scope != namespace);
        if is_elsewhere && (self.key_scope == KeyScope::Strict || namespace != SYSTEM) {
            return Ok(Permissions::default());
        }
        let here = self.grants(caller.edition, &caller.user, namespace).await?;
        Ok(here.and(self.grants(caller.edition, &caller.user, SYSTEM).await?))
    }

    /// What a user may do in one namespace or another.
    async fn anywhere(&self, edition: u64, user: &Arc<str>) -> Result<Permissions, StoreError> {
        // No namespace has this name.
        const ANYWHERE: &str = "";
        if let Some(grants) = self.cache.grants(edition, user, ANYWHERE) {
            return Ok(grants);
        }
        let bindings = Binding::of_user(Records(&*self.store), user).await?;
        let namespaces: BTreeSet<String> = bindings.into_iter().map(|binding| binding.namespace).collect();
        let mut grants = Permissions::default();
        for namespace in &namespaces {
            grants = grants.and(self.grants(edition, user, namespace).await?);
        }
        self.cache.keep_grants(edition, user, ANYWHERE, grants);
        Ok(grants)
    }

    /// What a user may do by the roles that are bound in a namespace.
    async fn grants(&self, edition: u64, user: &Arc<str>, namespace: &str) -> Result<Permissions, StoreError> {
        if let Some(grants) = self.cache.grants(edition, user, namespace) {
            return Ok(grants);
        }
        let records = Records(&*self.store);
        let mut grants = Permissions::default();
        for bound in records.all::<Binding>(Binding::prefix_of(user, namespace)).await? {
            if let Some(role) = records.get::<Role>(Role::key(namespace, &bound.record.role_id)).await? {
                grants = grants.and(role.record.grants());
            }
        }
        self.cache.keep_grants(edition, user, namespace, grants);
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
