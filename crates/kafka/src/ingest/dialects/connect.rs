//! The headers of Kafka Connect (`errors.deadletterqueue.context.headers.enable`): all text. The record has the timestamp
//! of the failed one.

use super::{DialectHeaders, DlqRecord, Reported, noted};

pub(super) const PREFIX: &str = "__connect.errors.";

pub(super) fn read<'r>(headers: &DialectHeaders<'r>, record: &DlqRecord) -> Reported<'r> {
    Reported {
        topic: headers.text(&["__connect.errors.topic"]),
        partition: headers.decimal(&["__connect.errors.partition"]),
        offset: headers.decimal(&["__connect.errors.offset"]),
        timestamp: record.timestamp,
        // Another connector that fails at the same record has a letter of its own.
        group: headers.consumer(&["__connect.errors.connector.name"]),
        error_type: headers.text(&["__connect.errors.exception.class.name"]),
        message: headers.text(&["__connect.errors.exception.message"]),
        stack_trace: headers.text(&["__connect.errors.exception.stacktrace"]),
        metadata: noted(
            headers,
            [
                ("connect_task", "__connect.errors.task.id"),
                ("connect_stage", "__connect.errors.stage"),
                ("connect_class", "__connect.errors.class.name"),
            ],
        ),
        ..Reported::default()
    }
}
