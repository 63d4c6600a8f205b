//! Converts stored items from and to messages of the API.

use redrive_model::{Content, ImportItem, ItemInfo, ItemState};
use redrive_proto::Timestamp;
use redrive_proto::querator::StorageItem;
use redrive_proto::redrive::v1;
use std::sync::Arc;

use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::problems::Problems;
use crate::wire::{count, one_of, time};

pub(super) fn storage_item(info: &ItemInfo, content: &Content) -> StorageItem {
    let enqueue_at = match info.state {
        ItemState::Scheduled { at } | ItemState::Due { at } => Some(at),
        ItemState::Leased { .. }
        | ItemState::Ready
        | ItemState::Stranded
        | ItemState::Finished
        | ItemState::Damaged => None,
    };
    let leased_until = info.state.lease_deadline();
    StorageItem {
        id: info.id.to_string(),
        source_id: info.source_id.as_deref().unwrap_or_default().to_owned(),
        is_leased: leased_until.is_some(),
        lease_deadline: Some(leased_until.or(info.imported_lease_deadline).into()),
        expire_deadline: Some(info.expires_at.into()),
        dead_deadline: None,
        created_at: Some(info.created_at.into()),
        updated_at: None,
        enqueue_at: enqueue_at.map(Timestamp::from),
        attempts: count(info.attempts),
        max_attempts: count(info.max_attempts),
        reference: content.reference.clone(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        payload: content.payload.clone(),
        ..StorageItem::default()
    }
}

/// The item with the fields that Querator does not have. Its clients may reject answers with them.
pub(super) fn extended_item(info: &ItemInfo, content: &Content) -> StorageItem {
    StorageItem {
        key: content.key.clone(),
        headers: content.headers.iter().map(v1::Header::from).collect(),
        priority: info.priority.to_string(),
        first_id: info.first_id.to_string(),
        deliveries: count(info.deliveries),
        is_condemned: info.is_hand_over_only,
        first_received_at: info.first_received_at.map(Timestamp::from),
        ..storage_item(info, content)
    }
}

/// The answer for an item that was not imported because its source id is already in the queue: the item as it was sent,
/// without an id. So the answer has one entry for each item of the request.
pub(super) fn skipped_item(item: &ImportItem) -> StorageItem {
    let content = &item.content;
    StorageItem {
        source_id: item.source_id.as_deref().unwrap_or_default().to_owned(),
        is_leased: item.is_leased,
        lease_deadline: Some(item.lease_deadline.into()),
        expire_deadline: Some(item.expires_at.into()),
        created_at: Some(None.into()),
        enqueue_at: item.enqueue_at.map(Timestamp::from),
        attempts: count(item.attempts),
        max_attempts: count(item.max_attempts),
        reference: content.reference.clone(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        payload: content.payload.clone(),
        ..StorageItem::default()
    }
}

/// Reads an item to import. Negative counts become 0.
pub(super) fn import_item(item: StorageItem) -> Result<ImportItem, ApiError> {
    let mut problems = Problems::default();
    let item = ImportItem {
        content: Arc::new(Content {
            kind: item.kind,
            encoding: item.encoding,
            reference: item.reference,
            payload: item.payload,
            key: item.key,
            headers: item.headers.into_iter().map(Into::into).collect(),
        }),
        source_id: (!item.source_id.is_empty()).then(|| item.source_id.into_boxed_str()),
        is_leased: item.is_leased,
        lease_deadline: problems.field("lease_deadline", time("lease_deadline", item.lease_deadline)),
        expires_at: problems.field("expire_deadline", time("expire_deadline", item.expire_deadline)),
        enqueue_at: problems.field("enqueue_at", time("enqueue_at", item.enqueue_at)),
        attempts: u32::try_from(item.attempts).unwrap_or_default(),
        max_attempts: u32::try_from(item.max_attempts).unwrap_or_default(),
        priority: problems.field("priority", one_of("priority", &item.priority)).unwrap_or_default(),
    };
    problems.finish(item)
}

/// The targets of an act on items. The items themselves are in the hash of its plan.
pub(super) fn targets(queue: &str, partition: i32, items: usize) -> Vec<AuditTarget> {
    let (partition, items) = (partition.to_string(), items.to_string());
    AuditTarget::list([("queue", queue), ("partition", &partition), ("items", &items)])
}
