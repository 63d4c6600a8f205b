//! The delay that a status asks for in its details: a `google.rpc.Status` that holds a `google.rpc.RetryInfo`.

use prost::Message;
use prost_types::{Any, Duration};
use redrive_core::Span;

const RETRY_INFO: &str = "google.rpc.RetryInfo";

/// The part of a `google.rpc.Status` that is read.
#[derive(Clone, PartialEq, Eq, Message)]
struct StatusDetails {
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, Copy, PartialEq, Eq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<Duration>,
}

/// The delay of the first `RetryInfo` among the details. `None` if there is none, or if it is negative or malformed.
pub(super) fn retry_delay(status: &[u8]) -> Option<Span> {
    let StatusDetails { details } = StatusDetails::decode(status).ok()?;
    let info = details.iter().find(|any| any.type_url.rsplit('/').next() == Some(RETRY_INFO))?;
    let Duration { seconds, nanos } = RetryInfo::decode(&*info.value).ok()?.retry_delay?;
    let (seconds, nanos) = (u64::try_from(seconds).ok()?, u64::try_from(nanos).ok()?);
    Some(Span::from_secs(seconds).saturating_add(Span::from_micros(nanos / 1_000)))
}

#[cfg(test)]
mod tests {
    use redrive_core::Span;

    use super::retry_delay;

    /// A length-delimited field.
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
    fn a_negative_delay_is_ignored() {
        assert_eq!(retry_delay(&status(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")), None);
    }

    #[test]
    fn damaged_details_ask_for_no_delay_and_do_not_panic() {
        let whole = status(b"\x08\x07");
        for length in 0..whole.len() {
            assert_eq!(retry_delay(&whole[..length]), None);
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0xff;
            // Any result is fine, a panic is not.
            let _delay = retry_delay(&damaged);
        }
    }
}
