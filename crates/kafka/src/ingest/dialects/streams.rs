//! The headers of Kafka Streams: all text. The record has the timestamp of the failed one. The exception is a class and a
//! message in one text.

use super::{DialectHeaders, DlqRecord, Reported};

pub(super) const PREFIX: &str = "__streams.errors.";

pub(super) fn read<'r>(headers: &DialectHeaders<'r>, record: &DlqRecord) -> Reported<'r> {
    let exception = headers.text(&["__streams.errors.exception"]);
    let (error_type, said) = match exception.and_then(|exception| exception.split_once(": ")) {
        Some((class, message)) => (Some(class), Some(message)),
        None => (exception, None),
    };
    Reported {
        topic: headers.text(&["__streams.errors.topic"]),
        partition: headers.decimal(&["__streams.errors.partition"]),
        offset: headers.decimal(&["__streams.errors.offset"]),
        timestamp: record.timestamp,
        error_type,
        message: headers.text(&["__streams.errors.message"]).or(said),
        stack_trace: headers.text(&["__streams.errors.stacktrace"]),
        ..Reported::default()
    }
}
