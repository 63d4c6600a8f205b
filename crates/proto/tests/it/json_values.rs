//! Any JSON on the wire.

use redrive_proto::JsonValue;
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::CaptureLetter;
use serde_json::{Value, json};

fn of(metadata: &Value) -> CaptureLetter {
    serde_json::from_value(json!({ "metadata": metadata })).unwrap()
}

fn over_protobuf(metadata: &Value) -> Value {
    let read = CaptureLetter::decode(&*of(metadata).encode_to_vec()).unwrap();
    serde_json::to_value(&read).unwrap()["metadata"].take()
}

#[test]
fn metadata_in_json_is_a_plain_object() {
    let text = r#"{"metadata":{"a":"x","b":{"c":[1,-2,2.5,true,null,{}]},"d":18446744073709551615,"e":2.0}}"#;
    let letter: CaptureLetter = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&letter).unwrap(), text);
    assert_eq!(letter.metadata["a"].as_str(), Some("x"));
    assert_eq!((letter.metadata["b"].as_str(), letter.metadata["e"].to_string()), (None, "2.0".to_owned()));
    assert_eq!(serde_json::from_str::<CaptureLetter>(r#"{"metadata":null}"#).unwrap(), CaptureLetter::default());
}

#[test]
fn protobuf_carries_every_kind_of_value() {
    let metadata = json!({
        "text": "x", "empty": "", "null": null, "true": true, "false": false, "whole": 2, "zero": 0, "minus": -9_007_199_254_740_992_i64,
        "part": 0.1, "large": 1e300, "list": [], "object": {}, "deep": { "a": [[1, { "b": null }], "y"] },
    });
    assert_eq!(over_protobuf(&metadata), metadata);
}

/// As it is documented: a number of protobuf's is a double.
#[test]
fn whole_numbers_beyond_2_53_lose_digits_in_protobuf() {
    assert_eq!(over_protobuf(&json!({ "a": 9_007_199_254_740_993_i64 })), json!({ "a": 9_007_199_254_740_992_i64 }));
    assert_eq!(over_protobuf(&json!({ "a": u64::MAX })), json!({ "a": 18_446_744_073_709_551_615.0 }));
    assert_eq!(over_protobuf(&json!({ "a": 2.0 })), json!({ "a": 2 }));
    let minus_zero = over_protobuf(&json!({ "a": -0.0 }));
    assert_eq!(minus_zero["a"].as_f64().map(f64::to_bits), Some((-0.0_f64).to_bits()));
}

/// The bytes are those of protobuf's own `struct.proto`, so that other languages read them.
#[test]
fn the_bytes_are_those_of_protobufs_value() {
    let bytes = |json: Value| JsonValue::from(json).encode_to_vec();
    assert_eq!(bytes(json!(null)), [0x08, 0]);
    assert_eq!(bytes(json!(1)), [&[0x11][..], &1.0_f64.to_le_bytes()].concat());
    assert_eq!(bytes(json!("x")), [0x1a, 1, b'x']);
    assert_eq!(bytes(json!(true)), [0x20, 1]);
    assert_eq!(bytes(json!({ "a": true })), [0x2a, 9, 0x0a, 7, 0x0a, 1, b'a', 0x12, 2, 0x20, 1]);
    assert_eq!(bytes(json!(["x"])), [0x32, 5, 0x0a, 3, 0x1a, 1, b'x']);
    // In a map, too, null is written down.
    assert_eq!(of(&json!({ "a": null })).encode_to_vec(), [0x8a, 1, 7, 0x0a, 1, b'a', 0x12, 2, 0x08, 0]);
}

#[test]
fn what_json_does_not_have_is_null() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let bytes = [&[0x11][..], &number.to_le_bytes()].concat();
        assert_eq!(Value::from(JsonValue::decode(&*bytes).unwrap()), json!(null), "{number}");
    }
    assert_eq!(Value::from(JsonValue::decode(&[][..]).unwrap()), json!(null));
}

#[test]
fn a_value_that_is_too_deep_to_be_read_is_an_error_and_no_overflow() {
    let mut bytes = vec![0x08, 0];
    for _ in 0..1_000 {
        let wrap = |tag: u8, inner: &[u8]| {
            let mut outer = vec![tag];
            redrive_proto::prost::encode_length_delimiter(inner.len(), &mut outer).unwrap();
            [outer, inner.to_vec()].concat()
        };
        bytes = wrap(0x32, &wrap(0x0a, &bytes));
    }
    assert!(JsonValue::decode(&*bytes).is_err());
    let json = format!("{{\"metadata\":{{\"a\":{}{}}}}}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(serde_json::from_str::<CaptureLetter>(&json).is_err());
}
