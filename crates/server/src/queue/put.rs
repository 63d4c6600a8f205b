//! Put items into a queue with all that an item can carry.

use std::sync::Arc;

use redrive_core::Priority;
use redrive_model::{Content, Header, NewItem, ProducedItem};
use redrive_proto::redrive::v1::{PutItem, PutResult, QueuePutRequest, QueuePutResponse};

use super::produce::{check, payload};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::{count, expire_timeout, time};

#[derive(Debug)]
pub(crate) struct Put;

impl Endpoint for Put {
    type Request = QueuePutRequest;
    type Answer = QueuePutResponse;

    const PATH: &'static str = "/v1/queue.put";
    const NEEDS: Permission = Permission::QueueProduce;

    fn body_max(settings: &Settings) -> usize {
        settings.produce_body_max
    }

    async fn call(desk: &Desk, request: QueuePutRequest) -> Result<QueuePutResponse, Fault> {
        let queue = desk.queue(&request.queue_name, Self::NEEDS).await?;
        let wait = check(&request.request_timeout, request.items.len(), desk.settings());
        let items = wait.and_then(|wait| {
            let items = request.items.into_iter().map(new_item).collect::<Result<Vec<_>, _>>()?;
            Ok((wait, items))
        });
        let (wait, items) = desk.checked(&queue, None, items).await?;
        let _passage = desk.app.traffic.enter(&queue, Kind::Produce);
        let produce = redrive_model::Produce { queue: queue.clone(), items };
        let produced = desk.within(&queue, wait, desk.store().produce(produce)).await?;
        Ok(QueuePutResponse {
            partition: count(produced.partition),
            items: produced.items.into_iter().map(put_result).collect(),
        })
    }
}

fn new_item(item: PutItem) -> Result<NewItem, Fault> {
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        key: item.key,
        headers: item.headers.into_iter().map(|header| Header { name: header.name, value: header.value }).collect(),
        payload: payload(item.bytes, item.utf8),
    };
    Ok(NewItem {
        content: Arc::new(content),
        enqueue_at: time("enqueue_at", item.enqueue_at)?,
        expire_after: expire_timeout(&item.expire_timeout)?,
        priority: priority(&item.priority)?,
        message_id: (!item.message_id.is_empty()).then(|| item.message_id.into_boxed_str()),
    })
}

fn priority(text: &str) -> Result<Priority, Fault> {
    if text.is_empty() {
        return Ok(Priority::default());
    }
    text.parse().map_err(|_| Fault::bad(format!("priority is invalid; '{text}' is not one of high, medium, low")))
}

fn put_result(item: ProducedItem) -> PutResult {
    match item {
        ProducedItem::New(id) => PutResult { id: id.to_string(), is_duplicate: false },
        ProducedItem::Duplicate(id) => PutResult { id: id.to_string(), is_duplicate: true },
    }
}
