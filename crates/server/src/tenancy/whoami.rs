//! `whoami.get`: the identity of the caller.

use redrive_proto::redrive::v1::{WhoamiGetRequest, WhoamiGetResponse, WhoamiRole};
use redrive_store::StoreError;

use crate::api_error::ApiError;
use crate::auth::{Permission, SYSTEM};
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;
use crate::tenancy::{Binding, Role};

pub(crate) struct Get;

impl Endpoint for Get {
    type Request = WhoamiGetRequest;
    type Answer = WhoamiGetResponse;

    const PATH: &'static str = "/v1/whoami.get";
    /// Not checked: every caller may read its own identity. The permission only decides how large a body is read, and
    /// no body of this call may exceed what is read of callers without permissions.
    const NEEDS: Permission = Permission::SystemHealth;
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(4 << 10);

    async fn call(ctx: &RequestContext, request: WhoamiGetRequest) -> Result<WhoamiGetResponse, ApiError> {
        let scope = ctx.caller.scope();
        let namespace = match request.namespace.as_str() {
            "" => scope.unwrap_or(SYSTEM),
            namespace => namespace,
        };
        let mut answer = WhoamiGetResponse {
            auth: "none".to_owned(),
            user_id: ctx.caller.user.to_string(),
            username: ctx.caller.user_name().to_owned(),
            namespace: namespace.to_owned(),
            permissions: ctx.permissions_in(namespace).await?.names(),
            ..WhoamiGetResponse::default()
        };
        if ctx.app.auth.is_open() {
            return Ok(answer);
        }
        "internal".clone_into(&mut answer.auth);
        if let Some(key) = &ctx.caller.key {
            answer.key_id.clone_from(&key.key_id);
            answer.key_name.clone_from(&key.key_name);
            answer.key_prefix.clone_from(&key.prefix);
            answer.namespace_scope.clone_from(&key.scope);
            answer.expires_at = key.expires_at.map(Into::into);
        }
        answer.roles = ctx.own_roles(scope).await?;
        Ok(answer)
    }
}

impl RequestContext {
    /// The roles of the caller, in the order of their namespaces; with a scoped key, those that apply in its namespace.
    async fn own_roles(&self, scope: Option<&str>) -> Result<Vec<WhoamiRole>, StoreError> {
        let mut roles = Vec::new();
        for binding in Binding::of_user(self.records(), &self.caller.user).await? {
            let namespace = binding.namespace;
            if scope.is_some_and(|scope| scope != namespace && namespace != SYSTEM) {
                continue;
            }
            // A role that was deleted meanwhile is skipped.
            let Some(role) = self.records().get::<Role>(Role::key(&namespace, &binding.role_id)).await? else {
                continue;
            };
            let permissions = role.grants().names();
            roles.push(WhoamiRole { namespace, name: role.name, permissions });
        }
        Ok(roles)
    }
}
