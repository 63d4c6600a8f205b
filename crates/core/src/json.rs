//! Conversion of JSON to values of an expression.
//!
//! Lists and objects at every depth are truncated to `LIST_LEN_MAX`, the length with which the cost of an expression is
//! computed.

use std::collections::HashMap;
use std::sync::Arc;

use cel::Value;
use serde_json::{Number, Value as Json};

use crate::expression::LIST_LEN_MAX;

/// A map of the first `LIST_LEN_MAX` entries, with texts truncated to `text_bytes_max`.
pub(crate) fn map<'j>(entries: impl IntoIterator<Item = (&'j String, &'j Json)>, text_bytes_max: usize) -> Value {
    let entries = entries.into_iter().take(LIST_LEN_MAX);
    entries.map(|(key, json)| (key.clone(), value(json, text_bytes_max))).collect::<HashMap<_, _>>().into()
}

/// A value with texts truncated to `text_bytes_max`.
pub(crate) fn value(json: &Json, text_bytes_max: usize) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(given) => number(given),
        Json::String(text) => text[..text.floor_char_boundary(text_bytes_max)].to_owned().into(),
        Json::Array(list) => {
            let entries = list.iter().take(LIST_LEN_MAX);
            Value::List(Arc::new(entries.map(|entry| value(entry, text_bytes_max)).collect()))
        }
        Json::Object(object) => map(object, text_bytes_max),
    }
}

/// Keeps integers exact. Expressions compare integers with floats.
fn number(number: &Number) -> Value {
    let whole = number.as_i64().map(Value::Int).or_else(|| number.as_u64().map(Value::UInt));
    whole.or_else(|| number.as_f64().map(Value::Float)).unwrap_or(Value::Null)
}
