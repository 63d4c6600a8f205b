//! All that was said about a letter when it became one. Written once, never changed.

use std::collections::BTreeMap;

use bytes::Bytes;
use redrive_core::{DeathReason, ItemId, LetterId, QueueName, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where work came from, so that it can be handed back and is not taken twice.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// `kafka`, `redis`, `queue`, `http` …
    pub transport: String,
    /// The topic, mailbox or queue.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub timestamp: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
}

impl Origin {
    /// Which message of which source this is, as far as the origin tells messages apart. Two failures with the same
    /// coordinates are one failure that was reported twice. The timestamp belongs to them where there is an offset: a topic
    /// that was deleted and made again counts from 0 again.
    pub fn coordinates(&self) -> Option<Coordinates> {
        if self.offset.is_none() && self.message_id.is_none() {
            return None;
        }
        let mut hash = Sha256::new();
        let mut field = |field: Option<&[u8]>| {
            let len = field.map_or(u64::MAX, |field| field.len() as u64);
            hash.update(len.to_le_bytes());
            hash.update(field.unwrap_or_default());
        };
        field(Some(self.transport.as_bytes()));
        field(Some(self.name.as_bytes()));
        field(self.consumer.as_ref().map(String::as_bytes));
        field(self.partition.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice));
        field(self.offset.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice));
        field(self.message_id.as_ref().map(String::as_bytes));
        let timestamp = self.timestamp.filter(|_| self.offset.is_some());
        field(timestamp.map(|time| time.as_micros().to_le_bytes()).as_ref().map(<[u8; 8]>::as_slice));
        let mut coordinates = [0; 16];
        coordinates.copy_from_slice(&hash.finalize()[..16]);
        Some(coordinates)
    }
}

/// Which message of which source a failure is of, as a hash. Two failures with the same coordinates are one.
pub type Coordinates = [u8; 16];

/// What an item was when it died in its queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathRecord {
    pub queue: QueueName,
    pub partition: u32,
    pub id: ItemId,
    pub reason: DeathReason,
    pub attempts: u32,
    #[serde(with = "crate::micros")]
    pub created_at: Time,
    #[serde(with = "crate::micros")]
    pub expires_at: Time,
}

/// Where a letter came from and what was said at its capture.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CaptureContext {
    pub origin: Origin,
    /// For an item that its queue gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub death: Option<DeathRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<LetterId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_by: Option<String>,
    /// What the template said about it by which it was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl CaptureContext {
    /// Keys of the metadata that whoever makes a letter sets; all others are the caller's.
    pub const ENQUEUED_AT: &'static str = "enqueued_at";
    pub const ENQUEUED_BY: &'static str = "enqueued_by";
    pub const ORIGINAL_ERROR_TYPE: &'static str = "original_error_type";
    /// The template by which it was captured, with its version.
    pub const MATCHED_TEMPLATE: &'static str = "matched_template";
    /// A template that was passed over because its condition could not be evaluated, and why.
    pub const BROKEN_TEMPLATE: &'static str = "broken_template";

    /// Writes down when and how a failure became a letter.
    pub fn mark_enqueued(&mut self, now: Time, is_by_hand: bool, error_type: Option<String>) {
        let by = if is_by_hand { "manual" } else { "automatic" };
        self.metadata.insert(Self::ENQUEUED_AT.to_owned(), now.to_string());
        self.metadata.insert(Self::ENQUEUED_BY.to_owned(), by.to_owned());
        if let Some(error_type) = error_type {
            self.metadata.insert(Self::ORIGINAL_ERROR_TYPE.to_owned(), error_type);
        }
    }

    /// Whether a failure was captured by itself, as far as its metadata says.
    pub fn is_automatic(&self) -> bool {
        self.metadata.get(Self::ENQUEUED_BY).is_some_and(|by| by == "automatic")
    }

    pub fn document(&self) -> Bytes {
        document(self)
    }

    pub fn write(&self, document: &mut Vec<u8>) {
        write(self, document);
    }

    /// The dossier that a kept document holds.
    pub fn read(document: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(document)
    }
}

/// Most take no more.
const DOCUMENT_BYTES: usize = 512;

/// JSON, because these are read by people and grow fields.
pub(super) fn document<T: Serialize>(value: &T) -> Bytes {
    let mut document = Vec::with_capacity(DOCUMENT_BYTES);
    write(value, &mut document);
    Bytes::from(document)
}

/// The same, at the end of what is there.
pub(super) fn write<T: Serialize>(value: &T, document: &mut Vec<u8>) {
    let written = serde_json::to_writer(document, value);
    debug_assert!(written.is_ok(), "only a map whose keys are no texts cannot be written as JSON, and there is none");
}
