//! A complete letter as lossless JSON.
//!
//! The searchable fields of a document are rounded and shortened. This format restores a store: times to the
//! microsecond, bytes unchanged.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use redrive_core::{
    Category, Fingerprint, ItemId, LetterId, PolicySource, Priority, RetryPolicy, Status, Time, Trigger,
};
use redrive_model::{
    Attempt, CaptureContext, ClaimHolder, Content, FullLetter, Header, ItemInfo, ItemState, LetterInfo, PriorState,
};
use serde::{Deserialize, Serialize};

/// The format of a letter in the field `letter`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptLetter {
    /// Version of this format: fields may be added; a changed meaning needs a new version.
    v: u32,
    item: KeptItem,
    record: KeptRecord,
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
pub enum Unreadable {
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
struct KeptItem {
    id: ItemId,
    partition: u32,
    source_id: Option<Box<str>>,
    state: KeptState,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    at: Option<Time>,
    priority: Priority,
    attempts: u32,
    deliveries: u32,
    max_attempts: u32,
    #[serde(with = "super::micros")]
    created_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    expires_at: Option<Time>,
    #[serde(rename = "is_condemned", default)]
    is_hand_over_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptState {
    Ready,
    Leased,
    Scheduled,
    Due,
    Stranded,
    Finished,
    Damaged,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptRecord {
    id: LetterId,
    generation: u32,
    revision: u64,
    status: Status,
    category: Category,
    policy: RetryPolicy,
    policy_source: PolicySource,
    fingerprint: Fingerprint,
    retries: u32,
    max_retries: u32,
    total_attempts: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    replays: u32,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    next_retry_at: Option<Time>,
    #[serde(with = "super::micros")]
    first_failed_at: Time,
    #[serde(with = "super::micros")]
    last_failed_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    ended_at: Option<Time>,
    /// Unset in copies of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    updated_at: Option<Time>,
    #[serde(default)]
    is_outcome_unknown: bool,
    #[serde(default)]
    is_overflow: bool,
    #[serde(default)]
    is_blocked: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<KeptBefore>,
    trigger: Trigger,
    destination: Arc<str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature of serde")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct KeptBefore {
    status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    due: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::micros::option")]
    since: Option<Time>,
    /// Whether the server's own processor holds the claim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_held_by_server: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_failed_again: bool,
}

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
        Some(Self {
            v: V,
            record: KeptRecord::of(info.letter.as_deref()?),
            item: KeptItem::of(info),
            content: KeptContent::of(content),
            context: context.clone(),
            attempts: attempts.clone(),
            original: original.as_deref().map(KeptContent::of),
            notes: notes.iter().cloned().map(Base64).collect(),
            parts: parts.clone(),
        })
    }

    /// Reads the letter of a document.
    pub fn read(json: &str) -> Result<FullLetter, Unreadable> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let version: Version = serde_json::from_str(json).map_err(Unreadable::Malformed)?;
        if version.v != V {
            return Err(Unreadable::Newer(version.v));
        }
        let kept: Self = serde_json::from_str(json).map_err(Unreadable::Malformed)?;
        Ok(kept.into_record())
    }

