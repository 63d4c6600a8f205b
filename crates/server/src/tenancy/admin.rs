//! The administrator of a new server, and the key that they begin with.

use std::fmt;
use std::path::Path;

use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_store::StoreError;

use super::{ApiKey, Binding, User};
use crate::app::App;
use crate::audit::hex;
use crate::auth::{SYSTEM, Secret, form};
use crate::records::{At, Link, Records};

const ADMIN: &str = "admin";

/// The key of the administrator, who can make users and keys for everybody else.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminKey {
    secret: Secret,
    /// Whoever starts the server has chosen it.
    is_given: bool,
}

/// The administrator's key cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum AdminKeyError {
    #[error("{file} cannot be read; auth.admin_key_file names the file with the administrator's key")]
    File { file: String, source: std::io::Error },
    /// What stands there instead may be a secret of something else.
    #[error("{file} holds no key; write {form} into it, alone")]
    Form { file: String, form: String },
    #[error("the machine gave no randomness for the administrator's key")]
    Random(getrandom::Error),
}

impl AdminKey {
    /// The key that a file holds, or else a new one.
    pub(crate) fn read_or_new(file: Option<&Path>, prefix: &str) -> Result<Self, AdminKeyError> {
        let Some(file) = file else {
            let secret = Secret::new(prefix, ADMIN).map_err(AdminKeyError::Random)?;
            return Ok(Self { secret, is_given: false });
        };
        let shown = file.display().to_string();
        let text =
            std::fs::read_to_string(file).map_err(|source| AdminKeyError::File { file: shown.clone(), source })?;
        let secret = Secret::parse(text.trim(), prefix);
        let secret = secret.ok_or_else(|| AdminKeyError::Form { file: shown, form: form(prefix) })?;
        Ok(Self { secret, is_given: true })
    }

    pub(super) const fn is_given(&self) -> bool {
        self.is_given
    }

    /// The whole key, for whoever starts the server.
    pub fn reveal(&self) -> &str {
        self.secret.reveal()
    }
}

impl fmt::Debug for AdminKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.secret.fmt(f)
    }
}

impl App {
    /// What makes a key the administrator's; nothing, where it is somebody's.
    pub(super) async fn admin_with(&self, key: &AdminKey, role: &str, now: Time) -> Result<Vec<KeyWrite>, StoreError> {
        let records = Records(&*self.store);
        let secret = &key.secret;
        if records.get::<Link>(ApiKey::hash_key(&secret.hash())).await?.is_some() {
            return Ok(Vec::new());
        }
        let mut writes = Vec::new();
        let new_id = || self.record_ids.next(now).to_string();
        let user_id = match records.get::<Link>(User::name_key(ADMIN)).await? {
            Some(link) => link.record.id,
            None => {
                let user = User { id: new_id(), username: ADMIN.to_owned(), ..User::anonymous(now) };
                writes.extend(user.puts());
                user.id
            }
        };
        if Binding::find(records, SYSTEM, &user_id, role).await?.is_none() {
            writes.extend(Binding::to_system(new_id(), &user_id, role, now).puts());
        }
        let key = ApiKey {
            id: new_id(),
            user_id,
            name: "the administrator's first".to_owned(),
            namespace_scope: String::new(),
            prefix: secret.shown().to_owned(),
            hash: hex(&secret.hash()),
            expires_at: None,
            created_at: At(now),
        };
        writes.extend(key.puts());
        Ok(writes)
    }
}
