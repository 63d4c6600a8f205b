//! Small messages that must not expand in memory or be misread.

use redrive_proto::Timestamp;
use redrive_proto::querator::{QueueProduceItem, QueueProduceRequest};
use serde_json::json;

use crate::harness::on_each_store_with_caller;

#[test]
fn a_list_of_too_many_empty_items_is_rejected_before_it_is_decoded() {
    on_each_store_with_caller(async |_server, mut caller| {
        let body = [0x1a, 0].repeat(2_000_000);
        let response = caller.post("/v1/storage/items.import", "application/protobuf", body).await;
        let message = "the message has 2000000 parts; at most 1000000 are read, send fewer at a time";
        assert_eq!(response.rejection(), (455, message.to_owned()));
    });
}

#[test]
fn a_time_outside_the_calendar_is_rejected_and_not_read_as_now() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("orders", json!({})).await;
        let enqueue_at = Some(Timestamp { seconds: 253_402_300_800, nanos: 0 });
        let request = QueueProduceRequest {
            queue_name: "orders".to_owned(),
            request_timeout: "1m".to_owned(),
            items: vec![QueueProduceItem { enqueue_at, ..QueueProduceItem::default() }],
        };
        let message = "enqueue_at is invalid; it must lie between the years 1 and 9999";
        assert_eq!(caller.post_protobuf("/v1/queue.produce", &request).await.rejection(), (455, message.to_owned()));
        let stats = caller.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
        assert!(stats["logicalQueues"][0]["partitions"][0].get("total").is_none());
    });
}
