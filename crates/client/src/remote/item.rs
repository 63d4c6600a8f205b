//! Items between a store's words and the wire's.

use std::sync::Arc;

use redrive_core::{ItemId, Priority};
use redrive_model::{
    Content, DeliveryContext, Import, ImportItem, ItemInfo, ItemState, Leased, LetterCounts, LifetimeCounts, NewItem,
    PartitionStats, ProducedItem, QueueStats, RecentRates, StoredItem,
};
use redrive_proto::Timestamp;
use redrive_proto::querator::{QueuePartitionStats, QueueStatsResponse, StorageItem};
use redrive_proto::redrive::v1::{ClaimedItem, Header, PutItem, PutResult, QueueClaimResponse};

/// A number as the wire has it; one that does not fit is as large as can be said.
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

/// An item as it is listed.
pub(super) fn storage_stored(item: StorageItem, partition: u32) -> Option<StoredItem> {
    let content = Content {
        kind: item.kind.clone(),
        encoding: item.encoding.clone(),
        reference: item.reference.clone(),
        payload: item.payload.clone(),
        ..Content::default()
    };
    Some(StoredItem { info: storage_info(item, partition)?, content: Arc::new(content), context: None })
}

fn storage_info(item: StorageItem, partition: u32) -> Option<ItemInfo> {
    let id = item_id(&item.id)?;
    let state = if item.is_leased {
        ItemState::Leased { deadline: item.lease_deadline?.time()? }
    } else {
        item.enqueue_at.and_then(Timestamp::time).map_or(ItemState::Ready, |at| ItemState::Scheduled { at })
    };
    Some(ItemInfo {
        id,
        first_id: id,
        partition,
        source_id: (!item.source_id.is_empty()).then(|| item.source_id.into_boxed_str()),
        state,
        priority: Priority::default(),
        attempts: count(item.attempts)?,
        deliveries: count(item.attempts)?,
        max_attempts: count(item.max_attempts)?,
        created_at: item.created_at?.time()?,
        expires_at: item.expire_deadline.and_then(Timestamp::time),
        imported_lease_deadline: item.lease_deadline.filter(|_| !item.is_leased).and_then(Timestamp::time),
        is_hand_over_only: false,
        letter: None,
        is_edited: false,
    })
}

/// `None` where the wire cannot carry it.
pub(super) fn import_item(item: &ImportItem) -> Option<StorageItem> {
    let content = &item.content;
    let is_plain = content.key.is_none() && content.headers.is_empty() && item.priority == Priority::default();
    is_plain.then(|| StorageItem {
        source_id: item.source_id.as_deref().unwrap_or_default().to_owned(),
        is_leased: item.is_leased,
        lease_deadline: item.lease_deadline.map(Timestamp::from),
        expire_deadline: item.expires_at.map(Timestamp::from),
        enqueue_at: item.enqueue_at.map(Timestamp::from),
        attempts: number(item.attempts),
        max_attempts: number(item.max_attempts),
        reference: content.reference.clone(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        payload: content.payload.clone(),
        ..StorageItem::default()
    })
}

/// What became of each item: one that was skipped has no id.
pub(super) fn imported(import: &Import, answer: Vec<StorageItem>) -> Option<Vec<Option<ItemInfo>>> {
    if answer.len() != import.items.len() {
        return None;
    }
    let info = |item: StorageItem| match item.id.is_empty() {
        true => Some(None),
        false => storage_info(item, import.partition).map(Some),
    };
    answer.into_iter().map(info).collect()
}

pub(super) fn queue_stats(stats: &QueueStatsResponse) -> Option<QueueStats> {
    let logical = stats.logical_queues.first()?;
    Some(QueueStats {
        partitions: logical.partitions.iter().map(partition_stats).collect::<Option<Vec<_>>>()?,
        tally: LifetimeCounts::default(),
        letters: LetterCounts::default(),
        faults: 0,
        waiting: u64::try_from(logical.lease_waiting).ok()?,
        next_due_at: None,
        since_start: LifetimeCounts::default(),
        pace: RecentRates::default(),
        overdue: 0,
        oldest_pending_at: None,
        max_size: None,
    })
}

fn partition_stats(stats: &QueuePartitionStats) -> Option<PartitionStats> {
    Some(PartitionStats {
        partition: count(stats.partition)?,
        total: u64::try_from(stats.total).ok()?,
        leased: u64::try_from(stats.total_leased).ok()?,
        scheduled: u64::try_from(stats.scheduled).ok()?,
        stranded: 0,
        damaged: u64::try_from(stats.damaged).ok()?,
        average_age: stats.average_age.parse().ok()?,
        average_leased_age: stats.average_leased_age.parse().ok()?,
    })
}
