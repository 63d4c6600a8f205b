//! Replace the permissions of a role.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::RolesUpdateRequest;

use super::Role;
use super::role::{check_permissions, not_standard, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::tenancy::field::not_empty;

#[derive(Debug)]
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = RolesUpdateRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/roles.update";
    const NEEDS: Permission = Permission::RoleUpdate;

    fn targets(request: &RolesUpdateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RolesUpdateRequest) -> Result<Reply, Fault> {
        not_empty("namespace", &request.namespace)?;
        not_empty("name", &request.name)?;
        check_permissions(&request.permissions)?;
        ctx.allow_in(Self::NEEDS, &request.namespace).await?;
        let request = &request;
        ctx.change_tenancy_only(|| async move {
            let (namespace, name) = (&request.namespace, &request.name);
            let found = Role::find(ctx.records(), namespace, name).await?;
            let before = found.ok_or_else(|| Role::missing(namespace, name))?;
            not_standard(name)?;
            let after = Role { permissions: request.permissions.clone(), ..before.clone() };
            ctx.may_grant(after.grants().without(before.grants()), namespace).await?;
            Ok(Change::of_keys(after.puts().into()).before(&before).after(&after))
        })
        .await
    }
}
