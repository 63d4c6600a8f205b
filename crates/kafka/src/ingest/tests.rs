//! Records as the programs of each dialect write them.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, Classifier, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{Content, Header};

use super::dlq_record::DlqRecord;
use super::letter::{LetterIdentity, ingest};
use crate::record::Nulls;
use crate::source_record::SourceRecord;

pub(super) const NOW: Time = Time::from_secs(1_794_744_100);
/// Of the failed record.
const ORIGINAL: i64 = 1_794_744_060_250;
/// Of the record in the DLQ topic, if its program does not keep the original one.
pub(super) const SENT: i64 = 1_794_744_061_000;

pub(super) type Headers<'h> = &'h [(&'h str, &'h [u8])];

pub(super) fn record(topic: &str, timestamp: i64, headers: Headers<'_>) -> DlqRecord {
    let header =
        |(name, value): &(&str, &[u8])| Header { name: (*name).to_owned(), value: Bytes::copy_from_slice(value) };
    let content = Content {
        key: Some(Bytes::from_static(b"customer-7")),
        headers: headers.iter().map(header).collect(),
        payload: Bytes::from_static(b"{\"order\":7}"),
        ..Content::default()
    };
    DlqRecord {
        topic: topic.into(),
        partition: 2,
        offset: 40,
        timestamp: Some(timestamp),
        content: Arc::new(content),
        nulls: Nulls::default(),
        unreadable: None,
    }
}

fn letter(record: &DlqRecord) -> FailedWork {
    let work = ingest(record, NOW);
    assert_eq!((&work.content.key, &work.content.payload), (&record.content.key, &record.content.payload));
    work
}

/// The source id, topic, partition, offset, timestamp and consumer.
type Place<'w> = (&'w str, &'w str, Option<i64>, Option<i64>, Option<i64>, Option<&'w str>);

fn place(work: &FailedWork) -> Place<'_> {
    let origin = &work.context.origin;
    assert_eq!(&*origin.transport, "kafka");
    let timestamp = origin.timestamp.map(|time| time.as_micros() / 1_000);
    (&work.source_id, &origin.name, origin.partition, origin.offset, timestamp, origin.consumer.as_deref())
}

fn names(work: &FailedWork) -> Vec<&str> {
    work.content.headers.iter().map(|header| header.name.as_str()).collect()
}

fn error(work: &FailedWork) -> (Option<&str>, &str) {
    (work.failure.error.kind.as_ref().map(redrive_core::Kind::as_str), work.failure.error.message.as_str())
}

fn noted<'w>(work: &'w FailedWork, key: &str) -> Option<&'w str> {
    work.context.metadata.get(key).and_then(|value| value.as_str())
}

fn category(work: &FailedWork) -> Category {
    Classifier::built_in().classify(&work.failure, 1).category
}

const TRACE: &[u8] =
    b"java.net.SocketTimeoutException: Read timed out\n\tat com.shop.Billing.charge(Billing.java:42)\n";

// Spring Kafka

/// The headers of a dead letter publisher, after a header of the user.
pub(super) const SPRING: Headers<'static> = &[
    ("traceparent", b"00-ab-cd-01"),
    ("kafka_dlt-exception-fqcn", b"org.springframework.kafka.listener.ListenerExecutionFailedException"),
    ("kafka_dlt-exception-cause-fqcn", b"java.net.SocketTimeoutException"),
    (
        "kafka_dlt-exception-message",
        b"Listener failed; nested exception is java.net.SocketTimeoutException: Read timed out",
    ),
    ("kafka_dlt-exception-stacktrace", TRACE),
    ("kafka_dlt-original-topic", b"orders"),
    ("kafka_dlt-original-partition", &[0, 0, 0, 3]),
    ("kafka_dlt-original-offset", &[0, 0, 0, 0, 0, 0, 0x1f, 0xc3]),
    ("kafka_dlt-original-timestamp", &[0x00, 0x00, 0x01, 0xa1, 0xdf, 0x15, 0x09, 0x5a]),
    ("kafka_dlt-original-timestamp-type", b"CreateTime"),
    ("kafka_dlt-original-consumer-group", b"billing"),
];

