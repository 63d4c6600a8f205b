//! A letter with content, attempts and notes, as a line of JSON.

use std::collections::BTreeMap;

use redrive_client::proto::redrive::v1::{Content, Death, Header, LetterAttempt, LettersGetResponse, Note, Origin};
use redrive_client::proto::{JsonValue, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::letter_line::LetterLine;
use crate::commands::payload;
use crate::console::given;

/// The fields of `letters list` and all others.
#[derive(Debug, Serialize)]
pub(super) struct RecordLine<'r> {
    #[serde(flatten)]
    letter: Option<LetterLine<'r>>,
    content: Option<ContentLine<'r>>,
    original: Option<ContentLine<'r>>,
    origin: Option<OriginLine<'r>>,
    death: Option<DeathLine<'r>>,
    attempts: Vec<AttemptLine<'r>>,
    notes: Vec<NoteLine<'r>>,
    parts: &'r [String],
    metadata: &'r BTreeMap<String, JsonValue>,
    depends_on: &'r [String],
    reply_to: Option<&'r str>,
    trace_id: Option<&'r str>,
    request_id: Option<&'r str>,
    submitted_by: Option<&'r str>,
    /// Set if the payload was revealed and is a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Map<String, Value>>,
    repos: &'r [String],
    failed_repos: &'r [String],
    error: Option<&'r str>,
    last_error: Option<&'r str>,
    matched_rule: Option<&'r str>,
}

impl<'r> RecordLine<'r> {
    pub(super) fn new(shown: &'r LettersGetResponse, is_revealed: bool) -> Self {
        let content = |content: &'r Content| ContentLine::new(content, is_revealed);
        Self {
            letter: shown.letter.as_ref().map(LetterLine),
            content: shown.content.as_ref().map(content),
            original: shown.original.as_ref().map(content),
            origin: shown.origin.as_ref().map(OriginLine::from),
            death: shown.death.as_ref().map(DeathLine),
            attempts: shown.attempts.iter().map(AttemptLine::from).collect(),
            notes: shown.notes.iter().map(NoteLine::from).collect(),
            parts: &shown.parts,
            metadata: &shown.metadata,
            depends_on: &shown.depends_on,
            reply_to: given(&shown.reply_to),
            trace_id: given(&shown.trace_id),
            request_id: given(&shown.request_id),
            submitted_by: given(&shown.submitted_by),
            task: given(&shown.task).and_then(|task| serde_json::from_str(task).ok()),
            repos: &shown.repos,
            failed_repos: &shown.failed_repos,
            error: given(&shown.error),
            last_error: given(&shown.last_error),
            matched_rule: given(&shown.matched_rule),
        }
    }
}

/// Bytes are in one of two fields, as text or in base64; in neither, if the payload was not revealed.
#[derive(Debug, Serialize)]
struct ContentLine<'r> {
    kind: Option<&'r str>,
    encoding: Option<&'r str>,
    reference: Option<&'r str>,
    payload_bytes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Vec<HeaderLine<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_base64: Option<String>,
}

#[derive(Debug, Serialize)]
struct HeaderLine<'r> {
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_base64: Option<String>,
}

impl<'r> ContentLine<'r> {
    fn new(content: &'r Content, is_revealed: bool) -> Self {
        let (key, key_base64) = content.key.as_deref().map(payload::fields).unwrap_or_default();
        let (payload, payload_base64) = if is_revealed { payload::fields(&content.payload) } else { (None, None) };
        let header = |header: &'r Header| {
            let (value, value_base64) = payload::fields(&header.value);
            HeaderLine { name: &header.name, value, value_base64 }
        };
        Self {
            kind: given(&content.kind),
            encoding: given(&content.encoding),
            reference: given(&content.reference),
            payload_bytes: content.payload_bytes,
            key,
            key_base64,
            headers: is_revealed.then(|| content.headers.iter().map(header).collect()),
            payload,
            payload_base64,
        }
    }
}

#[derive(Debug, Serialize)]
struct OriginLine<'r> {
    transport: Option<&'r str>,
    name: Option<&'r str>,
    consumer: Option<&'r str>,
    partition: Option<i64>,
    offset: Option<i64>,
    timestamp: Option<Timestamp>,
    message_id: Option<&'r str>,
    replays: i32,
}

impl<'r> From<&'r Origin> for OriginLine<'r> {
    fn from(origin: &'r Origin) -> Self {
        Self {
            transport: given(&origin.transport),
            name: given(&origin.name),
            consumer: given(&origin.consumer),
            partition: origin.partition,
            offset: origin.offset,
            timestamp: origin.timestamp,
            message_id: given(&origin.message_id),
            replays: origin.replays,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct DeathLine<'r>(#[serde(with = "DeathFields")] &'r Death);

#[derive(Serialize)]
#[serde(remote = "Death")]
struct DeathFields {
    queue_name: String,
    partition: i32,
    id: String,
    reason: String,
    attempts: i32,
    created_at: Option<Timestamp>,
    expire_deadline: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct AttemptLine<'r> {
    trigger: &'r str,
    outcome: &'r str,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    cause: Option<&'r str>,
    error_type: Option<&'r str>,
    error: &'r str,
    category: Option<&'r str>,
    rule: Option<&'r str>,
    fingerprint: Option<&'r str>,
    failed_parts: &'r [String],
    worker: Option<&'r str>,
    actor: Option<&'r str>,
    actor_name: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handed_back_to: Option<&'r str>,
}

impl<'r> From<&'r LetterAttempt> for AttemptLine<'r> {
    fn from(record: &'r LetterAttempt) -> Self {
        let attempt = record.attempt.as_ref();
        let text = |field: fn(&redrive_client::proto::redrive::v1::Attempt) -> &str| attempt.map_or("", field);
        Self {
            trigger: text(|attempt| &attempt.trigger),
            outcome: text(|attempt| &attempt.outcome),
            started_at: attempt.and_then(|attempt| attempt.started_at),
            ended_at: attempt.and_then(|attempt| attempt.ended_at),
            cause: given(text(|attempt| &attempt.cause)),
            error_type: given(text(|attempt| &attempt.error_type)),
            error: text(|attempt| &attempt.error),
            category: given(text(|attempt| &attempt.category)),
            rule: given(text(|attempt| &attempt.rule)),
            fingerprint: given(text(|attempt| &attempt.fingerprint)),
            failed_parts: attempt.map(|attempt| attempt.failed_parts.as_slice()).unwrap_or_default(),
            worker: given(text(|attempt| &attempt.worker)),
            actor: given(&record.actor),
            actor_name: given(&record.actor_name),
            handed_back_to: given(&record.handed_back_to),
        }
    }
}

#[derive(Debug, Serialize)]
struct NoteLine<'r> {
    text: &'r str,
    tags: &'r [String],
    author: Option<&'r str>,
    author_name: Option<&'r str>,
    at: Option<Timestamp>,
}

impl<'r> From<&'r Note> for NoteLine<'r> {
    fn from(note: &'r Note) -> Self {
        Self {
            text: &note.text,
            tags: &note.tags,
            author: given(&note.author),
            author_name: given(&note.author_name),
            at: note.at,
        }
    }
}
