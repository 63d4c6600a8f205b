//! Delete a role that has no bindings.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::RolesDeleteRequest;

use super::Role;
use super::role::{not_standard, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
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

    async fn call(ctx: &RequestContext, request: RolesDeleteRequest) -> Result<Reply, Fault> {
        let (namespace, name) = (or_system(&request.namespace), request.name.as_str());
        ctx.allow_in(Self::NEEDS, namespace).await?;
        ctx.change_tenancy_only(|| async move {
            let found = Role::find(ctx.records(), namespace, name).await?;
            let role = found.ok_or_else(|| Role::missing(namespace, name))?;
            not_standard(name)?;
            if ctx.records().any(Binding::prefix_to(&role.id)).await? {
                let message = format!("role has active bindings; '{name}' has active bindings, delete bindings first");
                return Err(Fault::bad(message));
            }
            Ok(Change::of_keys(role.deletes().into()).before(&role))
        })
        .await
    }
}
