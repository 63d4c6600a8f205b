//! The message for arbitrary JSON values.

use std::collections::BTreeMap;
use std::fmt;

use prost::DecodeError;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

use crate::number::whole;

/// protobuf's `Value`. Its JSON form is the value itself; integers of up to 64 bits are exact.
///
/// In protobuf a number is a double: integers beyond 2^53 lose digits, `2.0` is decoded as `2`, and NaN and the infinities,
/// which JSON cannot express, are decoded as null.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonValue(
    /// `None` is decoded as null but differs from an explicit null on the wire: protobuf omits an empty value from a map, and
    /// other decoders do not read a missing value as null.
    Option<Value>,
);

impl JsonValue {
    /// The string, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_ref()?.as_str()
    }
}

/// Compact JSON.
impl fmt::Display for JsonValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().unwrap_or(&Value::Null).fmt(f)
    }
}

impl From<Value> for JsonValue {
    fn from(value: Value) -> Self {
        Self(Some(value))
    }
}

impl From<JsonValue> for Value {
    fn from(value: JsonValue) -> Self {
        value.0.unwrap_or_default()
    }
}

impl Serialize for JsonValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

impl prost::Message for JsonValue {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        WireValue::from(self).encode_raw(buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut wire = WireValue::from(&*self);
        wire.merge_field(tag, wire_type, buf, ctx)?;
        self.0 = wire.kind.map(Value::from);
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        WireValue::from(self).encoded_len()
    }

    fn clear(&mut self) {
        self.0 = None;
    }
}

/// The message `Value` of protobuf's `struct.proto`, as prost encodes it.
#[derive(Clone, PartialEq, prost::Message)]
struct WireValue {
    #[prost(oneof = "WireKind", tags = "1, 2, 3, 4, 5, 6")]
    kind: Option<WireKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum WireKind {
    /// The enum `NullValue`, whose only member is 0.
    #[prost(int32, tag = "1")]
    Null(i32),
    #[prost(double, tag = "2")]
    Number(f64),
    #[prost(string, tag = "3")]
    Text(String),
    #[prost(bool, tag = "4")]
    Flag(bool),
    #[prost(message, tag = "5")]
    Object(WireObject),
    #[prost(message, tag = "6")]
    List(WireList),
}

#[derive(Clone, PartialEq, prost::Message)]
struct WireObject {
    #[prost(btree_map = "string, message", tag = "1")]
    fields: BTreeMap<String, WireValue>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct WireList {
    #[prost(message, repeated, tag = "1")]
    values: Vec<WireValue>,
}

impl From<&JsonValue> for WireValue {
    fn from(value: &JsonValue) -> Self {
        Self { kind: value.0.as_ref().map(WireKind::from) }
    }
}

impl From<&Value> for WireKind {
    fn from(value: &Value) -> Self {
        let inner = |value| WireValue { kind: Some(Self::from(value)) };
        match value {
            Value::Null => Self::Null(0),
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => Self::Number(number.as_f64().unwrap_or_default()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(list) => Self::List(WireList { values: list.iter().map(inner).collect() }),
            Value::Object(object) => Self::Object(WireObject {
                fields: object.iter().map(|(key, value)| (key.clone(), inner(value))).collect(),
            }),
        }
    }
}

impl From<WireKind> for Value {
    fn from(kind: WireKind) -> Self {
        let inner = |wire: WireValue| wire.kind.map(Self::from).unwrap_or_default();
        match kind {
            WireKind::Null(_) => Self::Null,
            WireKind::Flag(flag) => Self::Bool(flag),
            WireKind::Number(double) => number(double),
            WireKind::Text(text) => Self::String(text),
            WireKind::List(list) => list.values.into_iter().map(inner).collect(),
            WireKind::Object(object) => object.fields.into_iter().map(|(key, value)| (key, inner(value))).collect(),
        }
    }
}

fn number(double: f64) -> Value {
    let is_negative_zero = double == 0.0 && double.is_sign_negative();
    match whole(double).and_then(|whole| i64::try_from(whole).ok()).filter(|_| !is_negative_zero) {
        Some(whole) => whole.into(),
        None => Number::from_f64(double).map_or(Value::Null, Value::Number),
    }
}
