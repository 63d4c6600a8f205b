//! From a record of a DLQ topic to a letter.

use std::sync::Arc;

use redrive_core::{Failure, Metadata, Time, Trace};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content, Origin};

use super::dialects::{Dialect, Reported};
use super::dlq_record::{DialectHeaders, DlqRecord};
use crate::record::time_of;
use crate::settings::is_topic;
use crate::source_record::{SourceRecord, is_of_hand_back, transport, without};

/// Maximum length of an error message, in bytes.
const MESSAGE_BYTES_MAX: usize = 8 * 1024;
/// Maximum length of a stack trace, in bytes.
const TRACE_BYTES_MAX: usize = 16 * 1024;
/// Maximum length of every other text in the metadata, in bytes.
const TEXT_BYTES_MAX: usize = 1024;

/// A letter in a dead queue whose content the record only refers to: `QUEUE/ID`.
pub(crate) const REFERENCE: &str = "kafka_reference";

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
        None => (reported.message_id.map_or_else(|| own.id(), str::to_owned), origin_without_place(&reported, &own)),
    };

    let (added, malformed) = (dialect.added(headers), reader.malformed());
    let is_dropped = |index: usize| added[index] && !malformed.contains(&index);
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

/// The same, identified by the place of the record in the DLQ topic: for a record whose source has another letter.
pub(super) fn ingest_by_own_place(record: &DlqRecord, now: Time) -> FailedWork {
    let (work, own) = (ingest(record, now), own_place(record));
    let named = work.context.origin;
    let origin = match named.name == own.topic {
        true => own.origin(),
        false => {
            Origin { partition: None, offset: None, timestamp: None, message_id: Some(own.id()), replays: 0, ..named }
        }
    };
    FailedWork { source_id: own.id().into(), context: CaptureContext { origin, ..work.context }, ..work }
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
fn origin_without_place(reported: &Reported<'_>, own: &SourceRecord) -> Origin {
    let topic = reported.topic.filter(|topic| is_topic(topic));
    if topic.is_none() && reported.message_id.is_none() {
        return own.origin();
    }
    Origin {
        transport: transport(),
        name: topic.map_or_else(|| Arc::clone(&own.topic), Arc::from),
        consumer: reported.group.map(Arc::from),
        message_id: Some(reported.message_id.map_or_else(|| own.id(), str::to_owned)),
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
    note("kafka_dlq", &format!("{topic}/{partition}/{offset}"), TEXT_BYTES_MAX);
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
