//! The filter of a list: a CEL condition over the fields of a letter.

use redrive_core::{Condition, ConditionFields, Operand, Time};
use redrive_model::{Attempt, CaptureContext, Content, FullLetter, ItemInfo, ItemState, LetterInfo};

use crate::api_error::ApiError;

#[derive(Debug)]
pub(super) struct Filter(Condition);

type ReadInMemory = fn(&ItemInfo, &LetterInfo) -> Operand;
/// `None` if the letter has no such value.
type ReadFromDisk = fn(&FullLetter) -> Option<Operand>;

/// Fields that are in memory.
const IN_MEMORY: [(&str, ReadInMemory); 23] = [
    ("id", |_, letter| text(&letter.id)),
    ("source_id", |info, _| text(info.source_id.as_deref().unwrap_or_default())),
    ("generation", |_, letter| number(letter.generation)),
    ("revision", |_, letter| number(letter.revision)),
    ("status", |_, letter| text(&letter.status)),
    ("category", |_, letter| text(&letter.category)),
    ("retry_policy", |_, letter| text(&letter.policy)),
    ("policy_source", |_, letter| text(&letter.policy_source)),
    ("fingerprint", |_, letter| text(&letter.fingerprint)),
    ("retry_count", |_, letter| number(letter.retries)),
    ("max_retries", |_, letter| number(letter.max_retries)),
    ("total_attempts", |_, letter| number(letter.total_attempts)),
    ("priority", |info, _| text(&info.priority)),
    ("destination", |_, letter| text(&*letter.destination)),
    ("outcome_unknown", |_, letter| Operand::Flag(letter.is_outcome_unknown)),
    ("overflow", |_, letter| Operand::Flag(letter.is_overflow)),
    ("blocked", |_, letter| Operand::Flag(letter.is_blocked)),
    ("damaged", |info, _| Operand::Flag(info.state == ItemState::Damaged)),
    ("next_retry_at", |_, letter| when(letter.next_retry_at)),
    ("first_failed_at", |_, letter| when(Some(letter.first_failed_at))),
    ("last_failed_at", |_, letter| when(Some(letter.last_failed_at))),
    ("ended_at", |_, letter| when(letter.ended_at)),
    ("updated_at", |_, letter| when(Some(letter.updated_at))),
];

/// Fields that must be read from disk.
const READ: [(&str, ReadFromDisk); 20] = [
    ("kind", |record| Some(text(&record.content.kind))),
    ("encoding", |record| Some(text(&record.content.encoding))),
    ("reference", |record| Some(text(&record.content.reference))),
    ("key", |record| record.content.key.as_deref().map(|key| text(&lossy(key)))),
    ("headers", |record| Some(headers(&record.content))),
    ("payload_bytes", |record| Some(number(record.content.payload.len()))),
    ("transport", |record| Some(text(&context(record)?.origin.transport))),
    ("origin", |record| Some(text(&context(record)?.origin.name))),
    ("consumer", |record| context(record)?.origin.consumer.as_deref().map(text)),
    ("partition", |record| context(record)?.origin.partition.map(Operand::Number)),
    ("offset", |record| context(record)?.origin.offset.map(Operand::Number)),
    ("message_id", |record| context(record)?.origin.message_id.as_ref().map(text)),
    ("metadata", |record| Some(Operand::Map(context(record)?.metadata.clone()))),
    ("parts", |record| Some(Operand::Texts(record.parts.as_ref().unwrap_or(&context(record)?.parts).clone()))),
    ("trace_id", |record| context(record)?.trace_id.as_ref().map(text)),
    ("request_id", |record| context(record)?.request_id.as_ref().map(text)),
    ("submitted_by", |record| context(record)?.submitted_by.as_ref().map(text)),
    ("error", |record| Some(text(&newest(record)?.error))),
    ("error_type", |record| newest(record)?.error_type.as_ref().map(text)),
    ("rule", |record| newest(record)?.rule.as_ref().map(text)),
];

