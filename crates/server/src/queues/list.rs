//! Queues by name.

use redrive_model::ListQueues;
use redrive_proto::querator::{QueuesListRequest, QueuesListResponse};

use super::settings::{namespace, queue_info};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

const LIMIT: usize = 1_000;
const LIMIT_MAX: i32 = 65_536;

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
        let limit = match request.limit {
            0 => LIMIT,
            limit if limit > LIMIT_MAX => {
                return Err(Fault::bad(format!("limit is invalid; cannot be greater than {LIMIT_MAX}")));
            }
            limit => usize::try_from(limit).map_err(|_| Fault::bad("limit is invalid; limit cannot be negative"))?,
        };
        let pivot = pivot(&request.pivot)?;
        // In a namespace that cannot be, nothing is.
        let Some(namespace) = namespace else { return Ok(QueuesListResponse::default()) };
        let list = ListQueues { namespace: Some(namespace), pivot, limit };
        let queues = desk.store().queues(list).await?;
        Ok(QueuesListResponse { items: queues.iter().map(queue_info).collect() })
    }
}

/// Where the list begins. A pivot need not be a name that a queue can have.
fn pivot(text: &str) -> Result<Option<Box<str>>, Fault> {
    if text.contains('~') {
        return Err(Fault::bad(format!("pivot is invalid; '{text}' cannot contain '~' character")));
    }
    Ok((!text.is_empty()).then(|| text.into()))
}
