//! Remove a role that nobody has any more.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::RolesDeleteRequest;

use super::Role;
use super::role::{not_standard, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::tenancy::Binding;

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RolesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/roles.delete";
    const NEEDS: Permission = Permission::RoleDelete;

    fn targets(request: &RolesDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(desk: &Desk, request: RolesDeleteRequest) -> Result<Reply, Fault> {
        let (namespace, name) = (or_system(&request.namespace), request.name.as_str());
        desk.allow_in(Self::NEEDS, namespace).await?;
        desk.amend_quietly(|| async move {
            let found = Role::find(desk.records(), namespace, name).await?;
            let role = found.ok_or_else(|| Role::missing(namespace, name))?;
            not_standard(name)?;
            if desk.records().any(Binding::prefix_to(&role.id)).await? {
                let message = format!("role has active bindings; '{name}' has active bindings, delete bindings first");
                return Err(Fault::bad(message));
            }
            Ok(Change::of_keys(role.deletes().into()).before(&role))
        })
        .await
    }
}