/// Fields that are times.
const TIMES: [&str; 5] = ["next_retry_at", "first_failed_at", "last_failed_at", "ended_at", "updated_at"];

/// Fields that are maps.
const MAPS: [&str; 2] = ["metadata", "headers"];

/// Fields with an index in the store.
const WITH_INDEX: [&str; 4] = ["status", "category", "fingerprint", "source_id"];

/// Fields that need the permission to reveal, and a reason.
const CONFIDENTIAL: [&str; 2] = ["key", "headers"];

impl Filter {
    pub(super) fn parse(source: &str) -> Result<Option<Self>, ApiError> {
        if source.trim().is_empty() {
            return Ok(None);
        }
        let in_memory = IN_MEMORY.iter().map(|(name, _)| *name);
        let names: Vec<&'static str> = in_memory.chain(READ.iter().map(|(name, _)| *name)).collect();
        let fields = ConditionFields { names: &names, times: &TIMES, maps: &MAPS };
        Condition::over("filter", source, &fields)
            .map(|condition| Some(Self(condition)))
            .map_err(|invalid| ApiError::bad(format!("filter is invalid; allowed: {}", invalid.allowed)))
    }

    /// Whether the filter uses fields that must be read from disk.
    pub(super) fn needs_record(&self) -> bool {
        self.0.reads().iter().any(|field| find(&IN_MEMORY, field).is_none())
    }

    /// Whether the filter uses confidential fields. With enough requests, a caller can find out their whole value.
    pub(super) fn reveals(&self) -> bool {
        self.0.reads().iter().any(|field| CONFIDENTIAL.contains(field))
    }

    /// The fields that the condition requires to equal a constant, as far as its form shows.
    pub(super) fn demands(&self) -> Vec<(&str, &str)> {
        self.0.demands()
    }

    /// Whether a search by the demands finds exactly the matching letters.
    pub(super) fn is_indexed(&self) -> bool {
        self.0.has_only_demands() && self.0.reads().iter().all(|field| WITH_INDEX.contains(field))
    }

    /// Whether a letter matches at a time. A damaged letter matches no filter that reads from disk: too little of it is
    /// left.
    pub(super) fn holds(&self, now: Time, info: &ItemInfo, record: Option<&FullLetter>) -> Result<bool, ApiError> {
        if self.needs_record() && record.is_some_and(|record| record.info.state == ItemState::Damaged) {
            return Ok(false);
        }
        let value_of = |field: &str| match find(&IN_MEMORY, field) {
            Some(read) => Some(read(info, info.letter.as_deref()?)),
            None => find(&READ, field)?(record?),
        };
        let value_of = |field: &str| value_of(field).unwrap_or(Operand::Nothing);
        self.0.holds_at(now, value_of).map_err(|error| ApiError::bad(format!("filter is invalid; {error}")))
    }
}

/// Times are compared as text, which sorts in the order of time.
fn when(time: Option<Time>) -> Operand {
    time.map_or(Operand::Nothing, |time| Operand::Text(time.to_string()))
}

fn number(number: impl TryInto<i64>) -> Operand {
    Operand::Number(number.try_into().unwrap_or(i64::MAX))
}

fn text(text: &(impl ToString + ?Sized)) -> Operand {
    Operand::Text(text.to_string())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn headers(content: &Content) -> Operand {
    Operand::Map(content.headers.iter().map(|header| (header.name.clone(), lossy(&header.value).into())).collect())
}

fn context(record: &FullLetter) -> Option<&CaptureContext> {
    record.context.as_ref()
}

/// The newest attempt that has an error; if none has, the newest.
fn newest(record: &FullLetter) -> Option<&Attempt> {
    let has_error = |attempt: &&Attempt| !attempt.error.is_empty() || attempt.error_type.is_some();
    record.attempts.iter().rev().find(has_error).or(record.attempts.last())
}

/// The reader of a field, if the table has the field.
fn find<R: Copy>(table: &[(&str, R)], field: &str) -> Option<R> {
    table.iter().find(|(name, _)| *name == field).map(|(_, read)| *read)
}
