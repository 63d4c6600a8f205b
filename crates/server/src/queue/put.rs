//! Produce items with all fields that an item can have, and report their ids.

use std::sync::Arc;

use redrive_core::Priority;
use redrive_model::{Content, HeldItem, NewItem, Produce, ProducedItem, RequestKey};
use redrive_proto::redrive::v1::{self, PutItem, PutResult, QueuePutRequest, QueuePutResponse};

use super::item_id;
use super::produce::{MAY_BE_STORED, check, checked_items, payload};
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::traffic::Kind;
use crate::wire::{count, duration, expire_timeout, time};

const SEND_AGAIN: &str =
    "request timeout; outcome unknown, send it again with the same request_id: nothing is stored twice";

pub(crate) struct Put;

impl Endpoint for Put {
    type Request = QueuePutRequest;
    type Answer = QueuePutResponse;

    const PATH: &'static str = "/v1/queue.put";
    const NEEDS: Permission = Permission::QueueProduce;
    const BODY_MAX: BodyLimit = BodyLimit::Produce;

    async fn call(ctx: &RequestContext, request: QueuePutRequest) -> Result<QueuePutResponse, ApiError> {
        let wait = check(&request.request_timeout, request.items.len(), ctx.settings());
        let items = checked_items(request.items, new_item);
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&wait).with_problems_of(&items))?;
        let completes = match &request.completes {
            Some(held) => Some(held_item(ctx, held).await?),
            None => None,
        };
        let wait = wait.map_err(|error| error.with_problems_of(&items));
        let produce = wait.and_then(|wait| {
            let items = items?;
            let request_id = match request.request_id.as_str() {
                "" => None,
                id => Some(Box::new(RequestKey::new(id, &items, completes.as_ref())?)),
            };
            Ok((wait, Produce { queue: queue.clone(), items, request_id, completes: completes.map(Box::new) }))
        });
        let (wait, produce) = ctx.checked(&queue, None, produce).await?;
        let on_timeout = if produce.request_id.is_some() { SEND_AGAIN } else { MAY_BE_STORED };
        let _in_flight = ctx.app.traffic.enter(&queue, Kind::Produce);
        let produced = ctx.within(&queue, wait, ctx.store().produce(produce)).await;
        let produced = produced.map_err(|error| error.or_if_timed_out(on_timeout))?;
        Ok(QueuePutResponse {
            partition: count(produced.partition),
            items: produced.items.into_iter().map(put_result).collect(),
        })
    }
}

/// The leased item that the request completes, after a check of the caller's permission on its queue.
async fn held_item(ctx: &RequestContext, held: &v1::HeldItem) -> Result<HeldItem, ApiError> {
    let queue = ctx.queue(&held.queue_name, Permission::QueueComplete).await?;
    let id = ctx.checked(&queue, None, item_id(&held.id)).await?;
    Ok(HeldItem { queue, id })
}

fn new_item(item: PutItem) -> Result<NewItem, ApiError> {
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        key: item.key,
        headers: item.headers.into_iter().map(Into::into).collect(),
        payload: payload(item.bytes, item.utf8),
    };
    let mut problems = Problems::default();
    let item = NewItem {
        content: Arc::new(content),
        enqueue_at: problems.field("enqueue_at", time("enqueue_at", item.enqueue_at)),
        expire_after: problems.field("expire_timeout", expire_timeout(&item.expire_timeout)),
        priority: problems.field("priority", priority(&item.priority)),
        message_id: (!item.message_id.is_empty()).then(|| item.message_id.into_boxed_str()),
        remember_for: problems.field("remember_for", duration("remember_for", &item.remember_for)),
    };
    problems.finish(item)
}

fn priority(text: &str) -> Result<Priority, ApiError> {
    if text.is_empty() {
        return Ok(Priority::default());
    }
    text.parse().map_err(|_| ApiError::bad(format!("priority is invalid; '{text}' is not one of high, medium, low")))
}

fn put_result(item: ProducedItem) -> PutResult {
    match item {
        ProducedItem::New(id) => PutResult { id: id.to_string(), is_duplicate: false },
        ProducedItem::Duplicate(id) => PutResult { id: id.to_string(), is_duplicate: true },
    }
}
