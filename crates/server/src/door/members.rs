//! How many things a message holds, before any of them is made: two bytes on the wire may be hundreds in memory.

use bytes::{Buf, Bytes};
use redrive_proto::prost::encoding::{DecodeContext, decode_key, skip_field};

use super::form::Form;
use crate::fault::{Code, Fault};

/// A message may always have so many parts.
const LEAST: usize = 10_000;
/// Beyond them, a part takes so many bytes of what a body may have.
const PART_BYTES: usize = 64;

/// Refuses a message with more parts than one of this size can sensibly have. One that is broken is left to whoever
/// reads it.
pub(super) fn check(form: Form, body: &Bytes, body_max: usize) -> Result<(), Fault> {
    let most = (body_max / PART_BYTES).max(LEAST);
    // Nothing takes less than two bytes.
    if body.len() / 2 <= most {
        return Ok(());
    }
    let count = match form {
        Form::Protobuf => fields(body.clone()),
        Form::Json => objects(body),
    };
    if count > most {
        let message = format!("the message has {count} parts; at most {most} are read, send fewer at a time");
        return Err(Fault::new(Code::ContentError, message));
    }
    Ok(())
}

/// The fields of a protobuf message. Those inside of them are bounded by what one item may carry.
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

/// The objects of a JSON text; all else in it is hardly larger when it is read.
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
    fn braces_in_texts_are_no_objects() {
        assert_eq!(objects(br#"{"a":"{\"{","b":[1,2,{}]}"#), 2);
    }

    #[test]
    fn a_list_without_end_is_refused_before_it_is_made() {
        let body = Bytes::from([0x1a, 0].repeat(LEAST + 1));
        assert!(check(Form::Protobuf, &body, 0).is_err());
        assert!(check(Form::Protobuf, &body, (LEAST + 1) * PART_BYTES).is_ok());
        let body = Bytes::from(format!("[{}]", vec!["{}"; LEAST + 1].join(",")));
        assert!(check(Form::Json, &body, 0).is_err());
        assert!(check(Form::Json, &body, (LEAST + 1) * PART_BYTES).is_ok());
    }

    #[test]
    fn a_large_payload_is_one_part() {
        let mut body = vec![0x0a, 0x80, 0x80, 0x40];
        body.resize(4 + (1 << 20), 7);
        assert!(check(Form::Protobuf, &body.into(), 0).is_ok());
        assert!(check(Form::Json, &Bytes::from(format!(r#"{{"a":"{}"}}"#, "{".repeat(1 << 20))), 0).is_ok());
    }
}
