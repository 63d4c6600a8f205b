//! The data of a letter's capture. Written once, never changed.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{DeathReason, ItemId, LetterId, Metadata, Priority, QueueName, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The origin of work, for replies to the source and for deduplication.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// `kafka`, `redis`, `queue`, `http` …
    pub transport: Arc<str>,
    /// The topic, mailbox or queue.
    pub name: Arc<str>,
    /// The cluster or Redis server, by its name in the configuration of the server whose route made the letter. Not part of
    /// its [`coordinates`](Self::coordinates), and not on the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumer: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub timestamp: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// How often the message was handed back to its source before it failed. Not part of its
    /// [`coordinates`](Self::coordinates): a further failure is one of the same letter.
    #[serde(default, skip_serializing_if = "crate::micros::is_default")]
    pub replays: u32,
}

impl Origin {
    /// The hash that identifies the message at its source; `None` if the origin has neither an offset nor a message id.
    /// Two failures with the same coordinates are one failure that was reported twice. If there is an offset, the
    /// timestamp is included: a topic that is deleted and created again starts at offset 0 again.
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
        field(self.consumer.as_ref().map(|consumer| consumer.as_bytes()));
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

/// A hash that identifies a message at its source. Two failures with the same coordinates are the same failure.
pub type Coordinates = [u8; 16];

/// The state of an item when it died in its queue.
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

/// The origin of a letter and the data that the caller passed to its capture.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CaptureContext {
    pub origin: Origin,
    /// Set for an item that died in a queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub death: Option<DeathRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
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
    /// The note of the template that matched at the capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl CaptureContext {
    /// Metadata key set by the capture: the time of the capture. All keys without a constant here belong to the caller.
    pub const ENQUEUED_AT: &'static str = "enqueued_at";
    /// Metadata key set by the capture: `manual` or `automatic`.
    pub const ENQUEUED_BY: &'static str = "enqueued_by";
    /// Metadata key set by the capture: the type of the error.
    pub const ORIGINAL_ERROR_TYPE: &'static str = "original_error_type";
    /// Metadata key set by the capture: the template that matched, with its version.
    pub const MATCHED_TEMPLATE: &'static str = "matched_template";
    /// Metadata key set by the capture: a template that was skipped because its condition could not be evaluated, and
    /// why.
    pub const BROKEN_TEMPLATE: &'static str = "broken_template";
    /// Metadata key of the caller: the priority of the letter, if the request sets none.
    pub const PRIORITY: &'static str = "priority";

    /// Records when and how a failure became a letter.
    pub fn mark_enqueued(&mut self, now: Time, is_manual: bool, error_type: Option<String>) {
        let by = if is_manual { "manual" } else { "automatic" };
        self.metadata.insert(Self::ENQUEUED_AT.to_owned(), now.to_string().into());
        self.metadata.insert(Self::ENQUEUED_BY.to_owned(), by.into());
        if let Some(error_type) = error_type {
            self.metadata.insert(Self::ORIGINAL_ERROR_TYPE.to_owned(), error_type.into());
        }
    }

    /// Whether the failure was captured automatically, according to its metadata.
    pub fn is_automatic(&self) -> bool {
        self.metadata.get(Self::ENQUEUED_BY).is_some_and(|by| by == "automatic")
    }

    /// The priority in the metadata. Other values are ignored, not rejected: the key belongs to the caller.
    pub fn noted_priority(&self) -> Option<Priority> {
        self.metadata.get(Self::PRIORITY)?.as_str()?.parse().ok()
    }

    pub fn document(&self) -> Bytes {
        document(self)
    }

    pub fn write(&self, document: &mut Vec<u8>) {
        write(self, document);
    }

    /// Decodes a stored document.
    pub fn read(document: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(document)
    }
}

/// Enough for most documents.
const DOCUMENT_BYTES: usize = 512;

/// Encodes a document as JSON, which is readable and extensible.
pub(super) fn document<T: Serialize>(value: &T) -> Bytes {
    let mut document = Vec::with_capacity(DOCUMENT_BYTES);
    write(value, &mut document);
    Bytes::from(document)
}

/// Appends a document as JSON.
pub(super) fn write<T: Serialize>(value: &T, document: &mut Vec<u8>) {
    let written = serde_json::to_writer(document, value);
    debug_assert!(written.is_ok(), "only a map whose keys are not texts cannot be JSON, and there is none");
}
