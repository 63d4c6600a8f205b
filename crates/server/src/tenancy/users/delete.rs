//! Delete a user with their API keys and role bindings.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::UsersDeleteRequest;

use super::User;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::tenancy::{ApiKey, Binding};

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = UsersDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/users.delete";
    const NEEDS: Permission = Permission::UserDelete;

    fn targets(request: &UsersDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("user", &request.id)])
    }

    async fn call(ctx: &RequestContext, request: UsersDeleteRequest) -> Result<Reply, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        ctx.change_tenancy_only(|| async move {
            let found = User::find(ctx.records(), id).await?;
            let user = found.ok_or_else(|| User::missing(id))?.record;
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
