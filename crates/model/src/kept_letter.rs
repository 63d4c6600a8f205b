//! A complete letter as lossless JSON.
//!
//! The searchable fields of a document are rounded and shortened. This format restores a store: times to the
//! microsecond, bytes unchanged. The names of its fields are also in `view.rs`, `letter/letter.rs` (the prior state),
//! `letter/attempt.rs` and `letter/capture_context.rs`.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use redrive_core::{ItemId, Time};
use serde::{Deserialize, Serialize};

use crate::{Attempt, CaptureContext, Content, FullLetter, Header, ItemInfo, LetterInfo};

/// A letter in this format. An index keeps it in the field `letter` of its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptLetter {
    /// Version of this format: fields may be added; a changed meaning needs a new version.
    v: u32,
    /// Without its letter, which is the `record`.
    item: ItemInfo,
    record: Box<LetterInfo>,
    content: KeptContent,
    #[serde(rename = "dossier", default, skip_serializing_if = "Option::is_none")]
    context: Option<CaptureContext>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attempts: Vec<Attempt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    original: Option<KeptContent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Base64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<String>>,
}

/// Why a document does not contain a readable letter.
#[derive(Debug, thiserror::Error)]
pub enum KeptLetterError {
    #[error("the document does not contain a complete letter")]
    Malformed(#[source] serde_json::Error),
    #[error("the letter has format {0}, but only {V} is supported; it was written by a newer version of Redrive")]
    Newer(u32),
    /// The index rejected the complete letter and has a reduced document instead.
    #[error("the index rejected the complete letter and has only a part of it")]
    Reduced,
}

const V: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptContent {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    encoding: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Base64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    headers: Vec<(String, Base64)>,
    payload: Base64,
}

/// Bytes, encoded as base64.
#[derive(Debug, Clone, PartialEq)]
struct Base64(Bytes);

impl Serialize for Base64 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&base64::display::Base64Display::new(&self.0, &STANDARD))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(|bytes| Self(bytes.into())).map_err(|_| serde::de::Error::custom("not base64"))
    }
}

impl KeptLetter {
    /// Returns the JSON format of a letter; `None` for a plain item.
    pub fn of(letter: &FullLetter) -> Option<Self> {
        let FullLetter { info, content, context, attempts, original, notes, parts } = letter;
        let mut item = info.clone();
        let record = item.letter.take()?;
        Some(Self {
            v: V,
            item,
            record,
            content: KeptContent::of(content),
            context: context.clone(),
            attempts: attempts.clone(),
            original: original.as_deref().map(KeptContent::of),
            notes: notes.iter().cloned().map(Base64).collect(),
            parts: parts.clone(),
        })
    }

    /// Reads the letter of a document.
    pub fn read(json: &str) -> Result<FullLetter, KeptLetterError> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let version: Version = serde_json::from_str(json).map_err(KeptLetterError::Malformed)?;
        if version.v != V {
            return Err(KeptLetterError::Newer(version.v));
        }
        let kept: Self = serde_json::from_str(json).map_err(KeptLetterError::Malformed)?;
        Ok(kept.into_record())
    }

    fn into_record(mut self) -> FullLetter {
        let record = &mut self.record;
        if record.updated_at == Time::MAX {
            // Written before the field existed.
            record.updated_at = record.ended_at.unwrap_or(record.last_failed_at);
        }
        let info = ItemInfo {
            first_id: ItemId::new(record.id.ksuid()),
            is_edited: self.original.is_some(),
            letter: Some(self.record),
            ..self.item
        };
        FullLetter {
            info,
            content: Arc::new(self.content.content()),
            context: self.context,
            attempts: self.attempts,
            original: self.original.map(|original| Arc::new(original.content())),
            notes: self.notes.into_iter().map(|note| note.0).collect(),
            parts: self.parts,
        }
    }
}

impl KeptContent {
    fn of(content: &Content) -> Self {
        Self {
            kind: content.kind.clone(),
            encoding: content.encoding.clone(),
            reference: content.reference.clone(),
            key: content.key.clone().map(Base64),
            headers: content.headers.iter().map(|h| (h.name.clone(), Base64(h.value.clone()))).collect(),
            payload: Base64(content.payload.clone()),
        }
    }

    fn content(self) -> Content {
        Content {
            kind: self.kind,
            encoding: self.encoding,
            reference: self.reference,
            key: self.key.map(|key| key.0),
            headers: self.headers.into_iter().map(|(name, value)| Header { name, value: value.0 }).collect(),
            payload: self.payload.0,
        }
    }
}
