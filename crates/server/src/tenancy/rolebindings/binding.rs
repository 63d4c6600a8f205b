//! The record of a role binding. It is stored under three keys, for lookups by namespace, by user and by role.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_proto::querator::RoleBindingInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::audit::AuditTarget;
use crate::auth::SYSTEM;
use crate::fault::{Code, Fault};
use crate::records::{Record, RecordTime, Records, delete, key, put};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Binding {
    pub(crate) id: String,
    pub(crate) namespace: String,
    pub(crate) user_id: String,
    pub(crate) role_id: String,
    pub(crate) created_at: RecordTime,
}

impl Record for Binding {}

impl Binding {
    /// A binding in `_system`, which holds in all namespaces.
    pub(crate) fn to_system(id: String, user: &str, role_id: &str, now: Time) -> Self {
        let (user_id, role_id) = (user.to_owned(), role_id.to_owned());
        Self { id, namespace: SYSTEM.to_owned(), user_id, role_id, created_at: RecordTime(now) }
    }

    /// The prefix of all bindings of a namespace.
    pub(crate) fn prefix(namespace: &str) -> Bytes {
        key(["rolebinding", namespace])
    }

    /// The prefix of a user's bindings in a namespace.
    pub(crate) fn prefix_of(user: &str, namespace: &str) -> Bytes {
        key(["rolebinding-of", user, namespace])
    }

    /// The prefix of all bindings to a role.
    pub(crate) fn prefix_to(role_id: &str) -> Bytes {
        key(["rolebinding-to", role_id])
    }

    fn keys(&self) -> [Bytes; 3] {
        let Self { id, namespace, user_id, role_id, .. } = self;
        [
            key(["rolebinding", namespace, id]),
            key(["rolebinding-of", user_id, namespace, role_id]),
            key(["rolebinding-to", role_id, user_id]),
        ]
    }

    pub(crate) fn puts(&self) -> [KeyWrite; 3] {
        self.keys().map(|key| put(key, self))
    }

    pub(crate) fn deletes(&self) -> [KeyWrite; 3] {
        self.keys().map(delete)
    }

    pub(crate) async fn find(
        records: Records<'_>,
        namespace: &str,
        user: &str,
        role_id: &str,
    ) -> Result<Option<Self>, StoreError> {
        let read = records.get::<Self>(key(["rolebinding-of", user, namespace, role_id])).await?;
        Ok(read.map(|read| read.record))
    }

    /// All bindings of a user, in any namespace.
    pub(crate) async fn of_user(records: Records<'_>, user: &str) -> Result<Vec<Self>, StoreError> {
        let read = records.all::<Self>(key(["rolebinding-of", user])).await?;
        Ok(read.into_iter().map(|read| read.record).collect())
    }

    pub(super) fn missing(namespace: &str, user: &str, role_id: &str) -> Fault {
        let message = format!("role binding does not exist; '{namespace}:{user}:{role_id}' was not found");
        Fault::new(Code::RequestFailed, message)
    }

    pub(super) fn info(self) -> RoleBindingInfo {
        RoleBindingInfo {
            id: self.id,
            namespace: self.namespace,
            user_id: self.user_id,
            role_id: self.role_id,
            created_at: Some(self.created_at.into()),
        }
    }
}

pub(super) fn targets(namespace: &str, role: &str, user: &str) -> Option<Vec<AuditTarget>> {
    let targets = [("namespace", namespace), ("role", role), ("user", user)];
    Some(targets.map(|(kind, name)| AuditTarget::new(kind, name)).into())
}
