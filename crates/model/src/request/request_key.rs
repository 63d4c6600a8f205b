//! The id of a request, so that a request that is sent twice is applied once.

use sha2::{Digest, Sha256};

use crate::codec::FieldWriter;
use crate::{HeldItem, NewItem, Rejection};

/// The id that a caller assigned to a request, and a digest of its contents: the same id with other items is a
/// different request, and a mistake of the caller.
///
/// The digest is computed on the caller's thread; the store, which processes requests sequentially, only compares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    id: Box<str>,
    digest: [u8; 16],
}

impl RequestKey {
    pub const ID_BYTES_MAX: usize = 64;

    /// The key of a request for these items, which may complete another one.
    ///
    /// # Errors
    ///
    /// If the id is empty, too long, or contains other than visible ASCII characters.
    pub fn new(id: &str, items: &[NewItem], completes: Option<&HeldItem>) -> Result<Self, Rejection> {
        let is_valid = (1..=Self::ID_BYTES_MAX).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_valid {
            return Err(Rejection::BadRequestId { most: Self::ID_BYTES_MAX });
        }
        Ok(Self { id: id.into(), digest: digest(items, completes) })
    }

    pub const fn id(&self) -> &str {
        &self.id
    }

    pub const fn digest(&self) -> [u8; 16] {
        self.digest
    }
}

/// The digest of all fields of all items, in order, and of the completed item.
fn digest(items: &[NewItem], completes: Option<&HeldItem>) -> [u8; 16] {
    let mut hash = Sha256::new();
    let mut head = Vec::new();
    for NewItem { content, enqueue_at, expire_after, priority, message_id, remember_for } in items {
        head.clear();
        let mut writer = FieldWriter(&mut head);
        content.write_head(&mut writer);
        writer.sized(|writer| {
            // An unset value differs from zero and from `Time::MAX`.
            if let Some(at) = enqueue_at {
                writer.present_bytes(1, &at.as_micros().to_le_bytes());
            }
            if let Some(span) = expire_after {
                writer.present_bytes(2, &span.as_micros().to_le_bytes());
            }
            writer.u32(3, *priority as u32);
            if let Some(id) = message_id {
                writer.present_bytes(4, id.as_bytes());
            }
            if let Some(span) = remember_for {
                writer.present_bytes(5, &span.as_micros().to_le_bytes());
            }
        });
        writer.varint(content.payload.len() as u64);
        hash.update(&head);
        hash.update(&content.payload);
    }
    if let Some(HeldItem { queue, id }) = completes {
        head.clear();
        let mut writer = FieldWriter(&mut head);
        writer.present_bytes(1, queue.as_str().as_bytes());
        writer.present_bytes(2, id.ksuid().as_bytes());
        hash.update(&head);
    }
    let mut digest = [0; 16];
    digest.copy_from_slice(&hash.finalize()[..16]);
    digest
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use redrive_core::{ItemId, Ksuid, Priority, QueueName, Span, Time};

    use super::*;
    use crate::{Content, Header};

    #[test]
    fn every_field_of_an_item_changes_the_digest() {
        let plain = Content::of_payload("a");
        let header = |name: &str, value: &'static str| Header { name: name.to_owned(), value: Bytes::from(value) };
        let contents = [
            plain.clone(),
            Content::of_payload(""),
            Content { kind: "a".to_owned(), ..plain.clone() },
            Content { encoding: "a".to_owned(), ..plain.clone() },
            Content { reference: "a".to_owned(), ..plain.clone() },
            Content { key: Some(Bytes::new()), ..plain.clone() },
            Content { key: Some(Bytes::from("a")), ..plain.clone() },
            Content { headers: vec![header("a", "b")], ..plain.clone() },
            Content { headers: vec![header("ab", "")], ..plain.clone() },
        ];
        let item = |content: &Content| NewItem { content: Arc::new(content.clone()), ..NewItem::default() };
        let mut requests: Vec<Vec<NewItem>> = contents.iter().map(|content| vec![item(content)]).collect();
        let more = [
            NewItem { enqueue_at: Some(Time::MAX), ..item(&plain) },
            NewItem { enqueue_at: Some(Time::EPOCH), ..item(&plain) },
            NewItem { expire_after: Some(Span::ZERO), ..item(&plain) },
            NewItem { priority: Priority::High, ..item(&plain) },
            NewItem { priority: Priority::Low, ..item(&plain) },
            NewItem { message_id: Some("a".into()), ..item(&plain) },
            NewItem { message_id: Some("a".into()), remember_for: Some(Span::ZERO), ..item(&plain) },
        ];
        requests.extend(more.into_iter().map(|item| vec![item]));
        requests.push(vec![NewItem::of_payload("aa")]);
        requests.push(vec![NewItem::of_payload("a"), NewItem::of_payload("a")]);
        requests.push(vec![NewItem::of_payload("a"), NewItem::of_payload("b")]);
        requests.push(vec![NewItem::of_payload("b"), NewItem::of_payload("a")]);
        let keys: Vec<RequestKey> = requests.iter().map(|items| RequestKey::new("r", items, None).unwrap()).collect();
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(*key, RequestKey::new("r", &requests[at], None).unwrap());
            assert!(!keys[..at].contains(key), "{:?} has the digest of another request", requests[at]);
        }
    }

    #[test]
    fn the_completed_item_changes_the_digest() {
        let items = [NewItem::of_payload("a")];
        let held = |queue: &str, id| HeldItem { queue: QueueName::new(queue).unwrap(), id: ItemId::new(id) };
        let all = [None, Some(held("a", Ksuid::MIN)), Some(held("b", Ksuid::MIN)), Some(held("a", Ksuid::MAX))];
        let keys: Vec<_> = all.iter().map(|held| RequestKey::new("r", &items, held.as_ref()).unwrap()).collect();
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{:?} has the digest of another request", all[at]);
        }
    }

    #[test]
    fn an_id_is_short_visible_ascii() {
        for id in ["a", "0f3c-17/!~", &"x".repeat(64)] {
            assert_eq!(RequestKey::new(id, &[], None).unwrap().id(), id);
        }
        for id in ["", " ", "a b", "a\n", "é", &"x".repeat(65)] {
            assert_eq!(RequestKey::new(id, &[], None), Err(Rejection::BadRequestId { most: 64 }), "{id:?}");
        }
    }
}
