//! The record of a role.

use bytes::Bytes;
use redrive_core::Ksuid;
use redrive_model::KeyWrite;
use redrive_proto::querator::RoleInfo;
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::Standard;
use crate::api_error::{ApiError, Code};
use crate::auth::{Permission, Permissions, SYSTEM};
use crate::records::{Link, Record, RecordTime, Records, delete, key, put};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Role {
    pub(crate) id: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// The names of the permissions, as the caller listed them.
    pub(crate) permissions: Vec<String>,
    pub(crate) created_at: RecordTime,
}

impl Record for Role {}

impl Role {
    pub(crate) fn prefix(namespace: &str) -> Bytes {
        key(["role", namespace])
    }

    pub(crate) fn key(namespace: &str, id: &str) -> Bytes {
        key(["role", namespace, id])
    }

    /// The index key from the name of a role to its id.
    fn name_key(namespace: &str, name: &str) -> Bytes {
        key(["role-name", namespace, name])
    }

    pub(crate) async fn find(records: Records<'_>, namespace: &str, name: &str) -> Result<Option<Self>, StoreError> {
        let Some(link) = records.get::<Link>(Self::name_key(namespace, name)).await? else { return Ok(None) };
        records.get(Self::key(namespace, &link.id)).await
    }

    /// The role that a binding in a namespace names: a standard role, which can be bound in every namespace, or a role of
    /// the namespace.
    pub(crate) async fn find_to_bind(
        records: Records<'_>,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Self>, StoreError> {
        let home = if Standard::named(name).is_some() { SYSTEM } else { namespace };
        Self::find(records, home, name).await
    }

    /// The role with this id that can be bound in a namespace.
    pub(crate) async fn bindable(records: Records<'_>, namespace: &str, id: &str) -> Result<Option<Self>, StoreError> {
        if id.parse::<Ksuid>().is_err() {
            return Ok(None);
        }
        if let Some(role) = records.get(Self::key(namespace, id)).await? {
            return Ok(Some(role));
        }
        let of_system: Option<Self> = records.get(Self::key(SYSTEM, id)).await?;
        Ok(of_system.filter(|role| Standard::named(&role.name).is_some()))
    }

    /// The permissions that the role grants: the listed ones and, for a standard role, the implied ones.
    pub(crate) fn grants(&self) -> Permissions {
        let listed = Permissions::named(self.permissions.iter().map(String::as_str));
        match Standard::named(&self.name) {
            Some(standard) if self.namespace == SYSTEM => listed.union(standard.grants()),
            _ => listed,
        }
    }

    pub(crate) fn missing(namespace: &str, name: &str) -> ApiError {
        let message = format!("role does not exist; '{namespace}:{name}' was not found");
        let error = ApiError::new(Code::RequestFailed, message).because("no_such_role");
        error.with("namespace", namespace).with("role", name)
    }

    pub(crate) fn puts(&self) -> [KeyWrite; 2] {
        let link = Link { id: self.id.clone() };
        [put(Self::key(&self.namespace, &self.id), self), put(Self::name_key(&self.namespace, &self.name), &link)]
    }

    pub(super) fn deletes(&self) -> [KeyWrite; 2] {
        [delete(Self::key(&self.namespace, &self.id)), delete(Self::name_key(&self.namespace, &self.name))]
    }

    pub(super) fn info(self) -> RoleInfo {
        RoleInfo {
            id: self.id,
            namespace: self.namespace,
            name: self.name,
            permissions: self.permissions,
            created_at: Some(self.created_at.into()),
        }
    }
}

pub(super) fn check_permissions(names: &[String]) -> Result<(), ApiError> {
    names.iter().try_for_each(|name| permission_named(name).map(|_| ()))
}

pub(crate) fn permission_named(name: &str) -> Result<Permission, ApiError> {
    Permission::named(name).ok_or_else(|| {
        let error = ApiError::bad(format!("permission is invalid; '{name}' is not a recognized permission"));
        error.because("unknown_permission").with("permission", name)
    })
}

pub(super) fn not_standard(name: &str) -> Result<(), ApiError> {
    if Standard::named(name).is_some() {
        let message = format!("cannot modify or delete standard role; '{name}' is a standard role");
        return Err(ApiError::bad(message).because("standard_role"));
    }
    Ok(())
}
