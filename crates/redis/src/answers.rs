//! Reads the answers of the scripts.

use std::sync::Arc;

use bytes::Bytes;
use redis::Value;
use redrive_core::Time;
use redrive_mailbox::{BrowseCursor, BrowsePage, BrowsedMessage, MessageId, RawMessage, ReceiptHandle, Verdict};

/// The answer of the receive script.
#[derive(Debug)]
pub(crate) struct ReceiveAnswer {
    pub(crate) now: Time,
    /// When the next message becomes visible, if none is visible.
    pub(crate) next_due: Option<Time>,
    pub(crate) expired: u64,
    pub(crate) orphans: u64,
    /// Only void entries were removed, and there are more.
    pub(crate) is_incomplete: bool,
    pub(crate) messages: Vec<RawMessage>,
}

/// An answer that is not what the script returns: other code answers under its hash.
#[derive(Debug)]
pub(crate) struct Unreadable;

impl ReceiveAnswer {
    pub(crate) fn read(value: Value, nonce: &Arc<str>) -> Result<Self, Unreadable> {
        let mut values = array(value)?.into_iter();
        let mut number = || integer(values.next().ok_or(Unreadable)?);
        let (now, next_due, expired, orphans, again) = (number()?, number()?, number()?, number()?, number()?);
        let now = Time::from_micros(now);
        let messages = values.map(|value| read_message(value, nonce, now)).collect::<Result<_, _>>()?;
        Ok(Self {
            now,
            next_due: (next_due >= 0).then(|| Time::from_micros(next_due)),
            expired: u64::try_from(expired).map_err(|_| Unreadable)?,
            orphans: u64::try_from(orphans).map_err(|_| Unreadable)?,
            is_incomplete: again == 1,
            messages,
        })
    }
}

/// Reads a message that was leased or found leased at this time of the server.
fn read_message(value: Value, nonce: &Arc<str>, now: Time) -> Result<RawMessage, Unreadable> {
    let values: [Value; 11] = array(value)?.try_into().map_err(|_| Unreadable)?;
    let [id, body, deadline, count, uncharged, enqueued, first_received, reply_to, last_error, verdict, parts] = values;
    let id = MessageId::from_stored(&text(id)?);
    let optional = |value: Value| (value != Value::Nil).then(|| text(value)).transpose();
    let enqueued_at = Time::from_micros(integer(enqueued)?);
    let deadline = Time::from_micros(integer(deadline)?);
    let parts = optional(parts)?.map_or(Ok(Vec::new()), |parts| split_parts(&parts))?;
    Ok(RawMessage {
        handle: ReceiptHandle::new(id, Arc::clone(nonce)),
        body: bytes(body)?,
        reply_to: optional(reply_to)?.map(Arc::from),
        delivery_count: u32::try_from(integer(count)?).map_err(|_| Unreadable)?,
        uncharged: match uncharged {
            Value::Nil => 0,
            uncharged => u32::try_from(integer(uncharged)?).map_err(|_| Unreadable)?,
        },
        enqueued_at,
        first_received_at: match first_received {
            Value::Nil => enqueued_at,
            first_received => Time::from_micros(integer(first_received)?),
        },
        deadline,
        lease: deadline.since(now),
        last_error: optional(last_error)?.map(Arc::from),
        verdict: optional(verdict)?.and_then(|text| Verdict::from_wire(&text)),
        parts,
    })
}

/// Reads the answer of the take script.
pub(crate) fn read_taken(value: Value, nonce: &Arc<str>) -> Result<RawMessage, Unreadable> {
    let [now, message] = array(value)?.try_into().map_err(|_| Unreadable)?;
    read_message(message, nonce, Time::from_micros(integer(now)?))
}

/// Reads the answer of the browse script.
pub(crate) fn read_page(value: Value) -> Result<BrowsePage, Unreadable> {
    let mut values = array(value)?.into_iter();
    let next = text(values.next().ok_or(Unreadable)?)?;
    let read = |value| {
        let [id, body, count, enqueued, reply_to, leased] = array(value)?.try_into().map_err(|_| Unreadable)?;
        Ok(BrowsedMessage {
            id: MessageId::from_stored(&text(id)?),
            body: bytes(body)?,
            reply_to: (reply_to != Value::Nil).then(|| text(reply_to)).transpose()?.map(Arc::from),
            delivery_count: u32::try_from(integer(count)?).map_err(|_| Unreadable)?,
            enqueued_at: Time::from_micros(integer(enqueued)?),
            is_leased: integer(leased)? == 1,
        })
    };
    let messages = values.map(read).collect::<Result<_, _>>()?;
    Ok(BrowsePage { messages, next: (next != "0").then_some(BrowseCursor(next)) })
}

/// The stored form of a list of parts: each with its length in bytes, `3:abc`.
pub(crate) fn join_parts(parts: &[String]) -> String {
    parts.iter().map(|part| format!("{}:{part}", part.len())).collect()
}

fn split_parts(mut text: &str) -> Result<Vec<String>, Unreadable> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_once(':').ok_or(Unreadable)?;
        let length: usize = length.parse().map_err(|_| Unreadable)?;
        let (part, rest) = rest.split_at_checked(length).ok_or(Unreadable)?;
        parts.push(part.to_owned());
        text = rest;
    }
    Ok(parts)
}

pub(crate) fn array(value: Value) -> Result<Vec<Value>, Unreadable> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(Unreadable),
    }
}

pub(crate) fn integer(value: Value) -> Result<i64, Unreadable> {
    match value {
        Value::Int(number) => Ok(number),
        other => text(other)?.parse().map_err(|_| Unreadable),
    }
}

pub(crate) fn count(value: Value) -> Result<u64, Unreadable> {
    u64::try_from(integer(value)?).map_err(|_| Unreadable)
}

pub(crate) fn text(value: Value) -> Result<String, Unreadable> {
    match value {
        Value::SimpleString(text) => Ok(text),
        Value::BulkString(bytes) => String::from_utf8(bytes).map_err(|_| Unreadable),
        _ => Err(Unreadable),
    }
}

fn bytes(value: Value) -> Result<Bytes, Unreadable> {
    match value {
        Value::BulkString(bytes) => Ok(Bytes::from(bytes)),
        _ => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_any_text_survive() {
        for parts in [vec![], vec![""], vec!["3:abc", "", "ü", "\"\n"]] {
            let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
            assert_eq!(split_parts(&join_parts(&parts)).unwrap(), parts);
        }
    }

    #[test]
    fn an_answer_that_is_not_the_scripts_is_an_error() {
        for value in [Value::Nil, Value::Int(1), Value::Array(vec![]), Value::Array(vec![Value::Int(1); 4])] {
            assert!(ReceiveAnswer::read(value, &Arc::from("n")).is_err());
        }
        let head = || vec![Value::Int(1), Value::Int(-1), Value::Int(0), Value::Int(0), Value::Int(0)];
        assert!(ReceiveAnswer::read(Value::Array(head()), &Arc::from("n")).is_ok());
        let with_message = [head(), vec![Value::Array(vec![Value::Nil; 11])]].concat();
        assert!(ReceiveAnswer::read(Value::Array(with_message), &Arc::from("n")).is_err());
    }
}
