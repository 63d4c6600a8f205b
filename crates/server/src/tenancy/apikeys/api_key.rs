//! The record of an API key: everything but the key itself.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use redrive_model::KeyWrite;
use redrive_proto::querator::ApiKeyInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::api_error::{ApiError, Code};
use crate::audit::hex;
use crate::auth::LastUse;
use crate::records::{Link, Record, RecordTime, Records, delete, key, put};

/// Maximum number of concurrent reads.
const CONCURRENT_MAX: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ApiKey {
    pub(crate) id: String,
    pub(crate) user_id: String,
    pub(crate) name: String,
    /// The namespace that the key is scoped to; empty for all. With [`KeyScope::Querator`](crate::KeyScope::Querator)
    /// it is also valid in `_system`.
    pub(crate) namespace_scope: String,
    /// The first characters of the key, by which people recognise it.
    pub(crate) prefix: String,
    /// SHA-256 of the key, in hexadecimal digits.
    pub(crate) hash: String,
    pub(crate) expires_at: Option<RecordTime>,
    pub(crate) created_at: RecordTime,
}

impl Record for ApiKey {}

impl ApiKey {
    pub(super) fn prefix() -> Bytes {
        key(["apikey"])
    }

    pub(crate) fn key(id: &str) -> Bytes {
        key(["apikey", id])
    }

    /// The index key from the hash of a key to its id.
    pub(crate) fn hash_key(hash: &[u8; 32]) -> Bytes {
        key(["apikey-hash", &hex(hash)])
    }

    /// The prefix of the index from a user to their keys.
    pub(super) fn user_prefix(user: &str) -> Bytes {
        key(["apikey-of", user])
    }

    pub(crate) fn missing() -> ApiError {
        ApiError::new(Code::Unauthorized, "api key does not exist").because("no_such_api_key")
    }

    fn links(&self) -> [Bytes; 2] {
        [key(["apikey-hash", &self.hash]), key(["apikey-of", &self.user_id, &self.id])]
    }

    pub(crate) fn puts(&self) -> Vec<KeyWrite> {
        let link = Link { id: self.id.clone() };
        let records = [put(Self::key(&self.id), self), put(LastUse::key(&self.id), &LastUse::NEVER)];
        records.into_iter().chain(self.links().map(|key| put(key, &link))).collect()
    }

    pub(crate) fn deletes(&self) -> Vec<KeyWrite> {
        let records = [Self::key(&self.id), LastUse::key(&self.id)];
        records.into_iter().chain(self.links()).map(delete).collect()
    }

    /// All keys of a user.
    pub(crate) async fn of_user(records: Records<'_>, user: &str) -> Result<Vec<Self>, StoreError> {
        Self::linked(records, records.all(Self::user_prefix(user)).await?).await
    }

    /// The keys that links refer to; keys that were deleted meanwhile are left out.
    pub(super) async fn linked(records: Records<'_>, links: Vec<Link>) -> Result<Vec<Self>, StoreError> {
        let reads = stream::iter(links).map(|link| records.get::<Self>(Self::key(&link.id))).buffered(CONCURRENT_MAX);
        let read = reads.try_collect::<Vec<_>>().await?;
        Ok(read.into_iter().flatten().collect())
    }

    /// Converts keys to messages, each with the time of its last use.
    pub(super) async fn infos(records: Records<'_>, keys: Vec<Self>) -> Result<Vec<ApiKeyInfo>, StoreError> {
        let infos = stream::iter(keys).map(|key| async move {
            let last_use = records.get::<LastUse>(LastUse::key(&key.id)).await?;
            Ok(key.info(last_use.and_then(|last_use| last_use.at)))
        });
        infos.buffered(CONCURRENT_MAX).try_collect().await
    }

    fn info(self, last_used_at: Option<RecordTime>) -> ApiKeyInfo {
        ApiKeyInfo {
            id: self.id,
            user_id: self.user_id,
            namespace_scope: self.namespace_scope,
            name: self.name,
            prefix: self.prefix,
            expires_at: self.expires_at.map(Into::into),
            last_used_at: last_used_at.map(Into::into),
            created_at: Some(self.created_at.into()),
        }
    }
}
