//! The record of a namespace.

use bytes::Bytes;
use redrive_core::{NamespaceName, Time};
use redrive_model::{KeyCondition, KeyWrite, Rejection, WriteKeys};
use redrive_proto::querator::NamespaceInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::auth::SYSTEM;
use crate::problems::Problems;
use crate::records::{Read, Record, RecordTime, Records, key, put};
use crate::request_context::RequestContext;
use crate::tenancy::field;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Namespace {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) api_key_tag: String,
    pub(crate) created_at: RecordTime,
}

impl Record for Namespace {}

impl Namespace {
    pub(crate) fn system(now: Time) -> Self {
        let (description, api_key_tag) = (String::new(), String::new());
        Self { name: SYSTEM.to_owned(), description, api_key_tag, created_at: RecordTime(now) }
    }

    pub(crate) fn prefix() -> Bytes {
        key(["namespace"])
    }

    pub(crate) fn key(name: &str) -> Bytes {
        key(["namespace", name])
    }

    pub(crate) async fn find(records: Records<'_>, name: &str) -> Result<Option<Read<Self>>, StoreError> {
        records.read(Self::key(name)).await
    }

    pub(crate) fn missing(name: &str) -> ApiError {
        let message = format!("namespace does not exist; '{name}' was not found");
        ApiError::new(Code::RequestFailed, message).because("no_such_namespace").with("namespace", name)
    }

    pub(super) fn info(self) -> NamespaceInfo {
        NamespaceInfo {
            name: self.name,
            description: self.description,
            created_at: Some(self.created_at.into()),
            api_key_tag: self.api_key_tag,
        }
    }
}

/// Checks the fields of a request.
pub(super) fn check(info: &NamespaceInfo) -> Result<NamespaceName, ApiError> {
    let mut problems = Problems::default();
    let name = problems.field("name", NamespaceName::new(&info.name).map(Some));
    problems.field("api_key_tag", field::tag("api_key_tag", &info.api_key_tag));
    problems.finish(())?;
    name.ok_or_else(ApiError::internal)
}

/// Rejects the reserved namespaces, which callers cannot change.
pub(super) fn not_reserved(name: &NamespaceName) -> Result<(), ApiError> {
    if name.is_reserved() {
        let message = format!("namespace name is reserved; '{name}' names starting with '_' are reserved");
        return Err(ApiError::bad(message).because("namespace_reserved"));
    }
    Ok(())
}

impl RequestContext {
    /// Checks that the namespace of a new queue exists. The returned write is committed with the creation of the queue,
    /// so that the namespace cannot be deleted at the same time.
    pub(crate) async fn namespace_unchanged(
        &self,
        namespace: Option<&NamespaceName>,
    ) -> Result<Option<KeyWrite>, ApiError> {
        // `_system` always exists.
        let Some(name) = namespace else { return Ok(None) };
        let read = Namespace::find(Records(self.store()), name.as_str()).await?;
        Ok(Some(read.ok_or_else(|| Namespace::missing(name.as_str()))?.if_unchanged()))
    }
}

impl App {
    /// Creates a namespace for a queue of the configuration file. Returns whether it was created.
    pub(crate) async fn ensure_namespace(&self, name: &NamespaceName) -> Result<bool, StoreError> {
        let now = self.deadlines.now();
        let namespace = Namespace { name: name.to_string(), ..Namespace::system(now) };
        let absent = KeyWrite { condition: KeyCondition::Absent, ..put(Namespace::key(name.as_str()), &namespace) };
        match self.store.write_keys(WriteKeys { writes: vec![absent] }).await {
            Ok(()) => Ok(true),
            Err(StoreError::Rejected(Rejection::KeyChanged { .. })) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
