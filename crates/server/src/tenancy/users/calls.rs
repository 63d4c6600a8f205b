//! The calls about users.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{
    UsersCreateRequest, UsersCreateResponse, UsersDeleteRequest, UsersListRequest, UsersListResponse,
};

use super::User;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::{ANONYMOUS, Permission};
use crate::http::Endpoint;
use crate::paging;
use crate::problems::Problems;
use crate::records::{Link, RecordTime};
use crate::request_context::RequestContext;
use crate::tenancy::field::{NAME_BYTES_MAX, TEXT_BYTES_MAX, at_most, not_empty};
use crate::tenancy::{ApiKey, Binding};

/// Create a user.
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = UsersCreateRequest;
    type Answer = UsersCreateResponse;

    const PATH: &'static str = "/v1/users.create";
    const NEEDS: Permission = Permission::UserCreate;

    fn targets(request: &UsersCreateRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("username", &request.username)])
    }

    async fn call(ctx: &RequestContext, request: UsersCreateRequest) -> Result<UsersCreateResponse, ApiError> {
        let mut problems = Problems::default();
        problems.field("username", at_most("username", &request.username, NAME_BYTES_MAX));
        problems.field("username", not_empty("username", &request.username));
        problems.field("email", at_most("email", &request.email, TEXT_BYTES_MAX));
        problems.field("external_id", at_most("external_id", &request.external_id, TEXT_BYTES_MAX));
        problems.finish(())?;
        ctx.allow(Self::NEEDS, None).await?;
        let now = RecordTime(ctx.now());
        let user = User {
            id: ctx.new_id(),
            username: request.username,
            external_id: request.external_id,
            email: request.email,
            created_at: now,
            updated_at: now,
        };
        let user = &user;
        let id = ctx.change_tenancy(|| async move {
            let name = &user.username;
            let taken = ctx.records().get::<Link>(User::name_key(name)).await?;
            // `anonymous` is reserved for callers without an API key, also while authentication is off.
            if taken.is_some() || name == ANONYMOUS {
                let error = ApiError::bad(format!("username is already taken; '{name}' is already taken"));
                return Err(error.because("username_taken"));
            }
            Ok((Change::of_keys(user.puts().into()).target("user", &user.id).after(user), user.id.clone()))
        });
        Ok(UsersCreateResponse { id: id.await? })
    }
}

/// Delete a user with their API keys and role bindings.
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = UsersDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/users.delete";
    const NEEDS: Permission = Permission::UserDelete;

    fn targets(request: &UsersDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("user", &request.id)])
    }

    async fn call(ctx: &RequestContext, request: UsersDeleteRequest) -> Result<Reply, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        ctx.change_tenancy_only(|| async move {
            let found = User::find(ctx.records(), id).await?;
            let user = found.ok_or_else(|| User::missing(id))?;
            let mut change = Change::of_keys(user.deletes().into()).before(&user);
            for key in ApiKey::of_user(ctx.records(), id).await? {
                change = change.target("apikey", &key.id).with_writes(key.deletes());
            }
            for binding in Binding::of_user(ctx.records(), id).await? {
                change = change.target("rolebinding", &binding.id).with_writes(binding.deletes());
            }
            Ok(change)
        })
        .await
    }
}

/// List users in the order of their ids.
pub(crate) struct List;

impl Endpoint for List {
    type Request = UsersListRequest;
    type Answer = UsersListResponse;

    const PATH: &'static str = "/v1/users.list";
    const NEEDS: Permission = Permission::UserList;

    async fn call(ctx: &RequestContext, request: UsersListRequest) -> Result<UsersListResponse, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<User>(User::prefix(), &request.pivot, limit).await?;
        Ok(UsersListResponse { items: found.into_iter().map(User::info).collect() })
    }
}
