//! Remove the binding of a role to a user.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::RoleBindingsDeleteRequest;

use super::Binding;
use super::binding::targets;
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::tenancy::Role;
use crate::tenancy::field::no_colon;

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RoleBindingsDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/rolebindings.delete";
    const NEEDS: Permission = Permission::RoleBindingDelete;

    fn targets(request: &RoleBindingsDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.role_name, &request.user_id)
    }

    async fn call(ctx: &RequestContext, request: RoleBindingsDeleteRequest) -> Result<Reply, Fault> {
        no_colon("user_id", &request.user_id)?;
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let request = &request;
        ctx.change_tenancy_only(|| async move {
            let (role, user) = (&request.role_name, &request.user_id);
            let found = Role::find(ctx.records(), namespace, role).await?;
            let role = found.ok_or_else(|| Role::missing(namespace, role))?;
            let found = Binding::find(ctx.records(), namespace, user, &role.id).await?;
            let binding = found.ok_or_else(|| Binding::missing(namespace, user, &role.id))?;
            Ok(Change::of_keys(binding.deletes().into()).target("rolebinding", &binding.id).before(&binding))
        })
        .await
    }
}