#[test]
fn spring_writes_numbers_as_big_endian_integers() {
    assert_eq!(ORIGINAL.to_be_bytes(), SPRING[8].1, "the fixture has the timestamp of the tests");
    let work = letter(&record("orders.DLT", SENT, SPRING));
    let source = format!("orders/3/8131@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "orders", Some(3), Some(8_131), Some(ORIGINAL), Some("billing")));
    assert_eq!(names(&work), ["traceparent"], "what Spring added is not content");
    let (kind, message) = error(&work);
    assert_eq!(kind, Some("java.net.SocketTimeoutException"), "the cause, since the wrapper is always the same");
    assert!(message.ends_with("Read timed out"));
    assert_eq!(category(&work), Category::Network);
    assert_eq!(work.failed_at, Time::from_micros(SENT * 1_000), "Spring sends the letter when the record fails");
    assert_eq!(noted(&work, "stack_trace").unwrap().as_bytes(), TRACE);
    assert_eq!(work.failure.trace.as_ref().unwrap().frames.len(), 1);
    assert_eq!(noted(&work, "kafka_dlq"), Some("orders.DLT/2/40"));
    assert_eq!(noted(&work, "kafka_dialect"), Some("spring"));
    assert_eq!(noted(&work, "kafka_exception_cause"), Some("java.net.SocketTimeoutException"));
}

#[test]
fn the_retry_topics_of_spring_have_another_spelling() {
    let headers: Headers<'_> = &[
        ("kafka_original-topic", b"orders"),
        ("kafka_original-partition", &[0, 0, 0, 0]),
        ("kafka_original-offset", &[0, 0, 0, 0, 0, 0, 0, 5]),
        ("kafka_original-timestamp", &ORIGINAL.to_be_bytes()),
        ("kafka_original-timestamp-type", b"CreateTime"),
        ("kafka_dlt-original-consumer-group", b"billing"),
        ("kafka_exception-fqcn", b"com.shop.InvalidOrderException"),
        ("kafka_exception-message", b"invalid order"),
        ("kafka_exception-stacktrace", b"..."),
        ("retry_topic-attempts", &[0, 0, 0, 4]),
        ("retry_topic-original-timestamp", &ORIGINAL.to_be_bytes()),
        ("retry_topic-backoff-timestamp", &SENT.to_be_bytes()),
    ];
    let work = letter(&record("orders-dlt", SENT, headers));
    let source = format!("orders/0/5@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "orders", Some(0), Some(5), Some(ORIGINAL), Some("billing")));
    assert!(names(&work).is_empty(), "a record with the attempts would not be retried again");
    assert_eq!((error(&work), work.attempt), ((Some("com.shop.InvalidOrderException"), "invalid order"), 4));
}

#[test]
fn a_key_that_spring_cannot_read_is_an_error_too() {
    let headers: Headers<'_> = &[
        ("kafka_dlt-key-exception-fqcn", b"org.apache.kafka.common.errors.SerializationException"),
        ("kafka_dlt-key-exception-message", b"invalid key"),
        ("kafka_dlt-original-topic", b"orders"),
    ];
    let work = letter(&record("orders.DLT", SENT, headers));
    assert_eq!(error(&work), (Some("org.apache.kafka.common.errors.SerializationException"), "invalid key"));
}

