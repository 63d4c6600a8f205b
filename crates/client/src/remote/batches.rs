//! Splits long requests into several within the limits of a server.

use redrive_core::{ItemId, Span};
use redrive_model::{Extend, OnRejected, Rejection, Settle};
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{QueueExtendRequest, QueueSettleRequest, SettleItem};

use super::item::number;

/// The most items that one request claims, settles or extends.
pub(super) const BATCH_MAX: u64 = 1_000;
pub(super) const IDS_MAX: usize = 1_000;
/// The default limit of a server for a settle request is 5 000 000 bytes; the rest is for the envelope.
const SETTLE_BYTES_MAX: usize = 4_900_000;
/// The tag and the length of an item in a list.
const ITEM_HEAD_BYTES: usize = 6;

/// Rejects empty message ids as a store does: in the API, an empty id means none.
pub(super) fn check_ids<'i>(mut ids: impl Iterator<Item = Option<&'i str>>) -> Result<(), Rejection> {
    const BYTES_MAX: usize = 512;
    if ids.any(|id| id == Some("")) { Err(Rejection::BadSourceId { most: BYTES_MAX }) } else { Ok(()) }
}

/// The ids in batches, at least one.
pub(super) fn of_ids(ids: &[ItemId]) -> Result<impl Iterator<Item = Vec<String>>, Rejection> {
    if ids.is_empty() {
        return Err(Rejection::Empty { what: "ids" });
    }
    Ok(ids.chunks(IDS_MAX).map(|ids| ids.iter().map(ToString::to_string).collect()))
}

pub(super) fn extensions(extend: &Extend) -> Result<impl Iterator<Item = QueueExtendRequest>, Rejection> {
    Ok(of_ids(&extend.ids)?.map(|ids| QueueExtendRequest {
        queue_name: extend.queue.to_string(),
        partition: extend.partition.map(number),
        ids,
        lease_timeout: extend.lease.as_ref().map(Span::to_string).unwrap_or_default(),
    }))
}

/// All requests, or an error before any is sent.
pub(super) fn settlements(settle: &Settle, items: Vec<SettleItem>) -> Result<Vec<QueueSettleRequest>, Rejection> {
    if items.is_empty() {
        return Err(Rejection::Empty { what: "items" });
    }
    let mut requests: Vec<QueueSettleRequest> = Vec::new();
    let mut bytes_left = 0;
    for item in items {
        let bytes = item.encoded_len() + ITEM_HEAD_BYTES;
        if bytes > SETTLE_BYTES_MAX {
            return Err(Rejection::TooLarge { bytes, most: SETTLE_BYTES_MAX });
        }
        match requests.last_mut() {
            Some(request) if request.items.len() < IDS_MAX && bytes <= bytes_left => request.items.push(item),
            _ => {
                bytes_left = SETTLE_BYTES_MAX;
                requests.push(QueueSettleRequest {
                    queue_name: settle.queue.to_string(),
                    partition: settle.partition.map(number),
                    items: vec![item],
                    stop_at_refused: settle.on_rejected == OnRejected::Stop,
                });
            }
        }
        bytes_left -= bytes;
    }
    Ok(requests)
}
