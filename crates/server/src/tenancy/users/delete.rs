//! Remove a user with their keys and bindings.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::UsersDeleteRequest;

use super::User;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
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

    async fn call(desk: &Desk, request: UsersDeleteRequest) -> Result<Reply, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        desk.amend_quietly(|| async move {
            let found = User::find(desk.records(), id).await?;
            let user = found.ok_or_else(|| User::missing(id))?.record;
            let mut change = Change::of_keys(user.deletes().into()).before(&user);
            for key in ApiKey::of_user(desk.records(), id).await? {
                change = change.target("apikey", &key.id).along(key.deletes());
            }
            for binding in Binding::of_user(desk.records(), id).await? {
                change = change.target("rolebinding", &binding.id).along(binding.deletes());
            }
            Ok(change)
        })
        .await
    }
}
