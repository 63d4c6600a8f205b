//! Rebuild the search index from the store.

use redrive_proto::redrive::v1::{SearchRebuildRequest, SearchRebuildResponse};

use super::{index, search_fault};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::big_count;

#[derive(Debug)]
pub(crate) struct Rebuild;

impl Endpoint for Rebuild {
    type Request = SearchRebuildRequest;
    type Answer = SearchRebuildResponse;

    const PATH: &'static str = "/v1/search.rebuild";
    const NEEDS: Permission = Permission::LettersConfigure;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(_request: &SearchRebuildRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("act", "rebuild")])
    }

    /// The rebuild continues if the caller disconnects.
    async fn call(ctx: &RequestContext, _request: SearchRebuildRequest) -> Result<SearchRebuildResponse, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let index = index(ctx)?;
        ctx.record_act().await?;
        let rebuilt = ctx.until_shutdown(async { index.projection.rebuild().await.map_err(search_fault) }).await?;
        Ok(SearchRebuildResponse {
            index: rebuilt.index,
            letters: big_count(rebuilt.letters),
            digest: rebuilt.digest,
            left_aside: rebuilt.left_aside.unwrap_or_default(),
        })
    }
}
