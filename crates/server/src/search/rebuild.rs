//! Make the index anew out of the store.

use redrive_proto::redrive::v1::{SearchRebuildRequest, SearchRebuildResponse};

use super::{index, unsearched};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
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

    /// It goes on when the caller does not wait any more.
    async fn call(desk: &Desk, _request: SearchRebuildRequest) -> Result<SearchRebuildResponse, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let index = index(desk)?;
        desk.record_act().await?;
        let rebuilt = desk.while_open(async { index.projection.rebuild().await.map_err(unsearched) }).await?;
        Ok(SearchRebuildResponse {
            index: rebuilt.index,
            letters: big_count(rebuilt.letters),
            digest: rebuilt.digest,
            left_aside: rebuilt.left_aside.unwrap_or_default(),
        })
    }
}
