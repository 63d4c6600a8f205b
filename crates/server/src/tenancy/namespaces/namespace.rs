//! A namespace as it is recorded.

use bytes::Bytes;
use redrive_core::{NamespaceName, Time};
use redrive_model::KeyWrite;
use redrive_proto::querator::NamespaceInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::audit::AuditTarget;
use crate::auth::SYSTEM;
use crate::desk::Desk;
use crate::fault::{Code, Fault};
use crate::records::{At, Read, Record, Records, key};
use crate::tenancy::field;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Namespace {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) api_key_tag: String,
    pub(crate) created_at: At,
}

impl Record for Namespace {}

impl Namespace {
    pub(crate) fn system(now: Time) -> Self {
        let (description, api_key_tag) = (String::new(), String::new());
        Self { name: SYSTEM.to_owned(), description, api_key_tag, created_at: At(now) }
    }

    pub(crate) fn prefix() -> Bytes {
        key(["namespace"])
    }

    pub(crate) fn key(name: &str) -> Bytes {
        key(["namespace", name])
    }

    pub(crate) async fn find(records: Records<'_>, name: &str) -> Result<Option<Read<Self>>, StoreError> {
        records.get(Self::key(name)).await
    }

    pub(crate) fn missing(name: &str) -> Fault {
        Fault::new(Code::RequestFailed, format!("namespace does not exist; '{name}' was not found"))
    }

    pub(super) fn info(&self) -> NamespaceInfo {
        NamespaceInfo {
            name: self.name.clone(),
            description: self.description.clone(),
            created_at: Some(self.created_at.into()),
            api_key_tag: self.api_key_tag.clone(),
        }
    }
}

/// What is wrong with a namespace as it was sent.
pub(super) fn check(info: &NamespaceInfo) -> Result<NamespaceName, Fault> {
    let name = NamespaceName::new(&info.name)?;
    field::tag("api_key_tag", &info.api_key_tag)?;
    Ok(name)
}

/// The system's own are nobody's to change.
pub(super) fn not_reserved(name: &NamespaceName) -> Result<(), Fault> {
    if name.is_reserved() {
        let message = format!("namespace name is reserved; '{name}' names starting with '_' are reserved");
        return Err(Fault::bad(message));
    }
    Ok(())
}

pub(super) fn targets(name: &str) -> Option<Vec<AuditTarget>> {
    Some(vec![AuditTarget::new("namespace", name)])
}

impl Desk {
    /// A queue belongs to a namespace that there is. What is given goes along with the making of the queue, so that the
    /// namespace is not deleted at the same moment.
    pub(crate) async fn namespace_held(&self, namespace: Option<&NamespaceName>) -> Result<Option<KeyWrite>, Fault> {
        // The system's own is there always.
        let Some(name) = namespace else { return Ok(None) };
        let read = Namespace::find(Records(self.store()), name.as_str()).await?;
        Ok(Some(read.ok_or_else(|| Namespace::missing(name.as_str()))?.held()))
    }
}
