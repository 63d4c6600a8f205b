//! List queues in the order of their names.

use redrive_model::ListQueues;
use redrive_proto::querator::{QueueInfo, QueuesListRequest, QueuesListResponse};

use super::settings::namespace;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::paging::{self, ListPage};
use crate::problems::Problems;
use crate::request_context::RequestContext;

/// Number of queues that one read of the store returns.
const BATCH: usize = 1_000;

pub(crate) struct List;

impl Endpoint for List {
    type Request = QueuesListRequest;
    type Answer = QueuesListResponse;

    const PATH: &'static str = "/v1/queues.list";
    const NEEDS: Permission = Permission::QueueList;

    async fn call(ctx: &RequestContext, request: QueuesListRequest) -> Result<QueuesListResponse, ApiError> {
        let namespace = namespace(&request.namespace).ok();
        ctx.allow(Self::NEEDS, namespace.as_ref().and_then(Option::as_ref)).await?;
        let mut problems = Problems::default();
        let limit = problems.field("limit", paging::limit(request.limit, paging::LIMIT));
        let pivot = problems.field("pivot", pivot(&request.pivot));
        let (limit, mut pivot) = problems.finish((limit, pivot))?;
        // A namespace with an invalid name has no queues.
        let Some(namespace) = namespace else { return Ok(QueuesListResponse::default()) };
        let mut page = ListPage::new(limit);
        loop {
            let limit = page.remaining().min(BATCH);
            let queues = ctx.store().queues(ListQueues { namespace: Some(namespace.clone()), pivot, limit }).await?;
            queues.iter().for_each(|queue| page.push(QueueInfo::of(queue)));
            match queues.last() {
                // The smallest name after the last one.
                Some(last) if queues.len() == limit && page.remaining() > 0 => {
                    pivot = Some(format!("{}\0", last.name).into());
                }
                _ => return Ok(QueuesListResponse { items: page.into_entries() }),
            }
        }
    }
}

/// The name that the list begins at. It need not be a valid queue name.
pub(crate) fn pivot(text: &str) -> Result<Option<Box<str>>, ApiError> {
    if text.contains('~') {
        return Err(ApiError::bad(format!("pivot is invalid; '{text}' cannot contain '~' character")));
    }
    Ok((!text.is_empty()).then(|| text.into()))
}
