//! Produce items.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::Span;
use redrive_model::{Content, NewItem};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{QueueProduceItem, QueueProduceRequest};

use super::timeout::Timeout;
use crate::api_error::{ApiError, done};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::time;

pub(crate) struct Produce;

impl Endpoint for Produce {
    type Request = QueueProduceRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.produce";
    const NEEDS: Permission = Permission::QueueProduce;
    const BODY_MAX: BodyLimit = BodyLimit::Produce;

    async fn call(ctx: &RequestContext, request: QueueProduceRequest) -> Result<Reply, ApiError> {
        let checked = check(&request.request_timeout, request.items.len(), ctx.settings());
        let items = checked_items(request.items, new_item);
        let checked = checked.map_err(|error| error.with_problems_of(&items));
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked).with_problems_of(&items))?;
        let wait = ctx.checked(&queue, None, checked).await?;
        let _in_flight = ctx.app.traffic.enter(&queue, Kind::Produce);
        let produce = redrive_model::Produce::new(queue.clone(), items?);
        let produced = ctx.within(&queue, wait, ctx.store().produce(produce)).await;
        produced.map_err(|error| error.or_if_timed_out(MAY_BE_STORED))?;
        Ok(done())
    }
}

/// The message of a produce that timed out without a request id: the items may be in the queue or not.
pub(super) const MAY_BE_STORED: &str = "request timeout; outcome unknown, the items may be stored or not: look before \
     producing them again, or use queue.put with a request_id";

/// Checks a request, except for its queue, and returns its timeout.
pub(super) fn check(timeout: &str, items: usize, settings: &Settings) -> Result<Span, ApiError> {
    let mut problems = Problems::default();
    let wait = problems.field("request_timeout", Timeout::parse(timeout).and_then(Timeout::of_wait));
    problems.field("items", check_count(items, settings));
    problems.finish(wait)
}

fn check_count(items: usize, settings: &Settings) -> Result<(), ApiError> {
    let most = settings.produce_batch_max;
    if items == 0 {
        return Err(ApiError::bad("items cannot be empty; at least one item is required")
            .because("empty")
            .with("what", "items"));
    }
    if items > most {
        let error = ApiError::bad(format!("items is invalid; max_produce_batch_size is {most} but received {items}"));
        return Err(error.because("produce_batch_too_large").with("count", items).with("most", most));
    }
    Ok(())
}

/// Reads the items of a request.
pub(super) fn checked_items<T, U: Default>(
    items: Vec<T>,
    read: impl Fn(T) -> Result<U, ApiError>,
) -> Result<Vec<U>, ApiError> {
    let mut problems = Problems::default();
    let items = items.into_iter().enumerate();
    let items = items.map(|(number, item)| problems.field(format_args!("items[{number}]"), read(item))).collect();
    problems.finish(items)
}

fn new_item(item: QueueProduceItem) -> Result<NewItem, ApiError> {
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        payload: payload(item.bytes, item.utf8),
        ..Content::default()
    };
    let enqueue_at = time("enqueue_at", item.enqueue_at).map_err(|error| error.of_field("enqueue_at"))?;
    Ok(NewItem { content: Arc::new(content), enqueue_at, ..NewItem::default() })
}

/// The bytes of a payload; if they are empty, its text.
pub(crate) fn payload(bytes: Bytes, utf8: String) -> Bytes {
    if bytes.is_empty() { Bytes::from(utf8) } else { bytes }
}
