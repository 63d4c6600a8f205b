//! `search.*`: the index of letters beside a server's store.

use redrive_core::Span;
use redrive_proto::redrive::v1::{
    SearchRebuildRequest, SearchRebuildResponse, SearchRestoreRequest, SearchRestoreResponse, SearchStatusRequest,
    SearchStatusResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

/// An index of millions of letters takes minutes to make.
const REBUILD: Span = Span::from_hours(6);
/// A page of large letters.
const PAGE: Span = Span::from_mins(2);

impl Client {
    /// How the index of letters fares.
    pub async fn search_status(&self) -> Result<SearchStatusResponse, ClientError> {
        self.ask(Call::read("/v1/search.status"), &SearchStatusRequest {}).await
    }

    /// Makes the index of letters anew out of the store, and waits for it. It goes on when nobody waits any more.
    pub async fn rebuild_index(&self) -> Result<SearchRebuildResponse, ClientError> {
        self.ask(Call { wait: REBUILD, ..Call::act("/v1/search.rebuild") }, &SearchRebuildRequest {}).await
    }

    /// Puts a page of letters back from the index. What was put back before is found there, so asking twice is as good as
    /// once; but for the first page, which is refused where it finds letters.
    pub async fn restore_from_index(
        &self,
        request: &SearchRestoreRequest,
    ) -> Result<SearchRestoreResponse, ClientError> {
        const PATH: &str = "/v1/search.restore";
        let is_repeatable = request.merge || !request.after.is_empty();
        let call = if is_repeatable { Call::read(PATH) } else { Call::act(PATH) };
        self.ask(Call { wait: PAGE, ..call }, request).await
    }
}
