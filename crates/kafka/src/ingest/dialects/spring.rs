//! The headers of Spring Kafka: numbers are binary, texts are UTF-8.
//!
//! A dead letter publisher writes `kafka_dlt-original-topic`, retry topics write `kafka_original-topic`, and so on. A
//! failure in a listener has the same outer type for all exceptions: the type of its cause says more.

use super::{DialectHeaders, DlqRecord, Reported, noted};

const FAMILIES: [&str; 4] = ["kafka_dlt-", "kafka_original-", "kafka_exception-", "kafka_key-exception-"];
/// Read by the retry topics: a record that keeps them has no attempts left.
const RETRY_TOPIC: &str = "retry_topic-";

const WRAPPER: &str = "ListenerExecutionFailedException";

/// Whether Spring Kafka added a header of this name.
pub(super) fn is_own(name: &str) -> bool {
    FAMILIES.iter().any(|family| name.starts_with(family)) || name.starts_with(RETRY_TOPIC)
}

pub(super) fn read<'r>(headers: &DialectHeaders<'r>, record: &DlqRecord) -> Reported<'r> {
    let thrown = headers.text(&["kafka_dlt-exception-fqcn", "kafka_exception-fqcn"]);
    let cause = headers.text(&["kafka_dlt-exception-cause-fqcn", "kafka_exception-cause-fqcn"]);
    let of_key = || headers.text(&["kafka_dlt-key-exception-fqcn", "kafka_key-exception-fqcn"]);
    let message = headers.text(&["kafka_dlt-exception-message", "kafka_exception-message"]);
    let message_of_key = || headers.text(&["kafka_dlt-key-exception-message", "kafka_key-exception-message"]);
    let trace = headers.text(&["kafka_dlt-exception-stacktrace", "kafka_exception-stacktrace"]);
    let trace_of_key = || headers.text(&["kafka_dlt-key-exception-stacktrace", "kafka_key-exception-stacktrace"]);
    let timestamp = headers.long(&["kafka_dlt-original-timestamp", "kafka_original-timestamp"]);
    let attempts = headers.int(&["retry_topic-attempts"]);
    let mut metadata = noted(headers, [("kafka_timestamp_type", "kafka_dlt-original-timestamp-type")]);
    metadata.extend(thrown.map(|thrown| ("kafka_exception", thrown.to_owned())));
    metadata.extend(cause.map(|cause| ("kafka_exception_cause", cause.to_owned())));
    Reported {
        topic: headers.text(&["kafka_dlt-original-topic", "kafka_original-topic"]),
        partition: headers.int(&["kafka_dlt-original-partition", "kafka_original-partition"]),
        offset: headers.long(&["kafka_dlt-original-offset", "kafka_original-offset"]),
        timestamp: timestamp.filter(|millis| *millis >= 0),
        group: headers.consumer(&["kafka_dlt-original-consumer-group", "kafka_original-consumer-group"]),
        error_type: cause.filter(|_| thrown.is_some_and(|thrown| thrown.ends_with(WRAPPER))).or(thrown).or_else(of_key),
        message: message.or_else(message_of_key),
        stack_trace: trace.or_else(trace_of_key),
        attempts: attempts.and_then(|attempts| u32::try_from(attempts).ok()),
        // The publisher sets no timestamp: the record has the time at which it was sent.
        failed_at: record.timestamp,
        metadata,
        ..Reported::default()
    }
}
