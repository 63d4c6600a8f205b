//! `queue.put` and `queue.claim`.

use redrive_core::Span;
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{Header, PutItem, QueueClaimRequest, QueueClaimResponse, QueuePutRequest};
use serde_json::{Value, json};

use super::{claim, put};
use crate::harness::{decoded, on_each_store_with_caller, on_each_store_with_queue};

#[test]
fn a_claimed_item_equals_the_put_item_byte_for_byte() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "max_attempts": 3 })).await;
        let every_byte: Vec<u8> = (0..=255).collect();
        let header = |name: &str, value: &[u8]| Header { name: name.to_owned(), value: value.to_vec().into() };
        let item = PutItem {
            encoding: "e".into(),
            kind: "k".into(),
            reference: "r".into(),
            bytes: every_byte.clone().into(),
            key: Some(every_byte.clone().into()),
            headers: vec![header("a", &every_byte), header("a", b""), header("", b"no name"), header("ä", b"\0")],
            message_id: "m".into(),
            priority: "high".into(),
            expire_timeout: "1h".into(),
            ..PutItem::default()
        };
        let bare = PutItem::default();
        let no_key = PutItem { key: Some(Vec::new().into()), ..PutItem::default() };
        let request = QueuePutRequest {
            queue_name: "q".into(),
            request_timeout: "1m".into(),
            items: vec![item.clone(), bare, no_key],
            ..QueuePutRequest::default()
        };
        let answer = caller.post_protobuf("/v1/queue.put", &request).await.value();
        assert_eq!(answer["items"].as_array().unwrap().len(), 3);
        caller.headers.insert("accept", http::HeaderValue::from_static("application/protobuf"));
        let request = QueueClaimRequest {
            queue_name: "q".into(),
            batch_size: 5,
            request_timeout: "1m".into(),
            lease_timeout: "90s".into(),
            ..QueueClaimRequest::default()
        };
        let response = caller.post_protobuf("/v1/queue.claim", &request).await;
        let claimed = QueueClaimResponse::decode(response.body).unwrap().items;
        let first = &claimed[0];
        assert_eq!((&first.encoding, &first.kind, &first.reference), (&item.encoding, &item.kind, &item.reference));
        assert_eq!((&first.payload, &first.key, &first.headers), (&item.bytes, &item.key, &item.headers));
        assert_eq!((first.priority.as_str(), first.source_id.as_str()), ("high", "m"));
        assert_eq!((first.attempts, first.deliveries, first.max_attempts), (1, 1, 3));
        assert_eq!(first.lease_deadline.unwrap().to_string(), "2026-11-15T12:01:30Z");
        assert_eq!(first.expire_deadline.unwrap().to_string(), "2026-11-15T13:00:00Z");
        assert_eq!(first.created_at.unwrap().to_string(), "2026-11-15T12:00:00Z");
        assert!(first.letter_id.is_empty() && first.parts.is_none() && !first.is_condemned);
        assert_eq!(claimed[1].key, None);
        assert_eq!(claimed[2].key.as_deref(), Some(&[][..]), "an empty key is not a missing key");
    });
}

#[test]
fn a_message_id_is_unique_in_the_queue() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let first = put(&mut caller, "q", json!([{ "message_id": "m", "utf8": "a" }])).await;
        let again = json!([{ "message_id": "m", "utf8": "b" }, { "message_id": "n" }, { "message_id": "n" }]);
        let second = put(&mut caller, "q", again).await;
        assert_eq!(second["items"][0], json!({ "id": first["items"][0]["id"], "is_duplicate": true }));
        assert!(second["items"][1].get("is_duplicate").is_none());
        assert_eq!(second["items"][2], json!({ "id": second["items"][1]["id"], "is_duplicate": true }));
        let held: Vec<_> = [caller.lease("q", 5).await, caller.lease("q", 5).await].concat();
        assert_eq!(held.len(), 2);
        for item in &held {
            caller.complete("q", std::slice::from_ref(item)).await;
        }
        let third = put(&mut caller, "q", json!([{ "message_id": "m" }])).await;
        assert!(third["items"][0].get("is_duplicate").is_none(), "a completed item frees its message id");
    });
}

#[test]
fn a_duplicate_is_reported_with_the_current_id_of_its_item() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let first = put(&mut caller, "q", json!([{ "message_id": "m" }])).await["items"][0]["id"].clone();
        caller.lease_one("q").await;
        server.advance(Span::from_micros(60_000_001));
        let today = put(&mut caller, "q", json!([{ "message_id": "m" }])).await["items"][0].clone();
        assert_eq!(today["id"], caller.items("q", 0).await[0]["id"]);
        assert_ne!(today["id"], first);
    });
}

#[test]
fn of_thirteen_claimed_items_eight_are_high_four_medium_and_one_low() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let item = |priority: &str, number: usize| json!({ "priority": priority, "utf8": number.to_string() });
        let numbers = 0..13;
        let items: Vec<Value> =
            numbers.flat_map(|number| ["low", "", "high"].map(|priority| item(priority, number))).collect();
        put(&mut caller, "q", json!(items)).await;
        let claimed = claim(&mut caller, "q", 13).await;
        for (priority, times) in [("high", 8), ("medium", 4), ("low", 1)] {
            let served = claimed.iter().filter(|item| item["priority"] == priority);
            let order: Vec<String> = served.map(|item| decoded(item["payload"].as_str().unwrap())).collect();
            let expected: Vec<String> = (0..times).map(|number: usize| number.to_string()).collect();
            assert_eq!(order, expected, "{priority}: the share of this priority, oldest first");
        }
    });
}

#[test]
fn an_item_can_have_a_shorter_expire_timeout_than_its_queue() {
    on_each_store_with_queue("q", async |server, mut caller| {
        put(&mut caller, "q", json!([{ "expire_timeout": "10s" }, {}])).await;
        server.advance(Span::from_micros(10_000_001));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn claims_need_no_client_id_and_a_client_id_can_wait_only_once() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let ask = |client: &str| -> Value {
            json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m", "client_id": client })
        };
        let nameless =
            [server.spawn_call("/v1/queue.claim", ask("")).await, server.spawn_call("/v1/queue.claim", ask("")).await];
        server.until_waiting_leases("q", 2).await;
        let named = server.spawn_call("/v1/queue.claim", ask("c")).await;
        server.until_waiting_leases("q", 3).await;
        let message = "duplicate client id; a client cannot make multiple leased requests to the same queue".to_owned();
        assert_eq!(caller.rejection("/v1/queue.claim", ask("c")).await, (400, message));
        caller.produce("q", &["a", "b", "c"]).await;
        for call in nameless.into_iter().chain([named]) {
            assert_eq!(call.await.unwrap().status, 200);
        }
    });
}
