//! Conversion of items between the model and the API.

use std::sync::Arc;

use redrive_model::{
    Content, DeliveryContext, HeldItem, ItemInfo, ItemState, Leased, NewItem, Produced, ProducedItem, Rejection,
    StoredItem, check_source_id,
};
use redrive_proto::Timestamp;
use redrive_proto::querator::StorageItem;
use redrive_proto::redrive::v1::{self, ClaimedItem, PutItem, PutResult, QueueClaimResponse, QueuePutResponse};

use super::{count, headers, text};

/// Rejects empty message ids as a store does: in the API, an empty id means none.
pub(crate) fn check_message_ids(items: &[NewItem]) -> Result<(), Rejection> {
    items.iter().filter_map(|item| item.message_id.as_deref()).try_for_each(check_source_id)
}

pub(crate) fn put_item(item: &NewItem) -> PutItem {
    let content = &item.content;
    PutItem {
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        enqueue_at: item.enqueue_at.map(Timestamp::from),
        bytes: content.payload.clone(),
        utf8: String::new(),
        key: content.key.clone(),
        headers: headers(content),
        message_id: item.message_id.as_deref().unwrap_or_default().to_owned(),
        priority: item.priority.to_string(),
        expire_timeout: item.expire_after.map(|span| span.to_string()).unwrap_or_default(),
        remember_for: item.remember_for.map(|span| span.to_string()).unwrap_or_default(),
    }
}

pub(crate) fn held_item(held: &HeldItem) -> v1::HeldItem {
    v1::HeldItem { queue_name: held.queue.to_string(), id: held.id.to_string() }
}

pub(crate) fn produced(answer: &QueuePutResponse) -> Option<Produced> {
    let item = |item: &PutResult| {
        let id = item.id.parse().ok()?;
        Some(if item.is_duplicate { ProducedItem::Duplicate(id) } else { ProducedItem::New(id) })
    };
    Some(Produced { partition: count(answer.partition)?, items: answer.items.iter().map(item).collect::<Option<_>>()? })
}

pub(crate) fn leased(answer: QueueClaimResponse) -> Option<Leased> {
    let partition = count(answer.partition)?;
    let items = answer.items.into_iter().map(|item| claimed_item(item, partition)).collect::<Option<Vec<_>>>()?;
    let damaged = answer.damaged.iter().map(|id| id.parse().ok()).collect::<Option<Vec<_>>>()?;
    Some(Leased { partition, items, damaged })
}

fn claimed_item(item: ClaimedItem, partition: u32) -> Option<StoredItem> {
    let info = ItemInfo {
        id: item.id.parse().ok()?,
        first_id: item.first_id.parse().ok()?,
        partition,
        source_id: text(item.source_id).map(String::into_boxed_str),
        state: ItemState::Leased { deadline: item.lease_deadline?.time()? },
        priority: item.priority.parse().ok()?,
        attempts: count(item.attempts)?,
        deliveries: count(item.deliveries)?,
        max_attempts: count(item.max_attempts)?,
        created_at: item.created_at?.time()?,
        first_received_at: item.first_received_at.and_then(Timestamp::time),
        expires_at: item.expire_deadline.and_then(Timestamp::time),
        imported_lease_deadline: None,
        is_hand_over_only: item.is_condemned,
        letter: None,
        is_edited: false,
    };
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        key: item.key,
        headers: item.headers.into_iter().map(Into::into).collect(),
        payload: item.payload,
    };
    let parts = item.parts.map(|parts| parts.names);
    let context = DeliveryContext { capture: None, parts, error: item.error, verdict: item.verdict };
    let context = (context != DeliveryContext::default()).then(|| Box::new(context));
    Some(StoredItem { info, content: Arc::new(content), context })
}

/// An item of a list. Its letter, if it is one, is not in the message.
pub(crate) fn listed_item(item: StorageItem, partition: u32) -> Option<StoredItem> {
    let lease_deadline = item.lease_deadline.and_then(Timestamp::time);
    let state = match item.enqueue_at.and_then(Timestamp::time) {
        _ if item.is_leased => ItemState::Leased { deadline: lease_deadline? },
        Some(at) => ItemState::Scheduled { at },
        None => ItemState::Ready,
    };
    let info = ItemInfo {
        id: item.id.parse().ok()?,
        first_id: item.first_id.parse().ok()?,
        partition,
        source_id: text(item.source_id).map(String::into_boxed_str),
        state,
        priority: item.priority.parse().ok()?,
        attempts: count(item.attempts)?,
        deliveries: count(item.deliveries)?,
        max_attempts: count(item.max_attempts)?,
        created_at: item.created_at?.time()?,
        first_received_at: item.first_received_at.and_then(Timestamp::time),
        expires_at: item.expire_deadline.and_then(Timestamp::time),
        imported_lease_deadline: lease_deadline.filter(|_| !item.is_leased),
        is_hand_over_only: item.is_condemned,
        letter: None,
        is_edited: false,
    };
    let content = Content {
        kind: item.kind,
        encoding: item.encoding,
        reference: item.reference,
        key: item.key,
        headers: item.headers.into_iter().map(Into::into).collect(),
        payload: item.payload,
    };
    Some(StoredItem { info, content: Arc::new(content), context: None })
}
