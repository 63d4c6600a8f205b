//! The record of a user.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_proto::querator::UserInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::api_error::{ApiError, Code};
use crate::auth::ANONYMOUS;
use crate::records::{Link, Record, RecordTime, Records, delete, key, put};

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

    pub(crate) async fn find(records: Records<'_>, id: &str) -> Result<Option<Self>, StoreError> {
        records.get(Self::key(id)).await
    }

    pub(crate) fn missing(id: &str) -> ApiError {
        let message = format!("user does not exist; '{id}' was not found");
        ApiError::new(Code::RequestFailed, message).because("no_such_user").with("user", id)
    }

    pub(crate) fn puts(&self) -> [KeyWrite; 2] {
        let link = Link { id: self.id.clone() };
        [put(Self::key(&self.id), self), put(Self::name_key(&self.username), &link)]
    }

    pub(super) fn deletes(&self) -> [KeyWrite; 2] {
        [delete(Self::key(&self.id)), delete(Self::name_key(&self.username))]
    }

    pub(super) fn info(self) -> UserInfo {
        UserInfo {
            id: self.id,
            username: self.username,
            external_id: self.external_id,
            email: self.email,
            created_at: Some(self.created_at.into()),
            updated_at: Some(self.updated_at.into()),
        }
    }
}
