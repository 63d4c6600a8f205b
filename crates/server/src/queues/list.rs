//! Queues by name.

use redrive_model::ListQueues;
use redrive_proto::querator::{QueuesListRequest, QueuesListResponse};

use super::settings::{namespace, queue_info};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::paging::{self, ListPage};

/// So many are read at a time.
const AT_ONCE: usize = 1_000;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = QueuesListRequest;
    type Answer = QueuesListResponse;

    const PATH: &'static str = "/v1/queues.list";
    const NEEDS: Permission = Permission::QueueList;

    async fn call(desk: &Desk, request: QueuesListRequest) -> Result<QueuesListResponse, Fault> {
        let namespace = namespace(&request.namespace).ok();
        desk.allow(Self::NEEDS, namespace.as_ref().and_then(Option::as_ref)).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let mut pivot = pivot(&request.pivot)?;
        // In a namespace that cannot be, nothing is.
        let Some(namespace) = namespace else { return Ok(QueuesListResponse::default()) };
        let mut page = ListPage::new(limit);
        loop {
            let wanted = page.room().min(AT_ONCE);
            let queues =
                desk.store().queues(ListQueues { namespace: Some(namespace.clone()), pivot, limit: wanted }).await?;
            queues.iter().for_each(|queue| page.push(queue_info(queue)));
            match queues.last() {
                // The first name that can follow.
                Some(last) if queues.len() == wanted && page.room() > 0 => {
                    pivot = Some(format!("{}\0", last.name).into());
                }
                _ => return Ok(QueuesListResponse { items: page.into_entries() }),
            }
        }
    }
}

/// Where the list begins. A pivot need not be a name that a queue can have.
fn pivot(text: &str) -> Result<Option<Box<str>>, Fault> {
    if text.contains('~') {
        return Err(Fault::bad(format!("pivot is invalid; '{text}' cannot contain '~' character")));
    }
    Ok((!text.is_empty()).then(|| text.into()))
}