/// A record that failed in the topic of a letter has the headers of both failures.
#[test]
fn the_last_header_of_a_repeated_name_counts() {
    let headers: Headers<'_> = &[
        ("kafka_dlt-original-topic", b"orders"),
        ("kafka_dlt-original-partition", &[0, 0, 0, 0]),
        ("kafka_dlt-original-offset", &[0, 0, 0, 0, 0, 0, 0, 5]),
        ("kafka_dlt-original-topic", b"orders"),
        ("kafka_dlt-original-partition", &[0, 0, 0, 1]),
        ("kafka_dlt-original-offset", &[0, 0, 0, 0, 0, 0, 0, 9]),
    ];
    let work = letter(&record("orders.DLT", SENT, headers));
    assert_eq!(place(&work), ("orders/1/9", "orders", Some(1), Some(9), None, None));
    assert!(names(&work).is_empty());
}

#[test]
fn decimals_of_programs_that_imitate_spring_are_read() {
    let headers: Headers<'_> = &[
        ("kafka_dlt-original-topic", b"orders"),
        ("kafka_dlt-original-partition", b"12"),
        ("kafka_dlt-original-offset", b"12345678"),
    ];
    let work = letter(&record("orders.DLT", SENT, headers));
    assert_eq!(&*work.source_id, "orders/12/12345678");
}

// Kafka Connect

#[test]
fn connect_writes_text_and_keeps_the_timestamp() {
    let headers: Headers<'_> = &[
        ("user", b"\x00\xff"),
        ("__connect.errors.topic", b"orders"),
        ("__connect.errors.partition", b"3"),
        ("__connect.errors.offset", b"8131"),
        ("__connect.errors.connector.name", b"warehouse-sink"),
        ("__connect.errors.task.id", b"1"),
        ("__connect.errors.stage", b"VALUE_CONVERTER"),
        ("__connect.errors.class.name", b"org.apache.kafka.connect.json.JsonConverter"),
        ("__connect.errors.exception.class.name", b"org.apache.kafka.connect.errors.DataException"),
        ("__connect.errors.exception.message", b"Converting byte[] to Kafka Connect data failed: schema mismatch"),
        ("__connect.errors.exception.stacktrace", TRACE),
    ];
    let work = letter(&record("dlq-warehouse", ORIGINAL, headers));
    let source = format!("orders/3/8131@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "orders", Some(3), Some(8_131), Some(ORIGINAL), Some("warehouse-sink")));
    assert_eq!(names(&work), ["user"]);
    assert_eq!(&*work.content.headers[0].value, b"\x00\xff");
    assert_eq!(error(&work).0, Some("org.apache.kafka.connect.errors.DataException"));
    assert_eq!((work.failed_at, work.attempt), (NOW, 1), "the record does not tell when it failed");
    let noted: Vec<_> = ["connect_task", "connect_stage", "connect_class"].map(|key| noted(&work, key).unwrap()).into();
    assert_eq!(noted, ["1", "VALUE_CONVERTER", "org.apache.kafka.connect.json.JsonConverter"]);
}

/// Without context headers, nothing shows that it was Kafka Connect.
#[test]
fn a_record_of_an_unknown_program_becomes_a_letter_with_what_it_has() {
    let headers: Headers<'_> =
        &[("a", b"1"), ("partition", b"9"), ("offset", b"9"), ("source-topic", b"x"), ("a", b"2")];
    let work = letter(&record("mystery", SENT, headers));
    let own = format!("mystery/2/40@{SENT}");
    assert_eq!(place(&work), (own.as_str(), "mystery", Some(2), Some(40), Some(SENT), None));
    assert_eq!(names(&work), ["a", "partition", "offset", "source-topic", "a"]);
    assert_eq!(error(&work), (None, "the DLQ topic does not say why the record failed"));
    assert_eq!((noted(&work, "kafka_dialect"), category(&work)), (Some("unknown"), Category::Permanent));
}

// Kafka Streams

