//! Create a user.

use redrive_proto::querator::{UsersCreateRequest, UsersCreateResponse};

use super::User;
use crate::audit::{AuditTarget, Change};
use crate::auth::{ANONYMOUS, Permission};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::{Link, RecordTime};
use crate::request_context::RequestContext;
use crate::tenancy::field::{NAME_BYTES_MAX, TEXT_BYTES_MAX, at_most, not_empty};

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = UsersCreateRequest;
    type Answer = UsersCreateResponse;

    const PATH: &'static str = "/v1/users.create";
    const NEEDS: Permission = Permission::UserCreate;

    fn targets(request: &UsersCreateRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("username", &request.username)])
    }

    async fn call(ctx: &RequestContext, request: UsersCreateRequest) -> Result<UsersCreateResponse, Fault> {
        at_most("username", &request.username, NAME_BYTES_MAX)?;
        not_empty("username", &request.username)?;
        at_most("email", &request.email, TEXT_BYTES_MAX)?;
        at_most("external_id", &request.external_id, TEXT_BYTES_MAX)?;
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
                return Err(Fault::bad(format!("username is already taken; '{name}' is already taken")));
            }
            Ok((Change::of_keys(user.puts().into()).target("user", &user.id).after(user), user.id.clone()))
        });
        Ok(UsersCreateResponse { id: id.await? })
    }
}
