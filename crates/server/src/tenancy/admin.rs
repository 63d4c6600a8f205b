//! The administrator of a new server and the first API key.

use std::fmt;
use std::path::Path;

use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_store::StoreError;

use super::{ApiKey, Binding, User};
use crate::app::App;
use crate::audit::hex;
use crate::auth::{SYSTEM, Secret, key_format};
use crate::records::{Link, RecordTime, Records};

const ADMIN: &str = "admin";

/// The API key of the administrator, who has all permissions and can create the other users and keys.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminKey {
    secret: Secret,
    /// Whether the key comes from a file; otherwise it was generated.
    is_given: bool,
}

/// The administrator's key can be neither read nor generated.
#[derive(Debug, thiserror::Error)]
pub enum AdminKeyError {
    #[error("{file} cannot be read; auth.admin_key_file names the file with the administrator's key")]
    File { file: String, source: std::io::Error },
    /// The content of the file is not shown: it may be another secret.
    #[error("{file} holds no key; write {form} into it, alone")]
    Form { file: String, form: String },
    #[error("the operating system provided no randomness for the administrator's key")]
    Random(getrandom::Error),
}

impl AdminKey {
    /// Reads the key from a file, or generates one if there is no file.
    pub(crate) fn read_or_new(file: Option<&Path>, prefix: &str) -> Result<Self, AdminKeyError> {
        let Some(file) = file else {
            let secret = Secret::new(prefix, ADMIN).map_err(AdminKeyError::Random)?;
            return Ok(Self { secret, is_given: false });
        };
        let path = file.display().to_string();
        let text =
            std::fs::read_to_string(file).map_err(|source| AdminKeyError::File { file: path.clone(), source })?;
        let secret = Secret::parse(text.trim(), prefix);
        let secret = secret.ok_or_else(|| AdminKeyError::Form { file: path, form: key_format(prefix) })?;
        Ok(Self { secret, is_given: true })
    }

    pub(super) const fn is_given(&self) -> bool {
        self.is_given
    }

    /// The whole key, for the operator who starts the server.
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
    /// The writes that make a key the administrator's; none if the key already exists.
    pub(super) async fn admin_writes(
        &self,
        key: &AdminKey,
        role: &str,
        now: Time,
    ) -> Result<Vec<KeyWrite>, StoreError> {
        let records = Records(&*self.store);
        let secret = &key.secret;
        if records.get::<Link>(ApiKey::hash_key(&secret.hash())).await?.is_some() {
            return Ok(Vec::new());
        }
        let mut writes = Vec::new();
        let new_id = || self.record_ids.next(now).to_string();
        let user_id = match records.get::<Link>(User::name_key(ADMIN)).await? {
            Some(link) => link.id,
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
            prefix: secret.display_prefix().to_owned(),
            hash: hex(&secret.hash()),
            expires_at: None,
            created_at: RecordTime(now),
        };
        writes.extend(key.puts());
        Ok(writes)
    }
}
