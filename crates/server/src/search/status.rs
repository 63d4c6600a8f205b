//! Report the state of the search index.

use redrive_proto::redrive::v1::{SearchStatusRequest, SearchStatusResponse};

use super::index;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::letter_index::CaptureMode;
use crate::request_context::RequestContext;
use crate::wire::big_count;

pub(crate) struct Status;

impl Endpoint for Status {
    type Request = SearchStatusRequest;
    type Answer = SearchStatusResponse;

    const PATH: &'static str = "/v1/search.status";
    const NEEDS: Permission = Permission::LettersRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, _request: SearchStatusRequest) -> Result<SearchStatusResponse, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let index = index(ctx)?;
        let numbers = index.projection.numbers();
        Ok(SearchStatusResponse {
            index: index.projection.index().to_owned(),
            state: numbers.state.as_str().to_owned(),
            trouble: numbers.trouble.unwrap_or_default(),
            outbox_depth: big_count(numbers.outbox_depth),
            lag_ms: big_count(numbers.lag.as_micros() / 1_000),
            indexed: big_count(numbers.indexed),
            deleted: big_count(numbers.deleted),
            conflicts: big_count(numbers.conflicts),
            quarantined: big_count(numbers.quarantined),
            failures: big_count(numbers.failures),
            strict: index.capture != CaptureMode::Store,
            refilled: numbers.refill.map(|refill| big_count(refill.done)),
            refill_total: numbers.refill.map(|refill| big_count(refill.total)),
        })
    }
}