#[test]
fn streams_writes_class_and_message_in_one_text() {
    let headers: Headers<'_> = &[
        ("__streams.errors.exception", b"org.apache.kafka.common.errors.SerializationException: Size of data is not 4"),
        ("__streams.errors.message", b"Size of data is not 4"),
        ("__streams.errors.stacktrace", TRACE),
        ("__streams.errors.topic", b"clicks"),
        ("__streams.errors.partition", b"0"),
        ("__streams.errors.offset", b"0"),
    ];
    let work = letter(&record("clicks-dlq", ORIGINAL, headers));
    let source = format!("clicks/0/0@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "clicks", Some(0), Some(0), Some(ORIGINAL), None));
    assert_eq!(error(&work), (Some("org.apache.kafka.common.errors.SerializationException"), "Size of data is not 4"));
    assert!(names(&work).is_empty());
    // An exception without a message has a null header.
    let mut bare = record("clicks-dlq", ORIGINAL, &[("__streams.errors.exception", b"java.lang.NullPointerException")]);
    Arc::get_mut(&mut bare.content)
        .unwrap()
        .headers
        .push(Header { name: "__streams.errors.message".to_owned(), value: Bytes::new() });
    bare.nulls.headers.push(1);
    let work = letter(&bare);
    assert_eq!((error(&work), names(&work).len()), ((Some("java.lang.NullPointerException"), ""), 0));
}

// Redrive

pub(super) const REDRIVE: Headers<'static> = &[
    ("offset", b"a header of the user"),
    ("x-error-type", b"also one"),
    ("x-error-reason", b"could not place the order: HTTP 503 Service Unavailable"),
    ("x-retry-attempt", b"3"),
    ("source-topic", b"orders"),
    ("partition", b"3"),
    ("offset", b"8131"),
    ("epoch", b"17"),
];

#[test]
fn the_letters_of_the_original_design_are_read() {
    let work = letter(&record("orders.dlq", SENT, REDRIVE));
    assert_eq!(place(&work), ("orders/3/8131", "orders", Some(3), Some(8_131), None, None));
    assert_eq!(names(&work), ["offset", "x-error-type"], "only what was added at the end is not content");
    let expected = "could not place the order: HTTP 503 Service Unavailable";
    assert_eq!((error(&work).1, work.attempt, category(&work)), (expected, 3, Category::Transient));
}

#[test]
fn the_letters_of_this_consumer_have_group_timestamp_and_type() {
    let mut headers = REDRIVE.to_vec();
    let timestamp = ORIGINAL.to_string();
    headers.extend([
        ("x-consumer-group", &b"billing"[..]),
        ("x-error-type", b"timeout.attempt"),
        ("x-original-timestamp", timestamp.as_bytes()),
    ]);
    let work = letter(&record("orders.dlq", ORIGINAL, &headers));
    let source = format!("orders/3/8131@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "orders", Some(3), Some(8_131), Some(ORIGINAL), Some("billing")));
    assert_eq!(names(&work), ["offset", "x-error-type"]);
    assert_eq!(error(&work).0, Some("timeout.attempt"));
}

#[test]
fn a_reference_to_a_letter_elsewhere_says_so() {
    let mut headers = REDRIVE.to_vec();
    headers.extend([("x-letter-queue", &b"orders-dead"[..]), ("x-letter-id", b"2PqK")]);
    let mut reference = record("orders.dlq", ORIGINAL, &headers);
    let content = Arc::get_mut(&mut reference.content).unwrap();
    content.payload = Bytes::new();
    reference.nulls.value = true;
    let work = letter(&reference);
    assert_eq!(noted(&work, "kafka_reference"), Some("orders-dead/2PqK"));
    assert_eq!(work.context.metadata.get("kafka_tombstone"), Some(&true.into()));
}

#[test]
fn the_letters_of_pipelines_are_identified_by_their_id() {
    let headers: Headers<'_> = &[
        ("content-type", b"application/x-protobuf"),
        ("redrive-letter-id", b"6f0c3f6e-6a39-5d6c-9f7a-0a2f5f6f8b11"),
        ("redrive-error-type", b"ParseError"),
        ("redrive-category", b"validation"),
        ("redrive-failed-node", b"chunker"),
    ];
    let work = letter(&record("dlq.c1.chunker", SENT, headers));
    assert_eq!(&*work.source_id, "pipeline/6f0c3f6e-6a39-5d6c-9f7a-0a2f5f6f8b11");
    assert_eq!(work.context.origin.message_id.as_deref(), Some(&*work.source_id));
    assert_eq!((error(&work).0, work.category), (Some("ParseError"), Some(Category::Validation)));
    assert_eq!(names(&work).len(), 5, "the value is the letter, and its headers belong to it");
    assert_eq!(noted(&work, "pipeline_failed_node"), Some("chunker"));
}

