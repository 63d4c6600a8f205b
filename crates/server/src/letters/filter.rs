//! The filter of a list: a CEL condition over the fields of a letter.

use redrive_core::{Condition, ConditionFields, Operand, Time};
use redrive_model::{Attempt, Content, FullLetter, ItemInfo, ItemState};

use crate::fault::Fault;

#[derive(Debug)]
pub(super) struct Filter(Condition);

/// Fields that are in memory.
const IN_MEMORY: [&str; 23] = [
    "id",
    "source_id",
    "generation",
    "revision",
    "status",
    "category",
    "retry_policy",
    "policy_source",
    "fingerprint",
    "retry_count",
    "max_retries",
    "total_attempts",
    "priority",
    "destination",
    "outcome_unknown",
    "overflow",
    "blocked",
    "damaged",
    "next_retry_at",
    "first_failed_at",
    "last_failed_at",
    "ended_at",
    "updated_at",
];

/// Fields that must be read from disk.
const READ: [&str; 20] = [
    "kind",
    "encoding",
    "reference",
    "key",
    "headers",
    "payload_bytes",
    "transport",
    "origin",
    "consumer",
    "partition",
    "offset",
    "message_id",
    "metadata",
    "parts",
    "trace_id",
    "request_id",
    "submitted_by",
    "error",
    "error_type",
    "rule",
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
    pub(super) fn parse(source: &str) -> Result<Option<Self>, Fault> {
        if source.trim().is_empty() {
            return Ok(None);
        }
        let names: Vec<&'static str> = IN_MEMORY.into_iter().chain(READ).collect();
        let fields = ConditionFields { names: &names, times: &TIMES, maps: &MAPS };
        Condition::over("filter", source, &fields).map(|condition| Some(Self(condition))).map_err(|invalid| {
            Fault::bad(format!("filter is invalid; allowed: {}", invalid.allowed)).because("invalid")
        })
    }

    /// Whether the filter uses fields that must be read from disk.
    pub(super) fn needs_record(&self) -> bool {
        self.0.reads().iter().any(|field| READ.contains(field))
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
    pub(super) fn holds(&self, now: Time, info: &ItemInfo, record: Option<&FullLetter>) -> Result<bool, Fault> {
        if self.needs_record() && record.is_some_and(|record| record.info.state == ItemState::Damaged) {
            return Ok(false);
        }
        let value_of =
            |field: &str| in_memory(field, info).or_else(|| read(field, record?)).unwrap_or(Operand::Nothing);
        self.0
            .holds_at(now, value_of)
            .map_err(|fault| Fault::bad(format!("filter is invalid; {fault}")).because("invalid"))
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

fn maybe(given: Option<&String>) -> Operand {
    given.map_or(Operand::Nothing, text)
}

fn in_memory(field: &str, info: &ItemInfo) -> Option<Operand> {
    let letter = info.letter.as_ref()?;
    Some(match field {
        "id" => text(&letter.id),
        "source_id" => text(info.source_id.as_deref().unwrap_or_default()),
        "generation" => number(letter.generation),
        "revision" => number(letter.revision),
        "status" => text(&letter.status),
        "category" => text(&letter.category),
        "retry_policy" => text(&letter.policy),
        "policy_source" => text(&letter.policy_source),
        "fingerprint" => text(&letter.fingerprint),
        "retry_count" => number(letter.retries),
        "max_retries" => number(letter.max_retries),
        "total_attempts" => number(letter.total_attempts),
        "priority" => text(&info.priority),
        "destination" => text(&*letter.destination),
        "outcome_unknown" => Operand::Flag(letter.is_outcome_unknown),
        "overflow" => Operand::Flag(letter.is_overflow),
        "blocked" => Operand::Flag(letter.is_blocked),
        "damaged" => Operand::Flag(info.state == ItemState::Damaged),
        "next_retry_at" => when(letter.next_retry_at),
        "first_failed_at" => when(Some(letter.first_failed_at)),
        "last_failed_at" => when(Some(letter.last_failed_at)),
        "ended_at" => when(letter.ended_at),
        "updated_at" => when(Some(letter.updated_at)),
        _ => return None,
    })
}

fn read(field: &str, record: &FullLetter) -> Option<Operand> {
    of_content(field, &record.content)
        .or_else(|| of_context(field, record))
        .or_else(|| newest(record).and_then(|attempt| of_attempt(field, attempt)))
}

/// The newest attempt that has an error; if none has, the newest.
fn newest(record: &FullLetter) -> Option<&Attempt> {
    let has_error = |attempt: &&Attempt| !attempt.error.is_empty() || attempt.error_type.is_some();
    record.attempts.iter().rev().find(has_error).or(record.attempts.last())
}

fn of_content(field: &str, content: &Content) -> Option<Operand> {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(match field {
        "kind" => text(&content.kind),
        "encoding" => text(&content.encoding),
        "reference" => text(&content.reference),
        "key" => content.key.as_ref().map_or(Operand::Nothing, |key| text(&lossy(key))),
        "headers" => {
            let headers = content.headers.iter().map(|header| (header.name.clone(), lossy(&header.value).into()));
            Operand::Map(headers.collect())
        }
        "payload_bytes" => number(content.payload.len()),
        _ => return None,
    })
}

fn of_context(field: &str, record: &FullLetter) -> Option<Operand> {
    let context = record.context.as_ref()?;
    let origin = &context.origin;
    Some(match field {
        "transport" => text(&origin.transport),
        "origin" => text(&origin.name),
        "consumer" => origin.consumer.as_deref().map_or(Operand::Nothing, text),
        "partition" => origin.partition.map_or(Operand::Nothing, Operand::Number),
        "offset" => origin.offset.map_or(Operand::Nothing, Operand::Number),
        "message_id" => maybe(origin.message_id.as_ref()),
        "metadata" => Operand::Map(context.metadata.clone()),
        "parts" => Operand::Texts(record.parts.clone().unwrap_or_else(|| context.parts.clone())),
        "trace_id" => maybe(context.trace_id.as_ref()),
        "request_id" => maybe(context.request_id.as_ref()),
        "submitted_by" => maybe(context.submitted_by.as_ref()),
        _ => return None,
    })
}

fn of_attempt(field: &str, attempt: &Attempt) -> Option<Operand> {
    Some(match field {
        "error" => text(&attempt.error),
        "error_type" => maybe(attempt.error_type.as_ref()),
        "rule" => maybe(attempt.rule.as_ref()),
        _ => return None,
    })
}
