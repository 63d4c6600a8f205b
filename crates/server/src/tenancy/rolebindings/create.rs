//! Bind a role to a user in a namespace.

use redrive_proto::querator::{RoleBindingsCreateRequest, RoleBindingsCreateResponse};

use super::Binding;
use super::binding::targets;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::field::{no_colon, not_empty};
use crate::tenancy::{Role, User};

#[derive(Debug)]
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
    ) -> Result<RoleBindingsCreateResponse, Fault> {
        not_empty("namespace", &request.namespace)?;
        not_empty("role_name", &request.role_name)?;
        not_empty("user_id", &request.user_id)?;
        no_colon("user_id", &request.user_id)?;
        ctx.allow_in(Self::NEEDS, &request.namespace).await?;
        let request = &request;
        let id = ctx.change_tenancy(|| async move {
            let (namespace, user) = (&request.namespace, &request.user_id);
            let role = Role::find(ctx.records(), namespace, &request.role_name).await?;
            let role = role.ok_or_else(|| Role::missing(namespace, &request.role_name))?;
            User::find(ctx.records(), user).await?.ok_or_else(|| User::missing(user))?;
            ctx.may_grant(role.grants(), namespace).await?;
            if Binding::find(ctx.records(), namespace, user, &role.id).await?.is_some() {
                let binding = format!("binding for user '{user}' to role '{}' in namespace '{namespace}'", role.id);
                return Err(Fault::bad(format!("role binding already exists; {binding} already exists")));
            }
            let binding = Binding {
                id: ctx.new_id(),
                namespace: namespace.clone(),
                user_id: user.clone(),
                role_id: role.id,
                created_at: RecordTime(ctx.now()),
            };
            Ok((Change::of_keys(binding.puts().into()).after(&binding), binding.id))
        });
        Ok(RoleBindingsCreateResponse { id: id.await? })
    }
}
