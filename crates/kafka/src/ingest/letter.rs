//! From a record of a DLQ topic to a letter.

use std::sync::Arc;

use redrive_core::{Failure, Metadata, Time, Trace};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content, Header, Origin, SOURCE_ID_BYTES_MAX};

use super::dialects::{Dialect, Reported};
use super::dlq_record::{DialectHeaders, DlqRecord};
use crate::record::{Nulls, time_of};
use crate::settings::is_topic;
use crate::source_record::{SourceRecord, hand_back_headers, identified_by, transport, without};

/// Maximum length of an error message, in bytes.
const MESSAGE_BYTES_MAX: usize = 8 * 1024;
/// Maximum length of a stack trace, in bytes.
const TRACE_BYTES_MAX: usize = 16 * 1024;
/// Maximum length of every other text in the metadata, in bytes.
const TEXT_BYTES_MAX: usize = 1024;

/// A letter in a dead queue whose content the record only refers to: `QUEUE/ID`.
pub(crate) const REFERENCE: &str = "kafka_reference";

/// Where the record is in its DLQ topic: `TOPIC/PARTITION/OFFSET`.
pub(crate) const DLQ_PLACE: &str = "kafka_dlq";

/// The parts of a record that its letter does not have, since the dead queue refuses them.
pub(crate) const REMOVED: &str = "kafka_removed";

/// Reads a record by its dialect. Every record becomes a letter: what is missing or malformed in its headers is not used,
/// and stays in the content.
pub(super) fn ingest(record: &DlqRecord, now: Time) -> FailedWork {
    let headers = &record.content.headers;
    let dialect = Dialect::of(headers);
    let reader = DialectHeaders::new(headers);
    let reported = dialect.read(&reader, record);
    let own = own_place(record);
    let (source_id, origin) = match source_of(&reported) {
        Some(source) => {
            let first = source.before_hand_back(headers);
            (first.id(), first.origin())
        }
        None => {
            let id = reported.message_id.map_or_else(|| own.id(), |id| namespaced(dialect, id));
            (id.clone(), origin_without_place(&reported, &own, id))
        }
    };

    let (added, malformed) = (dialect.added(headers), reader.malformed());
    let is_dropped = |index: usize| added[index] && !malformed.contains(&index);
    let is_of_hand_back = hand_back_headers(headers);
    let (kept, nulls) = without(headers, &record.nulls, |index, header| is_dropped(index) || is_of_hand_back(header));
    let mut metadata = metadata_of(dialect, &reported, record);
    nulls.mark(&mut metadata);

    let failed_at = reported.failed_at.map_or(now, time_of).min(now);
    let Content { key, payload, .. } = &*record.content;
    let content = Content { key: key.clone(), headers: kept, payload: payload.clone(), ..Content::default() };
    FailedWork {
        content: Arc::new(content),
        context: CaptureContext { origin, metadata, ..CaptureContext::default() },
        attempt: reported.attempts.unwrap_or(1).max(1),
        failed_at,
        category: reported.category,
        ..FailedWork::new(source_id, failure_of(&reported, record), now)
    }
}

/// What identifies a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterIdentity {
    /// The source that the headers name, else the place of the record in the DLQ topic.
    Source,
    /// The place of the record in the DLQ topic: headers are no proof, and the source may have another letter.
    OwnPlace,
    /// That place and the payload: a DLQ topic that is created again uses its places again.
    OwnContent,
}

impl LetterIdentity {
    /// The same letter with another identity.
    pub(super) fn apply(self, work: FailedWork, record: &DlqRecord) -> FailedWork {
        let (own, named) = (own_place(record), &work.context.origin);
        let (source_id, origin) = match self {
            Self::Source => return work,
            Self::OwnPlace if named.name == own.topic => (own.id(), own.origin()),
            Self::OwnPlace => (own.id(), identified_by(named, own.id())),
            Self::OwnContent => {
                let id = own.id_with_content(&work.content);
                (id.clone(), identified_by(named, id))
            }
        };
        FailedWork { source_id: source_id.into(), context: CaptureContext { origin, ..work.context }, ..work }
    }
}

/// What is kept of a record that the dead queue refuses as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptParts {
    /// What is within the limits of a content.
    WithinLimits,
    /// That without the payload.
    KeyAndHeaders,
    Nothing,
}

impl KeptParts {
    pub(super) const ALL: [Self; 3] = [Self::WithinLimits, Self::KeyAndHeaders, Self::Nothing];

