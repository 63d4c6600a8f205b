//! Lists in pieces that a server takes.

use redrive_core::{ItemId, Span};
use redrive_model::{Extend, OnRejected, Rejection, Settle};
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{QueueExtendRequest, QueueSettleRequest, SettleItem};

use super::item::number;

/// So many items at most are claimed, settled or extended by one request.
pub(super) const BATCH_MAX: u64 = 1_000;
pub(super) const IDS_MAX: usize = 1_000;
/// A server takes five million bytes of results, unless it was told otherwise; the rest is for the envelope.
const SETTLE_BYTES_MAX: usize = 4_900_000;
/// What stands before an item in a list: its tag and its length.
const ITEM_HEAD_BYTES: usize = 6;

/// An empty id of a producer's own means none on the wire: it is refused here, as a store would.
pub(super) fn check_ids<'i>(mut ids: impl Iterator<Item = Option<&'i str>>) -> Result<(), Rejection> {
    const BYTES_MAX: usize = 512;
    if ids.any(|id| id == Some("")) { Err(Rejection::BadSourceId { most: BYTES_MAX }) } else { Ok(()) }
}

/// The ids in pieces; at least one.
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

/// All of them, or an error before anything is sent: a piece that cannot be sent must not come behind one that was.
pub(super) fn settlements(settle: &Settle, items: Vec<SettleItem>) -> Result<Vec<QueueSettleRequest>, Rejection> {
    if items.is_empty() {
        return Err(Rejection::Empty { what: "items" });
    }
    let mut requests: Vec<QueueSettleRequest> = Vec::new();
    let mut room = 0;
    for item in items {
        let bytes = item.encoded_len() + ITEM_HEAD_BYTES;
        if bytes > SETTLE_BYTES_MAX {
            return Err(Rejection::TooLarge { bytes, most: SETTLE_BYTES_MAX });
        }
        match requests.last_mut() {
            Some(request) if request.items.len() < IDS_MAX && bytes <= room => request.items.push(item),
            _ => {
                room = SETTLE_BYTES_MAX;
                requests.push(QueueSettleRequest {
                    queue_name: settle.queue.to_string(),
                    partition: settle.partition.map(number),
                    items: vec![item],
                    stop_at_refused: settle.on_rejected == OnRejected::Stop,
                });
            }
        }
        room -= bytes;
    }
    Ok(requests)
}
