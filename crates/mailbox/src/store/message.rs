//! Conversion between messages and items.

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Span, Time};
use redrive_model::{Content, Header, ItemInfo, ItemState, NewItem, SOURCE_ID_BYTES_MAX, StoredItem};
use sha2::{Digest, Sha256};

use crate::{BrowsedMessage, MessageId, NewMessage, RawMessage, ReceiptHandle, Verdict};

/// The header with the mailbox that expects the reply.
const REPLY_TO: &str = "reply_to";
/// The header with a message id that is no message id of an item: it is too long, or looks like a digest.
const MESSAGE_ID: &str = "message_id";
const DIGEST: &str = "sha256:";

/// The message id of the item of a message.
pub(super) fn item_message_id(id: &MessageId) -> Box<str> {
    let text = id.as_str();
    // An id of a sender that looks like a digest is replaced, too: it must not stand for the id with that digest.
    if text.len() <= SOURCE_ID_BYTES_MAX && !text.starts_with(DIGEST) {
        return text.into();
    }
    let mut digest = DIGEST.to_owned();
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a string cannot fail.
        let _written = write!(digest, "{byte:02x}");
    }
    digest.into_boxed_str()
}

/// The item of a message. `remember_for` is set for an id that is accepted once.
pub(super) fn new_item(message: NewMessage, id: &MessageId, remember_for: Option<Span>) -> NewItem {
    let message_id = item_message_id(id);
    let own_id = (*message_id != *id.as_str()).then(|| header(MESSAGE_ID, id.as_str()));
    let reply_to = message.reply_to.map(|name| header(REPLY_TO, name.as_str()));
    let content =
        Content { headers: reply_to.into_iter().chain(own_id).collect(), payload: message.body, ..Content::default() };
    NewItem { content: Arc::new(content), message_id: Some(message_id), remember_for, ..NewItem::default() }
}

fn header(name: &str, value: &str) -> Header {
    Header { name: name.to_owned(), value: Bytes::copy_from_slice(value.as_bytes()) }
}

fn header_of<'c>(content: &'c Content, name: &str) -> Option<&'c [u8]> {
    content.headers.iter().find(|header| header.name == name).map(|header| &header.value[..])
}

/// The id of the message of an item. An item that was not sent as a message has the id of its first delivery.
fn message_id(info: &ItemInfo, content: &Content) -> MessageId {
    match (header_of(content, MESSAGE_ID), &info.source_id) {
        (Some(id), _) => MessageId::from_stored(&String::from_utf8_lossy(id)),
        (None, Some(id)) => MessageId::from_stored(id),
        (None, None) => MessageId::from_stored(&info.first_id.to_string()),
    }
}

fn reply_to(content: &Content) -> Option<Arc<str>> {
    header_of(content, REPLY_TO).map(|name| Arc::from(String::from_utf8_lossy(name)))
}

/// The message of an item that was leased at `received_at`.
pub(super) fn raw_message(item: StoredItem, received_at: Time, visibility: Span) -> RawMessage {
    let StoredItem { info, content, context } = item;
    let context = context.map(|context| *context).unwrap_or_default();
    let verdict = info.is_hand_over_only.then(|| {
        let left = context.verdict.as_deref().and_then(Verdict::from_wire);
        left.unwrap_or_else(|| Verdict::Failed { error_type: Arc::from("unknown"), attempts: None })
    });
    RawMessage {
        handle: ReceiptHandle::new(message_id(&info, &content), Arc::from(info.id.to_string())),
        reply_to: reply_to(&content),
        body: content.payload.clone(),
        delivery_count: info.deliveries,
        uncharged: info.deliveries.saturating_sub(info.attempts),
        enqueued_at: info.created_at,
        first_received_at: info.first_received_at.unwrap_or(info.created_at),
        deadline: received_at.saturating_add(visibility),
        lease: visibility,
        last_error: context.error.map(Arc::from),
        verdict,
        parts: context.parts.unwrap_or_default(),
    }
}

pub(super) fn browsed(item: &StoredItem) -> BrowsedMessage {
    BrowsedMessage {
        id: message_id(&item.info, &item.content),
        body: item.content.payload.clone(),
        reply_to: reply_to(&item.content),
        delivery_count: item.info.deliveries,
        enqueued_at: item.info.created_at,
        is_leased: matches!(item.info.state, ItemState::Leased { .. }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_no_item_can_have_stay_apart() {
        let long = |end: &str| MessageId::from_stored(&format!("{}{end}", "x".repeat(SOURCE_ID_BYTES_MAX)));
        let (one, other) = (item_message_id(&long("1")), item_message_id(&long("2")));
        let posing = item_message_id(&MessageId::from_stored(&one));
        for id in [&one, &other, &posing] {
            assert!(id.starts_with(DIGEST) && id.len() == DIGEST.len() + 64, "{id}");
        }
        assert!(one != other && posing != one && posing != other);
        assert_eq!(&*item_message_id(&MessageId::from_stored("a")), "a");
        let kept = new_item(NewMessage::new("body"), &long("1"), None);
        assert_eq!(header_of(&kept.content, MESSAGE_ID), Some(long("1").as_str().as_bytes()));
    }
}
