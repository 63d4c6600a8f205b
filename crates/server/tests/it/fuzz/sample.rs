//! Random messages, encoded as protobuf and as JSON.

use base64::Engine;
use serde_json::{Map, Value, json};

use super::calls::{Field, Shape};
use crate::harness::Random;

/// The value of a field.
#[derive(Debug, Clone)]
pub(super) enum Sample {
    Text(String),
    Number(i32),
    Flag(bool),
    Time(i64, i32),
    Bytes(Vec<u8>),
    Message(Vec<(Field, Sample)>),
}

const QUEUES: [&str; 8] = ["q", "dead", "other", "new", "", " ", "a~b", "none"];
const TIMEOUTS: [&str; 20] = [
    "1m", "1m", "1m", "1m", "1m", "1m", "1m", "10ms", "1s", "24h", "15m", "0s", "", "-1s", "1ns", "foo", "10",
    "9999999h", "1h1h1h1h", "2562047h",
];
const TEXTS: [&str; 5] = ["", "a", "text", "\u{0}", "ä\u{202e}"];
const NUMBERS: [i32; 15] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 1_000, 1_001, 65_537, -1, i32::MAX];

/// A random message: each field is present or not. `ids` are ids of existing items.
pub(super) fn message(random: &mut Random, fields: &[Field], ids: &[String], depth: usize) -> Vec<(Field, Sample)> {
    let mut all = Vec::new();
    for field in fields {
        let times = match field.is_repeated {
            false => usize::from(random.chance(90)),
            true if random.chance(3) && depth == 0 => random.below(1_200),
            true => random.below(4),
        };
        for _ in 0..times {
            all.push((*field, sample(random, field.shape, ids, depth)));
        }
    }
    all
}

fn sample(random: &mut Random, shape: Shape, ids: &[String], depth: usize) -> Sample {
    match shape {
        Shape::Queue if random.chance(2) => Sample::Text("n".repeat(random.below(1_500))),
        Shape::Queue if random.chance(60) => Sample::Text("q".to_owned()),
        Shape::Queue => Sample::Text((*random.pick(&QUEUES)).to_owned()),
        Shape::Timeout if random.chance(70) => Sample::Text("1m".to_owned()),
        Shape::Timeout => Sample::Text((*random.pick(&TIMEOUTS)).to_owned()),
        Shape::Id if ids.is_empty() || random.chance(10) => Sample::Text(text(random)),
        Shape::Id => Sample::Text(random.pick(ids).clone()),
        Shape::Word(words) if random.chance(90) => Sample::Text((*random.pick(words)).to_owned()),
        Shape::Text | Shape::Word(_) => Sample::Text(text(random)),
        Shape::Partition if random.chance(80) => Sample::Number(0),
        Shape::Number | Shape::Partition if random.chance(5) => Sample::Number(i32::MIN),
        Shape::Number | Shape::Partition => Sample::Number(*random.pick(&NUMBERS)),
        Shape::Flag => Sample::Flag(random.chance(50)),
        Shape::Time => time(random),
        Shape::Bytes => {
            let len = if random.chance(3) { random.below(20_000) } else { random.below(8) };
            Sample::Bytes((0..len).map(|_| random.next().to_le_bytes()[0]).collect())
        }
        Shape::Message(fields) => Sample::Message(message(random, fields, ids, depth + 1)),
    }
}

fn text(random: &mut Random) -> String {
    if random.chance(3) { "x".repeat(random.below(3_000)) } else { (*random.pick(&TEXTS)).to_owned() }
}

fn time(random: &mut Random) -> Sample {
    const NOON: i64 = 1_794_744_000;
    let seconds = [NOON, NOON + 3, NOON + 3_600, 0, -62_135_596_800, 253_402_300_799, i64::MAX, i64::MIN, -1];
    let nanos = [0, 0, 0, 1, 999_999_999, 1_000_000_000, -1, i32::MAX];
    Sample::Time(*random.pick(&seconds), *random.pick(&nanos))
}

/// Encodes a message as protobuf.
pub(super) fn protobuf(fields: &[(Field, Sample)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (field, value) in fields {
        let number = u64::from(field.number) << 3;
        match value {
            Sample::Number(value) => {
                varint(&mut bytes, number);
                varint(&mut bytes, i64::from(*value).cast_unsigned());
            }
            Sample::Flag(value) => {
                varint(&mut bytes, number);
                varint(&mut bytes, u64::from(*value));
            }
            Sample::Text(value) => delimited(&mut bytes, number, value.as_bytes()),
            Sample::Bytes(value) => delimited(&mut bytes, number, value),
            Sample::Message(value) => delimited(&mut bytes, number, &protobuf(value)),
            Sample::Time(seconds, nanos) => {
                let mut inner = vec![0x08];
                varint(&mut inner, seconds.cast_unsigned());
                inner.push(0x10);
                varint(&mut inner, i64::from(*nanos).cast_unsigned());
                delimited(&mut bytes, number, &inner);
            }
        }
    }
    bytes
}

fn delimited(bytes: &mut Vec<u8>, number: u64, value: &[u8]) {
    varint(bytes, number | 2);
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value);
}

fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Encodes a message as JSON.
pub(super) fn in_json(fields: &[(Field, Sample)]) -> Value {
    let mut object = Map::new();
    for (field, value) in fields {
        let value = match value {
            Sample::Number(value) => json!(value),
            Sample::Flag(value) => json!(value),
            Sample::Text(value) => json!(value),
            Sample::Bytes(value) => json!(base64::engine::general_purpose::STANDARD.encode(value)),
            Sample::Message(value) => in_json(value),
            Sample::Time(seconds, nanos) => {
                json!(
                    redrive_proto::Timestamp {
                        seconds: (*seconds).clamp(0, 253_402_300_799),
                        nanos: (*nanos).clamp(0, 999_999_999)
                    }
                    .to_string()
                )
            }
        };
        if field.is_repeated {
            let list = object.entry(field.name).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(value);
        } else {
            object.insert(field.name.to_owned(), value);
        }
    }
    Value::Object(object)
}
