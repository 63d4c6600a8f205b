//! How long a status asks us to wait, in its details: a `google.rpc.Status` that holds a `google.rpc.RetryInfo`.

use redrive_core::Span;

use super::protobuf::{ProtobufFields, Value};

const RETRY_INFO: &[u8] = b"google.rpc.RetryInfo";

/// The delay of the first `RetryInfo` among the details.
pub(super) fn retry_delay(status: &[u8]) -> Option<Span> {
    const DETAILS: u64 = 3;
    ProtobufFields::of(status).filter(|(field, _)| *field == DETAILS).find_map(|(_, value)| match value {
        Value::Bytes(any) => of_any(any),
        Value::Number(_) => None,
    })
}

/// From a `google.protobuf.Any`, if it holds a `RetryInfo`.
fn of_any(any: &[u8]) -> Option<Span> {
    let Value::Bytes(type_url) = ProtobufFields::of(any).last(1)? else { return None };
    if type_url.rsplit(|byte| *byte == b'/').next() != Some(RETRY_INFO) {
        return None;
    }
    let Value::Bytes(retry_info) = ProtobufFields::of(any).last(2)? else { return None };
    let Value::Bytes(duration) = ProtobufFields::of(retry_info).last(1)? else { return None };
    let part = |number| match ProtobufFields::of(duration).last(number) {
        // A field that is zero is not sent. A negative one is written as a number above all others.
        Some(Value::Number(part)) => i64::from_le_bytes(part.to_le_bytes()),
        _ => 0,
    };
    let (secs, nanos) = (u64::try_from(part(1)).ok()?, u64::try_from(part(2)).ok()?);
    Some(Span::from_secs(secs).saturating_add(Span::from_micros(nanos / 1_000)))
}

#[cfg(test)]
mod tests {
    use redrive_core::Span;

    use super::retry_delay;

    /// A field that holds bytes.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u8::try_from(bytes.len()).unwrap();
        [&[number << 3 | 2, length], bytes].concat()
    }

    fn status(duration: &[u8]) -> Vec<u8> {
        let retry_info = field(1, duration);
        let other = [field(1, b"type.googleapis.com/google.rpc.DebugInfo"), field(2, b"\x0a\x01x")].concat();
        let any = [field(1, b"type.googleapis.com/google.rpc.RetryInfo"), field(2, &retry_info)].concat();
        [b"\x08\x0e".to_vec(), field(2, b"later"), field(3, &other), field(3, &any)].concat()
    }

    #[test]
    fn the_delay_is_found_among_other_details() {
        assert_eq!(retry_delay(&status(b"\x08\x07\x10\x80\xca\xb5\xee\x01")), Some(Span::from_millis(7_500)));
        assert_eq!(retry_delay(&status(b"\x08\x07")), Some(Span::from_secs(7)));
        assert_eq!(retry_delay(&status(b"")), Some(Span::ZERO));
    }

    #[test]
    fn a_negative_delay_asks_for_nothing() {
        assert_eq!(retry_delay(&status(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")), None);
    }

    #[test]
    fn damaged_details_ask_for_nothing_and_do_no_harm() {
        let whole = status(b"\x08\x07");
        for length in 0..whole.len() {
            assert_eq!(retry_delay(&whole[..length]), None);
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0xff;
            // Whatever it says then, it says it without a panic.
            let _delay = retry_delay(&damaged);
        }
    }
}
