//! A key as it is recorded: everything but the key itself.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use redrive_model::KeyWrite;
use redrive_proto::querator::ApiKeyInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::audit::hex;
use crate::auth::Used;
use crate::fault::{Code, Fault};
use crate::records::{At, Link, Record, Records, delete, key, put};

/// So many records are asked for at a time.
const AT_ONCE: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ApiKey {
    pub(crate) id: String,
    pub(crate) user_id: String,
    pub(crate) name: String,
    /// The only namespace in which it is good, besides `_system`; empty for all.
    pub(crate) namespace_scope: String,
    /// Its beginning, by which people recognise it.
    pub(crate) prefix: String,
    /// SHA-256 of the key, in hexadecimal digits.
    pub(crate) hash: String,
    pub(crate) expires_at: Option<At>,
    pub(crate) created_at: At,
}

impl Record for ApiKey {}

impl ApiKey {
    pub(super) fn prefix() -> Bytes {
        key(["apikey"])
    }

    pub(crate) fn key(id: &str) -> Bytes {
        key(["apikey", id])
    }

    /// Where it stands which key has a hash.
    pub(crate) fn hash_key(hash: &[u8; 32]) -> Bytes {
        key(["apikey-hash", &hex(hash)])
    }

    /// Where it stands which keys a user has.
    pub(super) fn user_prefix(user: &str) -> Bytes {
        key(["apikey-of", user])
    }

    pub(crate) fn missing() -> Fault {
        Fault::new(Code::Unauthorized, "api key does not exist")
    }

    fn links(&self) -> [Bytes; 2] {
        [key(["apikey-hash", &self.hash]), key(["apikey-of", &self.user_id, &self.id])]
    }

    pub(crate) fn puts(&self) -> Vec<KeyWrite> {
        let link = Link { id: self.id.clone() };
        let records = [put(Self::key(&self.id), self), put(Used::key(&self.id), &Used::NEVER)];
        records.into_iter().chain(self.links().map(|key| put(key, &link))).collect()
    }

    pub(crate) fn deletes(&self) -> Vec<KeyWrite> {
        let records = [Self::key(&self.id), Used::key(&self.id)];
        records.into_iter().chain(self.links()).map(delete).collect()
    }

    /// All keys of a user.
    pub(crate) async fn of_user(records: Records<'_>, user: &str) -> Result<Vec<Self>, StoreError> {
        let links = records.all::<Link>(Self::user_prefix(user)).await?;
        Self::linked(records, links.into_iter().map(|link| link.record).collect()).await
    }

    /// The keys that links lead to; those that were deleted meanwhile are left out.
    pub(super) async fn linked(records: Records<'_>, links: Vec<Link>) -> Result<Vec<Self>, StoreError> {
        let reads = stream::iter(links).map(|link| records.get::<Self>(Self::key(&link.id))).buffered(AT_ONCE);
        let read = reads.try_collect::<Vec<_>>().await?;
        Ok(read.into_iter().flatten().map(|read| read.record).collect())
    }

    /// Keys as they are shown, each with the time of its last use.
    pub(super) async fn infos(records: Records<'_>, keys: Vec<Self>) -> Result<Vec<ApiKeyInfo>, StoreError> {
        let shown = stream::iter(keys).map(|key| async move {
            let used = records.get::<Used>(Used::key(&key.id)).await?;
            Ok(key.info(used.and_then(|used| used.record.at)))
        });
        shown.buffered(AT_ONCE).try_collect().await
    }

    fn info(self, last_used_at: Option<At>) -> ApiKeyInfo {
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
