//! The letters of this consumer in DLQ topics, and of the design that it follows: text, at the end of the headers.

use super::{DialectHeaders, Reported};
use crate::ingest::REFERENCE;

/// The first header that is added.
pub(super) const FIRST: &str = "x-error-reason";

pub(super) const NAMES: [&str; 11] = [
    FIRST,
    "x-retry-attempt",
    "source-topic",
    "partition",
    "offset",
    "epoch",
    "x-consumer-group",
    "x-error-type",
    "x-original-timestamp",
    "x-letter-queue",
    "x-letter-id",
];

pub(super) fn read<'r>(headers: &DialectHeaders<'r>) -> Reported<'r> {
    let reference = headers.text(&["x-letter-queue"]).zip(headers.text(&["x-letter-id"]));
    Reported {
        topic: headers.text(&["source-topic"]),
        partition: headers.decimal(&["partition"]),
        offset: headers.decimal(&["offset"]),
        timestamp: headers.decimal(&["x-original-timestamp"]),
        group: headers.consumer(&["x-consumer-group"]),
        error_type: headers.text(&["x-error-type"]),
        message: headers.text(&[FIRST]),
        attempts: headers.decimal(&["x-retry-attempt"]),
        metadata: reference.map(|(queue, id)| (REFERENCE, format!("{queue}/{id}"))).into_iter().collect(),
        ..Reported::default()
    }
}
