//! Create a role.

use redrive_proto::querator::{RolesCreateRequest, RolesCreateResponse};

use super::Role;
use super::role::{check_permissions, not_standard, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::Namespace;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, no_colon, not_empty};

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = RolesCreateRequest;
    type Answer = RolesCreateResponse;

    const PATH: &'static str = "/v1/roles.create";
    const NEEDS: Permission = Permission::RoleCreate;

    fn targets(request: &RolesCreateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RolesCreateRequest) -> Result<RolesCreateResponse, Fault> {
        not_empty("namespace", &request.namespace)?;
        not_empty("name", &request.name)?;
        at_most("name", &request.name, NAME_BYTES_MAX)?;
        no_colon("name", &request.name)?;
        check_permissions(&request.permissions)?;
        ctx.allow_in(Self::NEEDS, &request.namespace).await?;
        not_standard(&request.name)?;
        let role = Role {
            id: ctx.new_id(),
            namespace: request.namespace,
            name: request.name,
            permissions: request.permissions,
            created_at: RecordTime(ctx.now()),
        };
        let role = &role;
        ctx.may_grant(role.grants(), &role.namespace).await?;
        let id = ctx.change_tenancy(|| async move {
            let (namespace, name) = (&role.namespace, &role.name);
            Namespace::find(ctx.records(), namespace).await?.ok_or_else(|| Namespace::missing(namespace))?;
            if Role::find(ctx.records(), namespace, name).await?.is_some() {
                return Err(Fault::bad(format!("role already exists; '{namespace}:{name}' already exists")));
            }
            Ok((Change::of_keys(role.puts().into()).after(role), role.id.clone()))
        });
        Ok(RolesCreateResponse { id: id.await? })
    }
}
