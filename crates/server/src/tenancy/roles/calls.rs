//! The calls about roles.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{
    RolesCreateRequest, RolesCreateResponse, RolesDeleteRequest, RolesListRequest, RolesListResponse,
    RolesUpdateRequest,
};

use super::Role;
use super::role::{check_permissions, not_standard};
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::http::Endpoint;
use crate::paging;
use crate::problems::Problems;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, no_colon, not_empty};
use crate::tenancy::{Binding, Namespace};

/// Create a role.
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = RolesCreateRequest;
    type Answer = RolesCreateResponse;

    const PATH: &'static str = "/v1/roles.create";
    const NEEDS: Permission = Permission::RoleCreate;

    fn targets(request: &RolesCreateRequest) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.namespace), ("role", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: RolesCreateRequest) -> Result<RolesCreateResponse, ApiError> {
        let mut problems = Problems::default();
        problems.field("namespace", not_empty("namespace", &request.namespace));
        problems.field("name", not_empty("name", &request.name));
        problems.field("name", at_most("name", &request.name, NAME_BYTES_MAX));
        problems.field("name", no_colon("name", &request.name));
        problems.field("permissions", check_permissions(&request.permissions));
        problems.finish(())?;
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
                let error = ApiError::bad(format!("role already exists; '{namespace}:{name}' already exists"));
                return Err(error.because("role_exists"));
            }
            Ok((Change::of_keys(role.puts().into()).after(role), role.id.clone()))
        });
        Ok(RolesCreateResponse { id: id.await? })
    }
}

/// Replace the permissions of a role.
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = RolesUpdateRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/roles.update";
    const NEEDS: Permission = Permission::RoleUpdate;

    fn targets(request: &RolesUpdateRequest) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.namespace), ("role", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: RolesUpdateRequest) -> Result<Reply, ApiError> {
        let mut problems = Problems::default();
        problems.field("namespace", not_empty("namespace", &request.namespace));
        problems.field("name", not_empty("name", &request.name));
        problems.field("permissions", check_permissions(&request.permissions));
        problems.finish(())?;
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

/// Delete a role that has no bindings.
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RolesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/roles.delete";
    const NEEDS: Permission = Permission::RoleDelete;

    fn targets(request: &RolesDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.namespace), ("role", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: RolesDeleteRequest) -> Result<Reply, ApiError> {
        let (namespace, name) = (or_system(&request.namespace), request.name.as_str());
        ctx.allow_in(Self::NEEDS, namespace).await?;
        ctx.change_tenancy_only(|| async move {
            let found = Role::find(ctx.records(), namespace, name).await?;
            let role = found.ok_or_else(|| Role::missing(namespace, name))?;
            not_standard(name)?;
            if ctx.records().any(Binding::prefix_to(&role.id)).await? {
                let message = format!("role has active bindings; '{name}' has active bindings, delete bindings first");
                return Err(ApiError::bad(message).because("role_has_bindings"));
            }
            Ok(Change::of_keys(role.deletes().into()).before(&role))
        })
        .await
    }
}

/// List the roles of a namespace in the order of their ids.
pub(crate) struct List;

impl Endpoint for List {
    type Request = RolesListRequest;
    type Answer = RolesListResponse;

    const PATH: &'static str = "/v1/roles.list";
    const NEEDS: Permission = Permission::RoleList;

    async fn call(ctx: &RequestContext, request: RolesListRequest) -> Result<RolesListResponse, ApiError> {
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<Role>(Role::prefix(namespace), &request.pivot, limit).await?;
        Ok(RolesListResponse { items: found.into_iter().map(Role::info).collect() })
    }
}