/// An id that anybody may write is neither the source id of another letter nor too long for one.
#[test]
fn the_id_of_a_pipeline_is_namespaced_and_bounded() {
    let of = |id: &str| letter(&record("dlq.c1", SENT, &[("redrive-letter-id", id.as_bytes())]));
    assert_eq!(&*of("orders/3/8131@1794744060250").source_id, "pipeline/orders/3/8131@1794744060250");
    let long = "x".repeat(504);
    for id in [&long, &format!("{long}y")] {
        let work = of(id);
        assert!(work.source_id.starts_with("pipeline/#") && work.source_id.len() < 512, "{}", work.source_id);
        assert_eq!(work.context.origin.message_id.as_deref(), Some(&*work.source_id));
    }
    assert_ne!(of(&long).source_id, of(&format!("{long}y")).source_id);
}

#[test]
fn the_name_of_a_consumer_is_bounded() {
    let group = "g".repeat(1 << 20);
    let mut headers = SPRING.to_vec();
    headers
        .iter_mut()
        .filter(|(name, _)| name.ends_with("consumer-group"))
        .for_each(|header| header.1 = group.as_bytes());
    let work = letter(&record("orders.DLT", SENT, &headers));
    assert_eq!((work.context.origin.consumer.as_deref(), work.context.origin.offset), (None, Some(8_131)));
    assert_eq!(names(&work), ["traceparent", "kafka_dlt-original-consumer-group"]);
}

// All dialects

#[test]
fn the_newest_dialect_counts_and_the_headers_of_others_are_content() {
    let mut headers = SPRING.to_vec();
    headers.extend(&REDRIVE[2..]);
    let work = letter(&record("orders.dlq", ORIGINAL, &headers));
    assert_eq!(noted(&work, "kafka_dialect"), Some("redrive"));
    assert_eq!(names(&work), SPRING.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}

#[test]
fn malformed_values_are_kept_as_headers_and_are_no_coordinates() {
    let own = format!("orders.DLT/2/40@{SENT}");
    let cases: &[(&str, &[u8])] = &[
        ("kafka_dlt-original-partition", &[0, 3]),
        ("kafka_dlt-original-partition", b""),
        ("kafka_dlt-original-offset", &[0, 0, 0, 3]),
        ("kafka_dlt-original-offset", b"a lot of them"),
        ("kafka_dlt-original-topic", b"\xff\xfe"),
    ];
    for (name, value) in cases {
        let mut headers = SPRING.to_vec();
        headers.iter_mut().filter(|(found, _)| found == name).for_each(|header| header.1 = value);
        let work = letter(&record("orders.DLT", SENT, &headers));
        assert_eq!(&*work.source_id, own, "{name} {value:?}");
        let is_topic_known = *name != "kafka_dlt-original-topic";
        assert_eq!(&*work.context.origin.name, if is_topic_known { "orders" } else { "orders.DLT" });
        assert_eq!(names(&work), ["traceparent", name]);
        let kept = work.content.headers.iter().find(|header| header.name == *name).unwrap();
        assert_eq!(&*kept.value, *value);
        assert_eq!(error(&work).0, Some("java.net.SocketTimeoutException"), "the rest is used");
    }
}

/// Values that can be decoded, but name no record.
#[test]
fn impossible_coordinates_are_not_used() {
    let cases: &[(&str, &[u8])] = &[
        ("__connect.errors.topic", b"no topic"),
        ("__connect.errors.topic", b""),
        ("__connect.errors.partition", b"-1"),
        ("__connect.errors.offset", b"-1"),
    ];
    for (name, value) in cases {
        let mut headers = vec![
            ("__connect.errors.topic", &b"orders"[..]),
            ("__connect.errors.partition", b"3"),
            ("__connect.errors.offset", b"8131"),
        ];
        headers.iter_mut().filter(|(found, _)| found == name).for_each(|header| header.1 = value);
        let work = letter(&record("dlq", SENT, &headers));
        assert_eq!(&*work.source_id, format!("dlq/2/40@{SENT}"), "{name} {value:?}");
    }
}

#[test]
fn texts_are_bounded_without_cutting_a_character() {
    let long = "é".repeat(100_000);
    let headers: Headers<'_> = &[
        ("kafka_dlt-exception-fqcn", long.as_bytes()),
        ("kafka_dlt-exception-message", long.as_bytes()),
        ("kafka_dlt-exception-stacktrace", long.as_bytes()),
        ("kafka_dlt-original-topic", long.as_bytes()),
    ];
    let work = letter(&record("orders.DLT", SENT, headers));
    assert_eq!((error(&work).0, error(&work).1.len()), (None, 8 * 1024));
    assert_eq!(noted(&work, "stack_trace").unwrap().len(), 16 * 1024);
    assert_eq!(noted(&work, "kafka_exception").unwrap().len(), 1024);
    redrive_model::MetadataSize::of(&work.context.metadata).check().unwrap();
}

