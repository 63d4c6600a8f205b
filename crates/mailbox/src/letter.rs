//! A dead letter in a mailbox.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use redrive_core::Time;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::decode::{decode, encode, undecodable};
use crate::error_text::bounded_error;
use crate::{MailboxError, MailboxName, MessageId, NewMessage, RawMessage};

/// A message that failed permanently, with the failure. It is the body of a message in a mailbox of dead letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub message_id: String,
    /// The body of the message, byte for byte.
    pub body: Bytes,
    pub source_mailbox: String,
    /// Number of attempts: deliveries that were charged.
    pub delivery_count: u32,
    pub last_error: String,
    /// A stable, dotted category.
    pub last_error_type: String,
    pub dead_lettered_at: Time,
    pub first_received_at: Time,
    pub enqueued_at: Time,
    pub request_id: Option<String>,
    pub reply_to: Option<Arc<str>>,
    pub trace_id: Option<String>,
    pub reply_state: ReplyState,
}

/// Whether the sender of a message learns of its end by a last reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyState {
    #[default]
    NotExpected,
    /// The reply is sent after the letter. If it turns out that it can never be sent, the stored error of the message
    /// that has the letter says so.
    FollowsLetter,
    /// The reply mailbox is not known or not allowed: no reply is sent.
    Unresolved,
}

impl ReplyState {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl DeadLetter {
    /// The type of the error of a message whose body cannot be decoded.
    pub const UNDECODABLE: &str = "serialization.body";

    /// What a letter adds to the body of its message: identifiers, and the error with all its characters escaped.
    const FIELDS_BYTES_MAX: usize = 64 << 10;

    /// The most bytes of a letter about a message of this size, whose body may have to be stored in base64.
    pub const fn bytes_max(message_bytes: usize) -> usize {
        (message_bytes / 3 + 1).saturating_mul(4).saturating_add(Self::FIELDS_BYTES_MAX)
    }

    /// A letter about a received message. The error is cut as that of a [`NackSpec`](crate::NackSpec).
    #[must_use]
    pub fn new(source: &MailboxName, message: &RawMessage, error: &str, error_type: String, now: Time) -> Self {
        Self {
            message_id: message.id().to_string(),
            body: message.body.clone(),
            source_mailbox: source.to_string(),
            delivery_count: message.attempt(),
            last_error: bounded_error(error).to_owned(),
            last_error_type: error_type,
            dead_lettered_at: now,
            first_received_at: message.first_received_at,
            enqueued_at: message.enqueued_at,
            request_id: None,
            reply_to: message.reply_to.clone(),
            trace_id: None,
            reply_state: ReplyState::default(),
        }
    }

    /// The body, decoded.
    ///
    /// # Errors
    ///
    /// `Serialization` if it is not a `T`.
    pub fn body_as<T: DeserializeOwned>(&self) -> Result<T, MailboxError> {
        decode(&self.body)
    }

    /// The letter as a message, with the id that is the same for every hand-over.
    ///
    /// # Errors
    ///
    /// `Serialization` if the letter cannot be encoded.
    pub fn to_message(&self, source: &MailboxName) -> Result<NewMessage, MailboxError> {
        let id = MessageId::of_letter(source, &MessageId::from_stored(&self.message_id), self.enqueued_at);
        Ok(NewMessage { id: Some(id), body: encode(&Wire::from(self))?, reply_to: None })
    }

