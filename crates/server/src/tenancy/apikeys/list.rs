//! List API keys in the order of their ids, all or those of one user.

use redrive_proto::querator::{ApiKeysListRequest, ApiKeysListResponse};

use super::ApiKey;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::records::Link;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = ApiKeysListRequest;
    type Answer = ApiKeysListResponse;

    const PATH: &'static str = "/v1/apikeys.list";
    const NEEDS: Permission = Permission::ApiKeyList;

    async fn call(ctx: &RequestContext, request: ApiKeysListRequest) -> Result<ApiKeysListResponse, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let records = ctx.records();
        let keys = if request.user_id.is_empty() {
            let found = records.page::<ApiKey>(ApiKey::prefix(), &request.pivot, limit).await?;
            found.into_iter().map(|read| read.record).collect()
        } else {
            let found = records.page::<Link>(ApiKey::user_prefix(&request.user_id), &request.pivot, limit).await?;
            ApiKey::linked(records, found.into_iter().map(|read| read.record).collect()).await?
        };
        Ok(ApiKeysListResponse { items: ApiKey::infos(records, keys).await? })
    }
}