#[test]
fn null_headers_stay_null_beside_those_that_are_dropped() {
    let mut headers = vec![("null", &b""[..]), ("empty", b"")];
    headers.extend(SPRING);
    headers.push(("last", b""));
    let mut found = record("orders.DLT", SENT, &headers);
    found.nulls.headers = vec![0, headers.len() - 1];
    let work = letter(&found);
    assert_eq!(names(&work), ["null", "empty", "traceparent", "last"]);
    let nulls = Nulls::of(&work.context.metadata, &work.content);
    assert_eq!(nulls, Nulls { value: false, headers: vec![0, 3] });
}

/// The record was handed back, failed again in the same group, and came to the DLQ topic of Spring.
#[test]
fn a_record_that_was_handed_back_is_the_first_one_again() {
    let first = SourceRecord {
        topic: "orders".into(),
        partition: 3,
        offset: 8_131,
        timestamp: Some(ORIGINAL),
        group: Some("billing".into()),
        replays: 0,
    };
    let marks = first.next_headers();
    let mut headers: Vec<(&str, &[u8])> = marks.iter().map(|header| (header.name.as_str(), &*header.value)).collect();
    headers.extend(SPRING);
    headers
        .iter_mut()
        .filter(|(name, _)| name.ends_with("original-offset"))
        .for_each(|header| header.1 = &[0, 0, 0, 0, 0, 0, 0x20, 0]);
    let found = record("orders.DLT", SENT, &headers);
    let work = letter(&found);
    let source = format!("orders/3/8131@{ORIGINAL}");
    assert_eq!(place(&work), (source.as_str(), "orders", Some(3), Some(8_131), Some(ORIGINAL), Some("billing")));
    assert_eq!(work.context.origin.replays, 1);
    assert_eq!(names(&work), ["traceparent"]);
    let own = LetterIdentity::OwnPlace.apply(letter(&found), &found);
    assert_eq!(&*own.source_id, format!("orders.DLT/2/40@{SENT}"));
    assert_eq!((&*own.context.origin.name, own.context.origin.replays), ("orders", 0));
    assert_ne!(own.context.origin.coordinates(), work.context.origin.coordinates());
}
