//! Limits the number of parts of a message before it is decoded: two bytes on the wire may be hundreds in memory.

use bytes::{Buf, Bytes};
use redrive_proto::prost::encoding::{DecodeContext, decode_key, skip_field};

use super::wire_format::WireFormat;
use crate::api_error::{ApiError, Code};

/// Number of parts that any message may have.
const PARTS_MIN: usize = 10_000;
/// A call with a larger maximum body allows one part for each of these bytes.
const PART_BYTES: usize = 64;

/// Rejects a message with more parts than its maximum body allows. A malformed message passes: the decoder reports it.
pub(super) fn check(format: WireFormat, body: &Bytes, body_max: usize) -> Result<(), ApiError> {
    let most = (body_max / PART_BYTES).max(PARTS_MIN);
    // A part takes at least two bytes.
    if body.len() / 2 <= most {
        return Ok(());
    }
    let count = match format {
        WireFormat::Protobuf => fields(body.clone()),
        WireFormat::Json => objects(body),
    };
    if count > most {
        let message = format!("the message has {count} parts; at most {most} are read, send fewer at a time");
        return Err(ApiError::new(Code::ContentError, message));
    }
    Ok(())
}

/// The number of top-level fields of a protobuf message. Nested ones are bounded by the limits of an item.
fn fields(mut body: Bytes) -> usize {
    let mut count = 0;
    while body.has_remaining() {
        let Ok((tag, wire)) = decode_key(&mut body) else { return count };
        count += 1;
        if skip_field(wire, tag, &mut body, DecodeContext::default()).is_err() {
            return count;
        }
    }
    count
}

/// The number of objects of a JSON text; all other values take about as much memory as text.
fn objects(body: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in body {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_strings_are_not_objects() {
        assert_eq!(objects(br#"{"a":"{\"{","b":[1,2,{}]}"#), 2);
    }

    #[test]
    fn a_very_long_list_is_rejected_before_it_is_decoded() {
        let body = Bytes::from([0x1a, 0].repeat(PARTS_MIN + 1));
        assert!(check(WireFormat::Protobuf, &body, 0).is_err());
        assert!(check(WireFormat::Protobuf, &body, (PARTS_MIN + 1) * PART_BYTES).is_ok());
        let body = Bytes::from(format!("[{}]", vec!["{}"; PARTS_MIN + 1].join(",")));
        assert!(check(WireFormat::Json, &body, 0).is_err());
        assert!(check(WireFormat::Json, &body, (PARTS_MIN + 1) * PART_BYTES).is_ok());
    }

    #[test]
    fn a_large_payload_is_one_part() {
        let mut body = vec![0x0a, 0x80, 0x80, 0x40];
        body.resize(4 + (1 << 20), 7);
        assert!(check(WireFormat::Protobuf, &body.into(), 0).is_ok());
        assert!(check(WireFormat::Json, &Bytes::from(format!(r#"{{"a":"{}"}}"#, "{".repeat(1 << 20))), 0).is_ok());
    }
}
