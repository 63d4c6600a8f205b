//! `whoami.*`: the identity of the caller, the namespaces that it may know of, and the names of users and roles.

use std::collections::BTreeMap;

use redrive_proto::redrive::v1::{
    WhoamiGetRequest, WhoamiGetResponse, WhoamiNamesRequest, WhoamiNamesResponse, WhoamiNamespacesRequest,
    WhoamiNamespacesResponse, WhoamiRole,
};
use redrive_store::StoreError;

use crate::api_error::ApiError;
use crate::auth::{Permission, Permissions, Reach, SYSTEM, or_system};
use crate::http::{BodyLimit, Endpoint};
use crate::paging;
use crate::request_context::RequestContext;
use crate::tenancy::roles::permission_named;
use crate::tenancy::{Binding, KnownUsers, Namespace, Role};

/// Maximum number of ids of `whoami.names`, which fit into its body.
const NAMES_MAX: usize = 500;

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
            let namespace = binding.namespace.clone();
            if scope.is_some_and(|scope| scope != namespace && namespace != SYSTEM) {
                continue;
            }
            // A role that was deleted meanwhile is skipped.
            let Some(role) = binding.role(self.records()).await? else { continue };
            let permissions = role.grants().names();
            roles.push(WhoamiRole { namespace, name: role.name, permissions });
        }
        Ok(roles)
    }
}

/// List the namespaces in which the caller has a permission, in the order of their names.
pub(crate) struct Namespaces;

impl Endpoint for Namespaces {
    type Request = WhoamiNamespacesRequest;
    type Answer = WhoamiNamespacesResponse;

    const PATH: &'static str = "/v1/whoami.namespaces";
    const NEEDS: Permission = Get::NEEDS;
    const BODY_MAX: BodyLimit = Get::BODY_MAX;

    async fn call(
        ctx: &RequestContext,
        request: WhoamiNamespacesRequest,
    ) -> Result<WhoamiNamespacesResponse, ApiError> {
        let permissions = match request.permission.as_str() {
            "" => Permissions::GUARDS,
            name => Permissions::default().with(permission_named(name)?),
        };
        let (pivot, limit) = (request.pivot, paging::limit(request.limit, paging::LIMIT)?);
        let namespaces = match ctx.app.auth.reach(&ctx.caller, permissions).await? {
            Reach::All => {
                let found = ctx.records().page::<Namespace>(Namespace::prefix(), &pivot, limit).await?;
                found.into_iter().map(|namespace| namespace.name).collect()
            }
            Reach::Only(names) => names.into_iter().filter(|name| *name >= pivot).take(limit).collect(),
        };
        Ok(WhoamiNamespacesResponse { namespaces })
    }
}

/// Names of users and roles by id, as far as the caller may know them in a namespace.
pub(crate) struct Names;

impl Endpoint for Names {
    type Request = WhoamiNamesRequest;
    type Answer = WhoamiNamesResponse;

    const PATH: &'static str = "/v1/whoami.names";
    const NEEDS: Permission = Get::NEEDS;
    /// As much as is read of a caller without permissions.
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(16 << 10);

    async fn call(ctx: &RequestContext, request: WhoamiNamesRequest) -> Result<WhoamiNamesResponse, ApiError> {
        let namespace = or_system(&request.namespace);
        if request.user_ids.len() + request.role_ids.len() > NAMES_MAX {
            return Err(ApiError::bad(format!("user_ids is invalid; at most {NAMES_MAX} ids at once, with role_ids")));
        }
        let mut known = KnownUsers::new(ctx);
        let (mut users, mut roles) = (BTreeMap::new(), BTreeMap::new());
        for id in request.user_ids {
            let name = known.name(&id, namespace).await?;
            if !name.is_empty() {
                users.insert(id, name);
            }
        }
        if ctx.permissions_in(namespace).await?.has(Permission::RoleList) {
            for id in request.role_ids {
                if let Some(role) = Role::bindable(ctx.records(), namespace, &id).await? {
                    roles.insert(id, role.name);
                }
            }
        }
        Ok(WhoamiNamesResponse { users, roles })
    }
}
