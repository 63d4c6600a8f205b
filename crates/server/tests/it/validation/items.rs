//! Item ids that are malformed, unknown, or not leased, checked in the order of the request.

use serde_json::{Value, json};

use super::assert_rejected;
use crate::harness::{Caller, on_each_store_with_caller, on_each_store_with_queue, request_timeout};

const LENGTH: &str = "Valid encoded KSUIDs are 27 characters";
const BOUNDS: &str = "Valid encoded KSUIDs are bounded by 000000000000000000000000000 and aWgEPTl1tmebfsQzFP4bxwgy80V";
const UNKNOWN: &str = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";

fn complete(id: &str) -> Value {
    json!({ "queue_name": "q", "request_timeout": request_timeout(), "ids": [id] })
}

fn retry(id: &str) -> Value {
    json!({ "queue_name": "q", "items": [{ "id": id }] })
}

async fn assert_message(caller: &mut Caller, path: &str, body: Value, message: String) {
    assert_eq!(caller.rejection(path, body).await, (400, message), "{path}");
}

#[test]
fn i1_a_malformed_id_is_rejected_in_every_call() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for (id, why) in [
            ("", LENGTH),
            ("x", LENGTH),
            ("0ujtsYcgvSTl8PAuAdqWYSMnLO", LENGTH),
            ("0ujtsYcgvSTl8PAuAdqWYSMnLOvv", LENGTH),
            ("äääääääääääää", LENGTH),
            ("aWgEPTl1tmebfsQzFP4bxwgy80W", BOUNDS),
            ("zzzzzzzzzzzzzzzzzzzzzzzzzzz", BOUNDS),
            ("0ujtsYcgvSTl8PAuAdqWYSMnL-v", BOUNDS),
            ("0ujtsYcgvSTl8PAuAdqWYSMnL v", BOUNDS),
        ] {
            let message = || format!("invalid storage id; '{id}': {why}");
            assert_message(&mut caller, "/v1/queue.complete", complete(id), message()).await;
            assert_message(&mut caller, "/v1/queue.retry", retry(id), message()).await;
            let delete = json!({ "queue_name": "q", "ids": [id] });
            assert_message(&mut caller, "/v1/storage/items.delete", delete, message()).await;
            let list = json!({ "queue_name": "q", "pivot": id });
            for path in ["/v1/storage/items.list", "/v1/storage/scheduled.list"] {
                if id.is_empty() {
                    caller.ok(path, list.clone()).await;
                } else {
                    assert_message(&mut caller, path, list.clone(), message()).await;
                }
            }
        }
    });
}

#[test]
fn i2_an_unknown_id_an_id_of_another_partition_and_a_scheduled_id_do_not_exist() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.create("other", json!({})).await;
        caller.produce("q", &["a"]).await;
        caller.produce("other", &["b"]).await;
        caller.produce_items("q", json!([{ "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
        let held = caller.lease_one("q").await;
        let foreign = caller.lease_one("other").await.id;
        let scheduled = [caller.scheduled("q", 0).await, caller.scheduled("q", 1).await].concat();
        let scheduled = scheduled[0]["id"].as_str().unwrap();
        for id in [UNKNOWN, "000000000000000000000000000", "aWgEPTl1tmebfsQzFP4bxwgy80V", foreign.as_str(), scheduled] {
            for partition in [0, 1] {
                let message = || format!("invalid storage id; '{id}' does not exist");
                let mut body = complete(id);
                body["partition"] = json!(partition);
                assert_message(&mut caller, "/v1/queue.complete", body, message()).await;
                let mut body = retry(id);
                body["partition"] = json!(partition);
                assert_message(&mut caller, "/v1/queue.retry", body, message()).await;
            }
        }
        let mut elsewhere = complete(&held.id);
        elsewhere["partition"] = json!(1 - held.partition);
        assert_message(
            &mut caller,
            "/v1/queue.complete",
            elsewhere,
            format!("invalid storage id; '{}' does not exist", held.id),
        )
        .await;
        caller.complete("q", std::slice::from_ref(&held)).await;
        let mut again = complete(&held.id);
        again["partition"] = json!(held.partition);
        assert_message(
            &mut caller,
            "/v1/queue.complete",
            again,
            format!("invalid storage id; '{}' does not exist", held.id),
        )
        .await;
    });
}

#[test]
fn i3_an_item_that_is_not_leased_cannot_be_completed_or_retried() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let id = caller.items("q", 0).await[0]["id"].as_str().unwrap().to_owned();
        let message = format!("item(s) cannot be completed; '{id}' is not marked as leased");
        assert_message(&mut caller, "/v1/queue.complete", complete(&id), message).await;
        let message = format!("item(s) cannot be retried; '{id}' is not marked as leased");
        assert_message(&mut caller, "/v1/queue.retry", retry(&id), message.clone()).await;
        let dead = json!({ "queue_name": "q", "items": [{ "id": id, "dead": true }] });
        assert_message(&mut caller, "/v1/queue.retry", dead, message).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn the_first_bad_id_ends_a_request_and_earlier_ids_stay_settled() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for (path, bad, why) in [
            ("/v1/queue.complete", "x", format!("'x': {LENGTH}")),
            ("/v1/queue.complete", UNKNOWN, format!("'{UNKNOWN}' does not exist")),
            ("/v1/queue.retry", "x", format!("'x': {LENGTH}")),
            ("/v1/queue.retry", UNKNOWN, format!("'{UNKNOWN}' does not exist")),
        ] {
            caller.produce("q", &["a", "b"]).await;
            let held = caller.lease("q", 2).await;
            let ids = [held[0].id.as_str(), bad, held[1].id.as_str(), "also bad"];
            let items: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "dead": true })).collect();
            let body = if path.ends_with("retry") {
                json!({ "queue_name": "q", "items": items })
            } else {
                json!({ "queue_name": "q", "request_timeout": "1m", "ids": ids })
            };
            assert_message(&mut caller, path, body, format!("invalid storage id; {why}")).await;
            assert_eq!(caller.counts("q").await, [(1, 1, 0)], "{path}: the first is done, the last is still leased");
            caller.complete("q", &held[1..]).await;
        }
    });
}

#[test]
fn a_repeated_id_does_not_exist_the_second_time() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        let twice = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held.id, held.id] });
        let message = format!("invalid storage id; '{}' does not exist", held.id);
        assert_message(&mut caller, "/v1/queue.complete", twice, message).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}

#[test]
fn a_deletion_checks_all_ids_before_it_deletes_any() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let id = caller.items("q", 0).await[0]["id"].as_str().unwrap().to_owned();
        let delete = json!({ "queue_name": "q", "ids": [id, "x"] });
        assert_rejected(
            &mut caller,
            "/v1/storage/items.delete",
            &[("I1", delete, "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters")],
        )
        .await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
        caller.ok("/v1/storage/items.delete", json!({ "queue_name": "q", "ids": [UNKNOWN, id] })).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0)], "unknown ids are skipped");
    });
}
