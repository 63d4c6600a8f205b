//! The record of a user.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_proto::querator::UserInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::auth::ANONYMOUS;
use crate::fault::{Code, Fault};
use crate::records::{Link, Read, Record, RecordTime, Records, delete, key, put};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) username: String,
    pub(crate) external_id: String,
    pub(crate) email: String,
    pub(crate) created_at: RecordTime,
    pub(crate) updated_at: RecordTime,
}

impl Record for User {}

impl User {
    /// The user of callers without an API key.
    pub(crate) fn anonymous(now: Time) -> Self {
        Self {
            id: ANONYMOUS.to_owned(),
            username: ANONYMOUS.to_owned(),
            external_id: String::new(),
            email: String::new(),
            created_at: RecordTime(now),
            updated_at: RecordTime(now),
        }
    }

    pub(crate) fn prefix() -> Bytes {
        key(["user"])
    }

    pub(crate) fn key(id: &str) -> Bytes {
        key(["user", id])
    }

    /// The index key from a user name to its id.
    pub(crate) fn name_key(username: &str) -> Bytes {
        key(["username", username])
    }

    pub(crate) async fn find(records: Records<'_>, id: &str) -> Result<Option<Read<Self>>, StoreError> {
        records.get(Self::key(id)).await
    }

    pub(crate) fn missing(id: &str) -> Fault {
        Fault::new(Code::RequestFailed, format!("user does not exist; '{id}' was not found"))
    }

    pub(crate) fn puts(&self) -> [KeyWrite; 2] {
        let link = Link { id: self.id.clone() };
        [put(Self::key(&self.id), self), put(Self::name_key(&self.username), &link)]
    }

    pub(super) fn deletes(&self) -> [KeyWrite; 2] {
        [delete(Self::key(&self.id)), delete(Self::name_key(&self.username))]
    }

    pub(super) fn info(&self) -> UserInfo {
        UserInfo {
            id: self.id.clone(),
            username: self.username.clone(),
            external_id: self.external_id.clone(),
            email: self.email.clone(),
            created_at: Some(self.created_at.into()),
            updated_at: Some(self.updated_at.into()),
        }
    }
}
