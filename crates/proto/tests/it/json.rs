//! The JSON form: names, what is left out, what is refused.

use redrive_proto::querator::{LogicalQueueStats, QueueInfo, QueueProduceRequest, QueueStatsResponse};
use redrive_proto::{Timestamp, duh, redrive};

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn a_reply_leaves_out_what_is_not_said() {
    let reply = duh::v1::Reply { code: 200, ..Default::default() };
    assert_eq!(serde_json::to_string(&reply).unwrap(), r#"{"code":200}"#);
}

#[test]
fn names_are_those_of_the_wire_and_not_of_the_definitions() {
    let info =
        QueueInfo { queue_name: "a".into(), max_attempts: 3, created_at: Some(Timestamp::UNSET), ..Default::default() };
    let text = r#"{"queue_name":"a","created_at":"0001-01-01T00:00:00Z","max_attempts":3}"#;
    assert_eq!(serde_json::to_string(&info).unwrap(), text);
    let stats = QueueStatsResponse {
        logical_queues: vec![LogicalQueueStats { in_flight: 1, ..Default::default() }],
        ..Default::default()
    };
    assert_eq!(serde_json::to_string(&stats).unwrap(), r#"{"logicalQueues":[{"in_flight":1}]}"#);
}

#[test]
fn both_names_are_read() {
    let one: QueueInfo = read(r#"{"queue_name":"a","lease_timeout":"1m"}"#).unwrap();
    assert_eq!(one, read(r#"{"queueName":"a","leaseTimeout":"1m"}"#).unwrap());
}

#[test]
fn a_field_that_nobody_knows_is_refused() {
    assert!(read::<QueueInfo>(r#"{"queue_name":"a","colour":"red"}"#).unwrap_err().contains("unknown field"));
}

#[test]
fn a_field_that_comes_twice_is_refused() {
    assert!(read::<QueueInfo>(r#"{"queue_name":"a","queueName":"b"}"#).is_err());
}

#[test]
fn null_is_not_set() {
    let request: QueueProduceRequest =
        read(r#"{"queue_name":null,"items":[{"kind":"k","enqueue_at":null,"bytes":null}],"request_timeout":null}"#)
            .unwrap();
    assert_eq!(request.items[0].kind, "k");
    assert_eq!(read::<QueueProduceRequest>(r#"{"items":null}"#).unwrap(), QueueProduceRequest::default());
    assert_eq!(read::<duh::v1::Reply>(r#"{"details":null}"#).unwrap(), duh::v1::Reply::default());
}

#[test]
fn a_value_of_another_type_is_refused() {
    for text in [
        r#"{"queue_name":1}"#,
        r#"{"max_attempts":"many"}"#,
        r#"{"max_attempts":1.5}"#,
        r#"{"max_attempts":2147483648}"#,
        r#"{"created_at":0}"#,
        r#"[]"#,
        r#"null"#,
        r#""#,
    ] {
        assert!(read::<QueueInfo>(text).is_err(), "{text}");
    }
}

#[test]
fn numbers_may_be_written_as_text_and_with_a_point() {
    assert_eq!(read::<QueueInfo>(r#"{"max_attempts":"3"}"#).unwrap().max_attempts, 3);
    assert_eq!(read::<QueueInfo>(r#"{"max_attempts":3.0}"#).unwrap().max_attempts, 3);
}

#[test]
fn bytes_are_standard_base64() {
    let request: QueueProduceRequest = read(r#"{"items":[{"bytes":"//79"}]}"#).unwrap();
    assert_eq!(request.items[0].bytes.as_ref(), [0xff, 0xfe, 0xfd]);
    assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"items":[{"bytes":"//79"}]}"#);
    assert!(read::<QueueProduceRequest>(r#"{"items":[{"bytes":"!"}]}"#).is_err());
}

#[test]
fn one_verb_and_not_two() {
    let item: redrive::v1::SettleItem = read(r#"{"id":"x","retry":{"at":"2026-11-15T12:00:00Z"}}"#).unwrap();
    assert!(matches!(item.verb, Some(redrive::v1::settle_item::Verb::Retry(_))));
    assert!(read::<redrive::v1::SettleItem>(r#"{"id":"x","ack":{},"release":{}}"#).is_err());
}
