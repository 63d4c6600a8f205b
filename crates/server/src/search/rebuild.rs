//! Rebuild the search index from the store.

use redrive_proto::redrive::v1::{SearchRebuildRequest, SearchRebuildResponse};

use super::{index, search_error};
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;
use crate::wire::big_count;

pub(crate) struct Rebuild;

impl Endpoint for Rebuild {
    type Request = SearchRebuildRequest;
    type Answer = SearchRebuildResponse;

    const PATH: &'static str = "/v1/search.rebuild";
    const NEEDS: Permission = Permission::LettersConfigure;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(_request: &SearchRebuildRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("act", "rebuild")])
    }

    /// The rebuild continues if the caller disconnects.
    async fn call(ctx: &RequestContext, _request: SearchRebuildRequest) -> Result<SearchRebuildResponse, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let index = index(ctx)?;
        ctx.record_act().await?;
        let rebuilt = ctx.until_shutdown(async { index.projection.rebuild().await.map_err(search_error) }).await?;
        Ok(SearchRebuildResponse {
            index: rebuilt.index,
            letters: big_count(rebuilt.letters),
            digest: rebuilt.digest,
            left_aside: rebuilt.left_aside.unwrap_or_default(),
        })
    }
}