    fn into_record(self) -> FullLetter {
        let info = ItemInfo {
            letter: Some(Box::new(self.record.info())),
            first_id: ItemId::new(self.record.id.ksuid()),
            is_edited: self.original.is_some(),
            ..self.item.info()
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

impl KeptItem {
    fn of(info: &ItemInfo) -> Self {
        let (state, at) = match info.state {
            ItemState::Ready => (KeptState::Ready, None),
            ItemState::Leased { deadline } => (KeptState::Leased, Some(deadline)),
            ItemState::Scheduled { at } => (KeptState::Scheduled, Some(at)),
            ItemState::Due { at } => (KeptState::Due, Some(at)),
            ItemState::Stranded => (KeptState::Stranded, None),
            ItemState::Finished => (KeptState::Finished, None),
            ItemState::Damaged => (KeptState::Damaged, None),
        };
        Self {
            id: info.id,
            partition: info.partition,
            source_id: info.source_id.clone(),
            state,
            at,
            priority: info.priority,
            attempts: info.attempts,
            deliveries: info.deliveries,
            max_attempts: info.max_attempts,
            created_at: info.created_at,
            expires_at: info.expires_at,
            is_hand_over_only: info.is_hand_over_only,
        }
    }

    /// Returns the item without its letter.
    fn info(self) -> ItemInfo {
        let at = self.at.unwrap_or(Time::MAX);
        ItemInfo {
            id: self.id,
            first_id: self.id,
            partition: self.partition,
            source_id: self.source_id,
            state: match self.state {
                KeptState::Ready => ItemState::Ready,
                KeptState::Leased => ItemState::Leased { deadline: at },
                KeptState::Scheduled => ItemState::Scheduled { at },
                KeptState::Due => ItemState::Due { at },
                KeptState::Stranded => ItemState::Stranded,
                KeptState::Finished => ItemState::Finished,
                KeptState::Damaged => ItemState::Damaged,
            },
            priority: self.priority,
            attempts: self.attempts,
            deliveries: self.deliveries,
            max_attempts: self.max_attempts,
            created_at: self.created_at,
            first_received_at: None,
            expires_at: self.expires_at,
            imported_lease_deadline: None,
            is_hand_over_only: self.is_hand_over_only,
            letter: None,
            is_edited: false,
        }
    }
}

impl KeptRecord {
    fn of(letter: &LetterInfo) -> Self {
        Self {
            id: letter.id,
            generation: letter.generation,
            revision: letter.revision,
            status: letter.status,
            category: letter.category,
            policy: letter.policy,
            policy_source: letter.policy_source,
            fingerprint: letter.fingerprint,
            retries: letter.retries,
            max_retries: letter.max_retries,
            total_attempts: letter.total_attempts,
            replays: letter.replays,
            next_retry_at: letter.next_retry_at,
            first_failed_at: letter.first_failed_at,
            last_failed_at: letter.last_failed_at,
            ended_at: letter.ended_at,
            updated_at: Some(letter.updated_at),
            is_outcome_unknown: letter.is_outcome_unknown,
            is_overflow: letter.is_overflow,
            is_blocked: letter.is_blocked,
            before: letter.before.map(KeptBefore::of),
            trigger: letter.trigger,
            destination: Arc::clone(&letter.destination),
        }
    }

    fn info(&self) -> LetterInfo {
        LetterInfo {
            id: self.id,
            generation: self.generation,
            revision: self.revision,
            status: self.status,
            category: self.category,
            policy: self.policy,
            policy_source: self.policy_source,
            fingerprint: self.fingerprint,
            retries: self.retries,
            max_retries: self.max_retries,
            total_attempts: self.total_attempts,
            replays: self.replays,
            next_retry_at: self.next_retry_at,
            first_failed_at: self.first_failed_at,
            last_failed_at: self.last_failed_at,
            ended_at: self.ended_at,
            updated_at: self.updated_at.or(self.ended_at).unwrap_or(self.last_failed_at),
            is_outcome_unknown: self.is_outcome_unknown,
            is_overflow: self.is_overflow,
            before: self.before.map(KeptBefore::prior_state),
            trigger: self.trigger,
            destination: Arc::clone(&self.destination),
            is_blocked: self.is_blocked,
        }
    }
}

impl KeptBefore {
    fn of(before: PriorState) -> Self {
        let PriorState { status, due, since, holder, has_failed_again } = before;
        Self { status, due, since, is_held_by_server: holder == ClaimHolder::Server, has_failed_again }
    }

    const fn prior_state(self) -> PriorState {
        let Self { status, due, since, is_held_by_server, has_failed_again } = self;
        let holder = if is_held_by_server { ClaimHolder::Server } else { ClaimHolder::Caller };
        PriorState { status, due, since, holder, has_failed_again }
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