    /// The letter without the other parts. Its metadata names them, and where the record is.
    pub(super) fn apply(self, mut work: FailedWork) -> FailedWork {
        let Content { key, headers, payload, .. } = &*work.content;
        let nulls = Nulls::of(&work.context.metadata, &work.content);
        let is_long = |header: &Header| header.name.len() + header.value.len() > Content::HEADER_BYTES_MAX;
        let is_nothing = self == Self::Nothing;
        let (kept_headers, kept_nulls) = without(headers, &nulls, |_, header| is_nothing || is_long(header));
        let is_kept = |key: &&bytes::Bytes| !is_nothing && key.len() <= Content::KEY_BYTES_MAX;
        let kept_key = key.as_ref().filter(is_kept).cloned();
        let kept_payload = if self == Self::WithinLimits { payload.clone() } else { bytes::Bytes::new() };
        let mut removed = Vec::new();
        if kept_payload.len() < payload.len() {
            removed.push(format!("the payload of {} bytes", payload.len()));
        }
        if let Some(key) = key.as_ref().filter(|_| kept_key.is_none()) {
            removed.push(format!("the key of {} bytes", key.len()));
        }
        if kept_headers.len() < headers.len() {
            removed.push(format!("{} of {} headers", headers.len() - kept_headers.len(), headers.len()));
        }
        if !removed.is_empty() {
            work.context.metadata.insert(REMOVED.to_owned(), removed.join(", ").into());
        }
        kept_nulls.mark(&mut work.context.metadata);
        let content = Content { key: kept_key, headers: kept_headers, payload: kept_payload, ..Content::default() };
        FailedWork { content: Arc::new(content), ..work }
    }
}

/// An id of a dialect as a source id that no other dialect and no coordinates have.
fn namespaced(dialect: Dialect, id: &str) -> String {
    let named = format!("{}/{id}", dialect.name());
    if named.len() <= SOURCE_ID_BYTES_MAX {
        return named;
    }
    let digest = u128::from_be_bytes(Content::of_payload(id.to_owned()).digest());
    format!("{}/#{digest:032x}", dialect.name())
}

/// The record itself, in the DLQ topic.
fn own_place(record: &DlqRecord) -> SourceRecord {
    SourceRecord {
        topic: Arc::clone(&record.topic),
        partition: record.partition,
        offset: record.offset,
        timestamp: record.timestamp,
        group: None,
        replays: 0,
    }
}

/// The failed record, if its place is known.
fn source_of(reported: &Reported<'_>) -> Option<SourceRecord> {
    Some(SourceRecord {
        topic: reported.topic.filter(|topic| is_topic(topic))?.into(),
        partition: reported.partition.filter(|partition| *partition >= 0)?,
        offset: reported.offset.filter(|offset| *offset >= 0)?,
        timestamp: reported.timestamp,
        group: reported.group.map(Arc::from),
        replays: 0,
    })
}

/// The origin of a record whose place is not known: its topic if that is, and the place of its letter.
fn origin_without_place(reported: &Reported<'_>, own: &SourceRecord, id: String) -> Origin {
    let topic = reported.topic.filter(|topic| is_topic(topic));
    if topic.is_none() && reported.message_id.is_none() {
        return own.origin();
    }
    Origin {
        transport: transport(),
        name: topic.map_or_else(|| Arc::clone(&own.topic), Arc::from),
        consumer: reported.group.map(Arc::from),
        message_id: Some(id),
        ..Origin::default()
    }
}

fn failure_of(reported: &Reported<'_>, record: &DlqRecord) -> Failure {
    let kind = reported.error_type.and_then(|kind| kind.parse().ok());
    // A failure without any text would be shown as an empty one.
    let unknown = if kind.is_some() { "" } else { "the DLQ topic does not say why the record failed" };
    let message = reported.message.or(record.unreadable.as_deref()).unwrap_or(unknown);
    let mut failure = Failure::new(bounded(message, MESSAGE_BYTES_MAX));
    failure.error.kind = kind;
    failure.trace = reported.stack_trace.map(Trace::parse);
    failure
}

fn metadata_of(dialect: Dialect, reported: &Reported<'_>, record: &DlqRecord) -> Metadata {
    let mut metadata = Metadata::new();
    let mut note = |key: &str, value: &str, most| metadata.insert(key.to_owned(), bounded(value, most).into());
    let DlqRecord { topic, partition, offset, .. } = record;
    note(DLQ_PLACE, &format!("{topic}/{partition}/{offset}"), TEXT_BYTES_MAX);
    note("kafka_dialect", dialect.name(), TEXT_BYTES_MAX);
    for (key, value) in &reported.metadata {
        note(key, value, TEXT_BYTES_MAX);
    }
    if let Some(trace) = reported.stack_trace {
        note("stack_trace", trace, TRACE_BYTES_MAX);
    }
    if let Some(unreadable) = &record.unreadable {
        note("kafka_unreadable", unreadable, TEXT_BYTES_MAX);
    }
    metadata
}

/// The beginning of a text.
fn bounded(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
