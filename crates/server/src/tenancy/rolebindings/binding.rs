//! The record of a role binding. It is stored under three keys, for lookups by namespace, by user and by role.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::KeyWrite;
use redrive_proto::querator::RoleBindingInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::SYSTEM;
use crate::records::{Record, RecordTime, Records, delete, key, put};
use crate::tenancy::Role;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Binding {
    pub(crate) id: String,
    pub(crate) namespace: String,
    pub(crate) user_id: String,
    pub(crate) role_id: String,
    /// The namespace of the role, if it is another one: standard roles are in `_system`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role_namespace: Option<String>,
    pub(crate) created_at: RecordTime,
}

impl Record for Binding {}

impl Binding {
    /// A binding in `_system`, which holds in all namespaces.
    pub(crate) fn to_system(id: String, user: &str, role_id: &str, now: Time) -> Self {
        let (user_id, role_id) = (user.to_owned(), role_id.to_owned());
        let namespace = SYSTEM.to_owned();
        Self { id, namespace, user_id, role_id, role_namespace: None, created_at: RecordTime(now) }
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
        let to_role = match self.role_namespace {
            // A standard role may be bound to a user in several namespaces.
            Some(_) => key(["rolebinding-to", role_id, user_id, namespace]),
            None => key(["rolebinding-to", role_id, user_id]),
        };
        [key(["rolebinding", namespace, id]), key(["rolebinding-of", user_id, namespace, role_id]), to_role]
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
        records.get(key(["rolebinding-of", user, namespace, role_id])).await
    }

    /// The bound role; `None` if it was deleted meanwhile.
    pub(crate) async fn role(&self, records: Records<'_>) -> Result<Option<Role>, StoreError> {
        let namespace = self.role_namespace.as_ref().unwrap_or(&self.namespace);
        records.get(Role::key(namespace, &self.role_id)).await
    }

    /// All bindings of a user, in any namespace.
    pub(crate) async fn of_user(records: Records<'_>, user: &str) -> Result<Vec<Self>, StoreError> {
        records.all(key(["rolebinding-of", user])).await
    }

    pub(super) fn missing(namespace: &str, user: &str, role_id: &str) -> ApiError {
        let message = format!("role binding does not exist; '{namespace}:{user}:{role_id}' was not found");
        let error = ApiError::new(Code::RequestFailed, message).because("no_such_binding");
        error.with("namespace", namespace).with("user", user).with("role", role_id)
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
    Some(AuditTarget::list([("namespace", namespace), ("role", role), ("user", user)]))
}
