//! Damaged and malformed messages.

use serde_json::{Value, json};

use crate::harness::Random;

/// Damages bytes in one to three places.
pub(super) fn damaged(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len().max(1));
        match random.below(8) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 => insert(&mut bytes, at, &[0xff; 10]),
            3 => insert(&mut bytes, at, &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
            4 => insert(&mut bytes, at, &[0x0b; 200]),
            5 => insert(&mut bytes, at, &[0x1a, 0x00].repeat(random.below(2_000))),
            6 => {
                let copy = bytes[at..].to_vec();
                bytes.extend(copy);
            }
            _ => {
                let noise: Vec<u8> = (0..random.below(64)).map(|_| random.next().to_le_bytes()[0]).collect();
                insert(&mut bytes, at, &noise);
            }
        }
    }
    bytes
}

fn insert(bytes: &mut Vec<u8>, at: usize, what: &[u8]) {
    let rest = bytes.split_off(at.min(bytes.len()));
    bytes.extend_from_slice(what);
    bytes.extend(rest);
}

/// Replaces one value in JSON with a value of another type.
pub(super) fn mistyped(random: &mut Random, value: &mut Value) {
    let others = [
        json!(null),
        json!(1e300),
        json!(-1),
        json!("x"),
        json!([]),
        json!({}),
        json!([[[]]]),
        json!(true),
        json!("3"),
    ];
    match value {
        Value::Object(object) if !object.is_empty() && random.chance(80) => {
            let at = random.below(object.len());
            if let Some(inner) = object.values_mut().nth(at) {
                mistyped(random, inner);
            }
        }
        Value::Array(array) if !array.is_empty() && random.chance(80) => {
            let at = random.below(array.len());
            mistyped(random, &mut array[at]);
        }
        value => *value = random.pick(&others).clone(),
    }
}

/// Unterminated JSON with up to thousands of nested levels.
pub(super) fn deep(random: &mut Random) -> Vec<u8> {
    let (open, depth) = (*random.pick(&["[", "{\"items\":[", "{\"a\":"]), 1 + random.below(5_000));
    let mut text = String::from("{\"items\":");
    text.push_str(&open.repeat(depth));
    if random.chance(50) {
        text.push_str("1e999999999");
    }
    text.into_bytes()
}
