//! The calls about role bindings.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{
    RoleBindingsCreateRequest, RoleBindingsCreateResponse, RoleBindingsDeleteRequest, RoleBindingsListRequest,
    RoleBindingsListResponse,
};

use super::Binding;
use super::binding::targets;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::http::Endpoint;
use crate::paging;
use crate::problems::Problems;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::field::{no_colon, not_empty};
use crate::tenancy::{Namespace, Role, User};

/// Bind a role to a user in a namespace.
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = RoleBindingsCreateRequest;
    type Answer = RoleBindingsCreateResponse;

    const PATH: &'static str = "/v1/rolebindings.create";
    const NEEDS: Permission = Permission::RoleBindingCreate;

    fn targets(request: &RoleBindingsCreateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.role_name, &request.user_id)
    }

    async fn call(
        ctx: &RequestContext,
        request: RoleBindingsCreateRequest,
    ) -> Result<RoleBindingsCreateResponse, ApiError> {
        let mut problems = Problems::default();
        problems.field("namespace", not_empty("namespace", &request.namespace));
        problems.field("role_name", not_empty("role_name", &request.role_name));
        problems.field("user_id", not_empty("user_id", &request.user_id));
        problems.field("user_id", no_colon("user_id", &request.user_id));
        problems.finish(())?;
        ctx.allow_in(Self::NEEDS, &request.namespace).await?;
        let request = &request;
        let id = ctx.change_tenancy(|| async move {
            let (namespace, user) = (&request.namespace, &request.user_id);
            let role = Role::find_to_bind(ctx.records(), namespace, &request.role_name).await?;
            let role = role.ok_or_else(|| Role::missing(namespace, &request.role_name))?;
            let role_namespace = (role.namespace != *namespace).then(|| role.namespace.clone());
            // A role of the namespace itself proves that the namespace exists.
            if role_namespace.is_some() {
                Namespace::find(ctx.records(), namespace).await?.ok_or_else(|| Namespace::missing(namespace))?;
            }
            User::find(ctx.records(), user).await?.ok_or_else(|| User::missing(user))?;
            ctx.may_grant(role.grants(), namespace).await?;
            if Binding::find(ctx.records(), namespace, user, &role.id).await?.is_some() {
                let binding = format!("binding for user '{user}' to role '{}' in namespace '{namespace}'", role.id);
                let error = ApiError::bad(format!("role binding already exists; {binding} already exists"));
                return Err(error.because("binding_exists"));
            }
            let binding = Binding {
                id: ctx.new_id(),
                namespace: namespace.clone(),
                user_id: user.clone(),
                role_id: role.id,
                role_namespace,
                created_at: RecordTime(ctx.now()),
            };
            Ok((Change::of_keys(binding.puts().into()).after(&binding), binding.id))
        });
        Ok(RoleBindingsCreateResponse { id: id.await? })
    }
}

/// Remove the binding of a role to a user.
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RoleBindingsDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/rolebindings.delete";
    const NEEDS: Permission = Permission::RoleBindingDelete;

    fn targets(request: &RoleBindingsDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.role_name, &request.user_id)
    }

    async fn call(ctx: &RequestContext, request: RoleBindingsDeleteRequest) -> Result<Reply, ApiError> {
        no_colon("user_id", &request.user_id)?;
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let request = &request;
        ctx.change_tenancy_only(|| async move {
            let (role, user) = (&request.role_name, &request.user_id);
            let found = Role::find_to_bind(ctx.records(), namespace, role).await?;
            let role = found.ok_or_else(|| Role::missing(namespace, role))?;
            let found = Binding::find(ctx.records(), namespace, user, &role.id).await?;
            let binding = found.ok_or_else(|| Binding::missing(namespace, user, &role.id))?;
            Ok(Change::of_keys(binding.deletes().into()).target("rolebinding", &binding.id).before(&binding))
        })
        .await
    }
}

/// List the role bindings of a namespace in the order of their ids, all or those of one user.
pub(crate) struct List;

impl Endpoint for List {
    type Request = RoleBindingsListRequest;
    type Answer = RoleBindingsListResponse;

    const PATH: &'static str = "/v1/rolebindings.list";
    const NEEDS: Permission = Permission::RoleBindingList;

    async fn call(
        ctx: &RequestContext,
        request: RoleBindingsListRequest,
    ) -> Result<RoleBindingsListResponse, ApiError> {
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let records = ctx.records();
        let user = request.user_id_filter.as_str();
        let bindings: Vec<Binding> = if user.is_empty() {
            records.page(Binding::prefix(namespace), &request.pivot, limit).await?
        } else {
            // A user has few bindings, and they are stored in the order of their roles, not of their ids.
            let mut all = records.all::<Binding>(Binding::prefix_of(user, namespace)).await?;
            all.sort_by(|one, other| one.id.cmp(&other.id));
            all.into_iter().filter(|binding| binding.id >= request.pivot).take(limit).collect()
        };
        Ok(RoleBindingsListResponse { items: bindings.into_iter().map(Binding::info).collect() })
    }
}
