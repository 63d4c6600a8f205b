//! Delete an API key.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::ApiKeysDeleteRequest;

use super::ApiKey;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

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

    async fn call(ctx: &RequestContext, request: ApiKeysDeleteRequest) -> Result<Reply, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        ctx.change_tenancy_only(|| async move {
            let found = ctx.records().get::<ApiKey>(ApiKey::key(id)).await?;
            let key = found.ok_or_else(ApiKey::missing)?.record;
            Ok(Change::of_keys(key.deletes()).target("user", &key.user_id).before(&key))
        })
        .await
    }
}
