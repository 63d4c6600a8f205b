//! Keys by id, all of them or one user's.

use redrive_proto::querator::{ApiKeysListRequest, ApiKeysListResponse};

use super::ApiKey;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::paging;
use crate::records::Link;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = ApiKeysListRequest;
    type Answer = ApiKeysListResponse;

    const PATH: &'static str = "/v1/apikeys.list";
    const NEEDS: Permission = Permission::ApiKeyList;

    async fn call(desk: &Desk, request: ApiKeysListRequest) -> Result<ApiKeysListResponse, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let records = desk.records();
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