    /// Reads a letter.
    ///
    /// # Errors
    ///
    /// `Serialization` if the bytes are not a letter.
    pub fn from_body(body: &[u8]) -> Result<Self, MailboxError> {
        let error = |why: &str| MailboxError::Serialization(why.to_owned());
        let wire: Wire<'_> = serde_json::from_slice(body).map_err(|why| error(&undecodable(&why)))?;
        let body = match (wire.body, wire.body_base64) {
            (Some(json), None) => Bytes::copy_from_slice(json.get().as_bytes()),
            (None, Some(text)) => STANDARD.decode(&*text).map_err(|_| error("`body_base64` is not base64"))?.into(),
            _ => return Err(error("a letter has either `body` or `body_base64`")),
        };
        Ok(Self {
            message_id: wire.message_id,
            body,
            source_mailbox: wire.source_mailbox,
            delivery_count: wire.delivery_count,
            last_error: wire.last_error,
            last_error_type: wire.last_error_type,
            dead_lettered_at: Time::from_micros(wire.dead_lettered_at),
            first_received_at: Time::from_micros(wire.first_received_at),
            enqueued_at: Time::from_micros(wire.enqueued_at),
            request_id: wire.request_id,
            reply_to: wire.reply_to,
            trace_id: wire.trace_id,
            reply_state: wire.reply_state,
        })
    }
}

/// The letter on the wire. Times are microseconds since 1970. A body that is JSON is stored as it is, readable with any
/// tool; any other body is stored in base64.
#[derive(Serialize, Deserialize)]
struct Wire<'a> {
    message_id: String,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    body: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body_base64: Option<String>,
    source_mailbox: String,
    delivery_count: u32,
    last_error: String,
    last_error_type: String,
    dead_lettered_at: i64,
    first_received_at: i64,
    enqueued_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply_to: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace_id: Option<String>,
    #[serde(default, skip_serializing_if = "ReplyState::is_default")]
    reply_state: ReplyState,
}

impl<'a> From<&'a DeadLetter> for Wire<'a> {
    fn from(letter: &'a DeadLetter) -> Self {
        let json: Option<&RawValue> = serde_json::from_slice(&letter.body).ok();
        // Whitespace around a JSON value is not part of it, and must not be lost. `null` would read as an absent body.
        let json = json.filter(|json| json.get().as_bytes() == letter.body && json.get() != "null");
        Self {
            message_id: letter.message_id.clone(),
            body_base64: json.is_none().then(|| STANDARD.encode(&letter.body)),
            body: json,
            source_mailbox: letter.source_mailbox.clone(),
            delivery_count: letter.delivery_count,
            last_error: letter.last_error.clone(),
            last_error_type: letter.last_error_type.clone(),
            dead_lettered_at: letter.dead_lettered_at.as_micros(),
            first_received_at: letter.first_received_at.as_micros(),
            enqueued_at: letter.enqueued_at.as_micros(),
            request_id: letter.request_id.clone(),
            reply_to: letter.reply_to.clone(),
            trace_id: letter.trace_id.clone(),
            reply_state: letter.reply_state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_body_survives_byte_for_byte() {
        let bodies: [&[u8]; 9] =
            [b"", b"{\"a\": 1}", b" {\"a\":1} ", b"null", b"\xFF\x00", b"1.0", b"{", b"\"\\u00e9\"", b"[1,  2]"];
        for body in bodies {
            let letter = DeadLetter {
                message_id: "m".to_owned(),
                body: Bytes::copy_from_slice(body),
                source_mailbox: "requests".to_owned(),
                delivery_count: 5,
                last_error: "quota \"x\" exceeded\n".to_owned(),
                last_error_type: "quota".to_owned(),
                dead_lettered_at: Time::from_secs(3),
                first_received_at: Time::from_secs(2),
                enqueued_at: Time::from_secs(1),
                request_id: None,
                reply_to: Some(Arc::from("replies")),
                trace_id: Some("t".to_owned()),
                reply_state: ReplyState::FollowsLetter,
            };
            let message = letter.to_message(&MailboxName::new("requests").unwrap()).unwrap();
            assert_eq!(DeadLetter::from_body(&message.body).unwrap(), letter);
        }
    }

    #[test]
    fn a_text_that_is_no_letter_is_an_error() {
        for text in ["", "{}", "[]", "{\"message_id\":1}"] {
            assert!(matches!(DeadLetter::from_body(text.as_bytes()), Err(MailboxError::Serialization(_))), "{text}");
        }
    }
}
