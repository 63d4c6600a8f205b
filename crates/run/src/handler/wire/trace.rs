//! The W3C trace context of a request.

use crate::Work;

/// The `traceparent` of this request, if the trace id of the work is valid by the W3C specification. A trace id that is
/// a complete `traceparent` is passed on unchanged.
///
/// The request is a separate span, whose id is a function of the delivery. It is marked as sampled: operators look for
/// the traces of retried work.
pub(super) fn traceparent(trace_id: &str, work: &Work) -> Option<String> {
    if is_traceparent(trace_id) {
        return Some(trace_id.to_owned());
    }
    is_id(trace_id, 32).then(|| format!("00-{trace_id}-{:016x}-01", span_id(work)))
}

fn is_traceparent(text: &str) -> bool {
    let mut fields = text.split('-');
    let mut is = |digits| fields.next().is_some_and(|field| is_hex(field, digits));
    let is_of_form = text.starts_with("00-") && is(2) && is(32) && is(16) && is(2) && fields.next().is_none();
    is_of_form && is_id(&text[3..35], 32) && is_id(&text[36..52], 16)
}

fn is_id(text: &str, digits: usize) -> bool {
    is_hex(text, digits) && text.bytes().any(|digit| digit != b'0')
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// FNV-1a over the identity of the delivery.
fn span_id(work: &Work) -> u64 {
    let deliveries = work.deliveries.to_be_bytes();
    let key = work.idempotency_key();
    let bytes = key.bytes().chain(deliveries);
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // Zero is not a valid id.
    hash.max(1)
}
