//! Remove a key.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::ApiKeysDeleteRequest;

use super::ApiKey;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = ApiKeysDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/apikeys.delete";
    const NEEDS: Permission = Permission::ApiKeyDelete;

    fn targets(request: &ApiKeysDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("apikey", &request.id)])
    }

    async fn call(desk: &Desk, request: ApiKeysDeleteRequest) -> Result<Reply, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        desk.amend_quietly(|| async move {
            let found = desk.records().get::<ApiKey>(ApiKey::key(id)).await?;
            let key = found.ok_or_else(ApiKey::missing)?.record;
            Ok(Change::of_keys(key.deletes()).target("user", &key.user_id).before(&key))
        })
        .await
    }
}
