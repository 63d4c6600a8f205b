//! Splits long requests into several within the limits of a server.

use redrive_core::Span;
use redrive_model::Rejection;
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::SettleItem;

/// The most items that one request claims, settles or extends.
pub(super) const BATCH_MAX: u64 = 1_000;
pub(super) const IDS_MAX: usize = 1_000;
/// The default limit of a server for a settle request is 5 000 000 bytes; the rest is for the envelope.
const SETTLE_BYTES_MAX: usize = 4_900_000;
/// The tag and the length of an item in a list.
const ITEM_HEAD_BYTES: usize = 6;

/// The items of each request, or an error before any is sent.
pub(super) fn of_settlements(items: Vec<SettleItem>) -> Result<Vec<Vec<SettleItem>>, Rejection> {
    let mut batches: Vec<Vec<SettleItem>> = Vec::new();
    let mut bytes_left = 0;
    for item in items {
        let bytes = item.encoded_len() + ITEM_HEAD_BYTES;
        if bytes > SETTLE_BYTES_MAX {
            return Err(Rejection::TooLarge { bytes, most: SETTLE_BYTES_MAX });
        }
        match batches.last_mut() {
            Some(batch) if batch.len() < IDS_MAX && bytes <= bytes_left => batch.push(item),
            _ => {
                bytes_left = SETTLE_BYTES_MAX;
                batches.push(vec![item]);
            }
        }
        bytes_left -= bytes;
    }
    Ok(batches)
}

/// The timeouts of the requests that together wait for this time, each within the limits of a request. A wait of zero is one
/// request that does not wait.
pub(super) fn times_of_wait(wait: Span) -> impl Iterator<Item = Span> {
    const LEAST: Span = Span::from_millis(10);
    const MOST: Span = Span::from_mins(15);
    let mut left = Some(wait);
    std::iter::from_fn(move || {
        let now = left?;
        left = Some(now.saturating_sub(MOST)).filter(|left| !left.is_zero());
        Some(if now.is_zero() { now } else { now.clamp(LEAST, MOST) })
    })
}

#[cfg(test)]
mod tests {
    use super::{Span, times_of_wait};

    #[test]
    fn a_wait_is_split_into_requests_within_the_limits() {
        let times = |wait| times_of_wait(wait).map(|time| time.to_string()).collect::<Vec<_>>();
        assert_eq!(times(Span::ZERO), ["0s"]);
        assert_eq!(times(Span::from_millis(1)), ["10ms"]);
        assert_eq!(times(Span::from_mins(15)), ["15m0s"]);
        assert_eq!(times(Span::from_mins(40)), ["15m0s", "15m0s", "10m0s"]);
    }
}
