//! `search.*`: the OpenSearch index of letters.

use redrive_core::Span;
use redrive_proto::redrive::v1::{
    SearchRebuildRequest, SearchRebuildResponse, SearchRestoreRequest, SearchRestoreResponse, SearchStatusRequest,
    SearchStatusResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

/// Building an index of millions of letters takes minutes.
const REBUILD: Span = Span::from_hours(6);
/// Maximum time for a page of large letters.
const PAGE: Span = Span::from_mins(2);

impl Client {
    /// Reports the state of the index.
    pub async fn search_status(&self) -> Result<SearchStatusResponse, ClientError> {
        self.call(Call::read("/v1/search.status"), &SearchStatusRequest {}).await
    }

    /// Builds a new index from the store, and waits for it. The rebuild continues if the caller disconnects.
    pub async fn rebuild_index(&self) -> Result<SearchRebuildResponse, ClientError> {
        self.call(Call { wait: REBUILD, ..Call::act("/v1/search.rebuild") }, &SearchRebuildRequest {}).await
    }

    /// Restores a page of letters from the index. Letters that were restored before are skipped, so the call is
    /// idempotent, except for the first page, which is rejected if the store has letters.
    pub async fn restore_from_index(
        &self,
        request: &SearchRestoreRequest,
    ) -> Result<SearchRestoreResponse, ClientError> {
        const PATH: &str = "/v1/search.restore";
        let is_repeatable = request.merge || !request.after.is_empty();
        let call = if is_repeatable { Call::read(PATH) } else { Call::act(PATH) };
        self.call(Call { wait: PAGE, ..call }, request).await
    }
}
