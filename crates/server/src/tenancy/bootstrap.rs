//! What there must be before the first call.

use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::roles::Standard;
use super::{Binding, Namespace, Role, User};
use crate::app::App;
use crate::audit::{ATTEMPTS_MAX, Change, Entry};
use crate::auth::{ANONYMOUS, Edition, SYSTEM};
use crate::records::{At, Record, Records, key, put};

/// Says that the door was opened once. From then on it stays as people leave it: a binding that was deleted does not come
/// back.
#[derive(Debug, Serialize, Deserialize)]
struct Opened {
    at: At,
}

impl Record for Opened {}

impl App {
    /// Makes what is missing, and changes nothing that is there. It can be done again at any time.
    pub(crate) async fn bootstrap(&self) -> Result<(), StoreError> {
        let store = &*self.store;
        let now = self.deadlines.now();
        let mut chain = self.audit.turn().await;
        for _ in 0..ATTEMPTS_MAX {
            let edition = Edition::read(store).await?;
            let writes = self.missing(now).await?;
            if writes.is_empty() {
                return self.warn_if_open().await;
            }
            let change = Change::of_keys(writes).along([edition.next()]);
            match chain.append(store, Entry::of_server("server.bootstrap", now), change).await {
                Ok(Some(_)) => return self.warn_if_open().await,
                Ok(None) => {}
                // What is missing gives somebody less than they should have. It is made at the next start.
                Err(StoreError::Full) => {
                    tracing::warn!(
                        "the disk is full: standard roles that are missing or old are made at the next start"
                    );
                    return self.warn_if_open().await;
                }
                Err(error) => return Err(error),
            }
        }
        // Other servers change things again and again.
        Err(StoreError::Overloaded)
    }

    async fn missing(&self, now: Time) -> Result<Vec<KeyWrite>, StoreError> {
        let records = Records(&*self.store);
        let mut writes = Vec::new();
        if Namespace::find(records, SYSTEM).await?.is_none() {
            writes.push(put(Namespace::key(SYSTEM), &Namespace::system(now)));
        }
        if self.auth.is_open() {
            return Ok(writes);
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
                admin = Some(role);
            }
        }
        let opened = key(["auth-opened"]);
        if let Some(admin) = admin
            && records.get::<Opened>(opened.clone()).await?.is_none()
        {
            writes.push(put(opened, &Opened { at: At(now) }));
            let binding = Binding {
                id: self.record_ids.next(now).to_string(),
                namespace: SYSTEM.to_owned(),
                user_id: ANONYMOUS.to_owned(),
                role_id: admin.id,
                created_at: At(now),
            };
            writes.extend(binding.puts());
        }
        Ok(writes)
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
