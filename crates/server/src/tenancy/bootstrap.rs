//! Creates the records that must exist before the first call.

use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::roles::Standard;
use super::{AdminKey, Binding, Namespace, Role, User};
use crate::app::App;
use crate::audit::{ATTEMPTS_MAX, AuditRecord, Change};
use crate::auth::{ANONYMOUS, Bootstrap, Edition, SYSTEM};
use crate::records::{Record, RecordTime, Records, key, put};

/// Marks that the first administrator was set up. A later start does not do it again, so that a binding which an
/// operator deleted does not come back.
#[derive(Debug, Serialize, Deserialize)]
struct Bootstrapped {
    at: RecordTime,
}

impl Record for Bootstrapped {}

/// The records that must exist and do not.
#[derive(Default)]
struct Missing {
    writes: Vec<KeyWrite>,
    is_key_new: bool,
}

impl App {
    /// Creates missing records and updates the standard roles; it can be repeated at any time. Returns whether it
    /// created a key for the administrator that must be shown.
    pub(crate) async fn bootstrap(&self, admin_key: Option<&AdminKey>) -> Result<bool, StoreError> {
        let store = &*self.store;
        let now = self.deadlines.now();
        let mut chain = self.audit.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let edition = Edition::read(store).await?;
            let Missing { writes, is_key_new } = self.missing(admin_key, now).await?;
            if writes.is_empty() {
                self.warn_if_open().await?;
                return Ok(false);
            }
            let change = Change::of_keys(writes).with_writes([edition.next()]);
            match chain.append(store, AuditRecord::of_server("server.bootstrap", now), change.erased()).await {
                Ok(Some(_)) => {
                    self.warn_if_open().await?;
                    return Ok(is_key_new);
                }
                Ok(None) => {}
                // Safe to defer: missing records only mean fewer permissions.
                Err(StoreError::Full) => {
                    tracing::warn!("disk full; missing roles and keys are created at the next start");
                    self.warn_if_open().await?;
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
        // Too many conflicts with changes of other servers.
        Err(StoreError::Overloaded)
    }

    async fn missing(&self, admin_key: Option<&AdminKey>, now: Time) -> Result<Missing, StoreError> {
        let records = Records(&*self.store);
        let mut missing = Missing::default();
        let writes = &mut missing.writes;
        if Namespace::find(records, SYSTEM).await?.is_none() {
            writes.push(put(Namespace::key(SYSTEM), &Namespace::system(now)));
        }
        if self.auth.is_open() {
            return Ok(missing);
        }
        if User::find(records, ANONYMOUS).await?.is_none() {
            writes.extend(User::anonymous(now).puts());
        }
        let mut admin = None;
        for standard in Standard::ALL {
            let (role, is_current) = self.standard_role(standard, now).await?;
            if !is_current {
                writes.extend(role.puts());
            }
            if standard == Standard::ADMIN {
                admin = Some(role.id);
            }
        }
        let Some(admin) = admin else { return Ok(missing) };
        let bootstrapped = key(["auth-opened"]);
        let is_new = records.get::<Bootstrapped>(bootstrapped.clone()).await?.is_none();
        if is_new {
            writes.push(put(bootstrapped, &Bootstrapped { at: RecordTime(now) }));
        }
        match admin_key {
            Some(key) if key.is_given() => writes.extend(self.admin_writes(key, &admin, now).await?),
            _ if !is_new => {}
            _ if self.settings.bootstrap == Bootstrap::Anonymous => {
                let id = self.record_ids.next(now).to_string();
                writes.extend(Binding::to_system(id, ANONYMOUS, &admin, now).puts());
            }
            Some(key) => {
                writes.extend(self.admin_writes(key, &admin, now).await?);
                missing.is_key_new = true;
            }
            None => {}
        }
        Ok(missing)
    }

    /// A standard role with its current permissions, and whether the stored role has them. A role of an older version
    /// keeps its id.
    async fn standard_role(&self, standard: Standard, now: Time) -> Result<(Role, bool), StoreError> {
        let permissions = standard.permissions();
        Ok(match Role::find(Records(&*self.store), SYSTEM, standard.name).await? {
            Some(role) if role.permissions == permissions => (role, true),
            Some(role) => (Role { permissions, ..role }, false),
            None => {
                let role = Role {
                    id: self.record_ids.next(now).to_string(),
                    namespace: SYSTEM.to_owned(),
                    name: standard.name.to_owned(),
                    permissions,
                    created_at: RecordTime(now),
                };
                (role, false)
            }
        })
    }

    /// Warns the operator if callers without an API key have all permissions.
    async fn warn_if_open(&self) -> Result<(), StoreError> {
        if self.auth.is_open() {
            return Ok(());
        }
        let records = Records(&*self.store);
        let Some(admin) = Role::find(records, SYSTEM, Standard::ADMIN.name).await? else { return Ok(()) };
        if Binding::find(records, SYSTEM, ANONYMOUS, &admin.id).await?.is_some() {
            tracing::warn!(
                "callers without an API key have all permissions; create a user with a key and a role, then delete the \
                 binding of 'anonymous' to 'Admin' in '_system'"
            );
        }
        Ok(())
    }
}
