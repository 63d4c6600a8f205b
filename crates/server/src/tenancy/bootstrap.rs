//! What there must be before the first call.

use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::roles::Standard;
use super::{AdminKey, Binding, Namespace, Role, User};
use crate::app::App;
use crate::audit::{ATTEMPTS_MAX, Change, Entry};
use crate::auth::{ANONYMOUS, Bootstrap, Edition, SYSTEM};
use crate::records::{At, Record, Records, key, put};

/// Says that the door was opened once. From then on it stays as people leave it: a binding that was deleted does not come
/// back.
#[derive(Debug, Serialize, Deserialize)]
struct Opened {
    at: At,
}

impl Record for Opened {}

/// What there must be and is not.
#[derive(Default)]
struct Missing {
    writes: Vec<KeyWrite>,
    is_key_new: bool,
}

impl App {
    /// Makes what is missing, and changes nothing that is there. It can be done again at any time. Whether the administrator
    /// got a key that they do not know yet.
    pub(crate) async fn bootstrap(&self, admin_key: Option<&AdminKey>) -> Result<bool, StoreError> {
        let store = &*self.store;
        let now = self.deadlines.now();
        let mut chain = self.audit.turn().await;
        for _ in 0..ATTEMPTS_MAX {
            let edition = Edition::read(store).await?;
            let Missing { writes, is_key_new } = self.missing(admin_key, now).await?;
            if writes.is_empty() {
                self.warn_if_open().await?;
                return Ok(false);
            }
            let change = Change::of_keys(writes).along([edition.next()]);
            match chain.append(store, Entry::of_server("server.bootstrap", now), change).await {
                Ok(Some(_)) => {
                    self.warn_if_open().await?;
                    return Ok(is_key_new);
                }
                Ok(None) => {}
                // What is missing gives somebody less than they should have. It is made at the next start.
                Err(StoreError::Full) => {
                    tracing::warn!("the disk is full: roles and keys that are missing are made at the next start");
                    self.warn_if_open().await?;
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
        // Other servers change things again and again.
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
            let (role, is_right) = self.standard_role(standard, now).await?;
            if !is_right {
                writes.extend(role.puts());
            }
            if standard == Standard::ADMIN {
                admin = Some(role.id);
            }
        }
        let Some(admin) = admin else { return Ok(missing) };
        let opened = key(["auth-opened"]);
        let is_new = records.get::<Opened>(opened.clone()).await?.is_none();
        if is_new {
            writes.push(put(opened, &Opened { at: At(now) }));
        }
        match admin_key {
            Some(key) if key.is_given() => writes.extend(self.admin_with(key, &admin, now).await?),
            _ if !is_new => {}
            _ if self.settings.bootstrap == Bootstrap::Anonymous => {
                let id = self.record_ids.next(now).to_string();
                writes.extend(Binding::to_system(id, ANONYMOUS, &admin, now).puts());
            }
            Some(key) => {
                writes.extend(self.admin_with(key, &admin, now).await?);
                missing.is_key_new = true;
            }
            None => {}
        }
        Ok(missing)
    }

    /// A standard role as it should be, and whether it is so. One of an older version keeps its id.
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
                    created_at: At(now),
                };
                (role, false)
            }
        })
    }

    /// Whoever starts a server should know that everybody can do everything.
    async fn warn_if_open(&self) -> Result<(), StoreError> {
        if self.auth.is_open() {
            return Ok(());
        }
        let records = Records(&*self.store);
        let Some(admin) = Role::find(records, SYSTEM, Standard::ADMIN.name).await? else { return Ok(()) };
        if Binding::find(records, SYSTEM, ANONYMOUS, &admin.id).await?.is_some() {
            tracing::warn!(
                "whoever shows no key may do everything; make a user with a key and a role of its own, then delete the \
                 binding of 'anonymous' to 'Admin' in '_system'"
            );
        }
        Ok(())
    }
}
