//! Conversion of items between the model and the API.

use std::sync::Arc;

use redrive_core::ItemId;
use redrive_model::{Content, DeliveryContext, ItemInfo, ItemState, Leased, NewItem, ProducedItem, StoredItem};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{ClaimedItem, Header, PutItem, PutResult, QueueClaimResponse};

/// A number of the API; the maximum if it does not fit.
pub(super) fn number(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

pub(super) fn item_id(text: &str) -> Option<ItemId> {
    text.parse().ok().map(ItemId::new)
}

pub(super) fn count(count: i32) -> Option<u32> {
    u32::try_from(count).ok()
}

pub(super) fn put_item(item: &NewItem) -> PutItem {
    let content = &item.content;
    let header = |header: &redrive_model::Header| Header { name: header.name.clone(), value: header.value.clone() };
    PutItem {
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        enqueue_at: item.enqueue_at.map(Timestamp::from),
        bytes: content.payload.clone(),
        utf8: String::new(),
        key: content.key.clone(),
        headers: content.headers.iter().map(header).collect(),
        message_id: item.message_id.as_deref().unwrap_or_default().to_owned(),
        priority: item.priority.to_string(),
        expire_timeout: item.expire_after.map(|span| span.to_string()).unwrap_or_default(),
    }
}

pub(super) fn produced_item(item: &PutResult) -> Option<ProducedItem> {
    let id = item_id(&item.id)?;
    Some(if item.is_duplicate { ProducedItem::Duplicate(id) } else { ProducedItem::New(id) })
}

pub(super) fn claimed(answer: QueueClaimResponse) -> Option<Leased> {
    let partition = count(answer.partition)?;
    let items = answer.items.into_iter().map(|item| claimed_item(item, partition)).collect::<Option<Vec<_>>>()?;
    let damaged = answer.damaged.iter().map(|id| item_id(id)).collect::<Option<Vec<_>>>()?;
    Some(Leased { partition, items, damaged })
}

fn claimed_item(item: ClaimedItem, partition: u32) -> Option<StoredItem> {
    let info = ItemInfo {
        id: item_id(&item.id)?,
        first_id: item_id(&item.first_id)?,
        partition,
        source_id: (!item.source_id.is_empty()).then(|| item.source_id.into_boxed_str()),
        state: ItemState::Leased { deadline: item.lease_deadline?.time()? },
        priority: item.priority.parse().ok()?,
        attempts: count(item.attempts)?,
        deliveries: count(item.deliveries)?,
        max_attempts: count(item.max_attempts)?,
        created_at: item.created_at?.time()?,
        expires_at: item.expire_deadline.and_then(Timestamp::time),
        imported_lease_deadline: None,
        is_hand_over_only: item.is_condemned,
        letter: None,
        is_edited: false,
    };
    let header = |header: Header| redrive_model::Header { name: header.name, value: header.value };
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        key: item.key,
        headers: item.headers.into_iter().map(header).collect(),
        payload: item.payload,
    };
    let context = item.parts.map(|parts| Box::new(DeliveryContext { parts: Some(parts.names), capture: None }));
    Some(StoredItem { info, content: Arc::new(content), context })
}
