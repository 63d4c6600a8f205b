//! Puts that are repeated with the same `request_id`.

use redrive_core::Span;
use serde_json::{Value, json};

use crate::harness::{on_each_store_with_caller, on_each_store_with_queue, on_gated_disk, until_blocked};

fn put(id: &str, items: &Value) -> Value {
    json!({ "queue_name": "q", "request_timeout": "10s", "request_id": id, "items": items })
}

#[test]
fn a_repeated_put_stores_nothing_and_gets_the_same_response() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.ok("/v1/queue.put", put("r-0", &json!([{ "message_id": "m" }]))).await;
        let items = json!([{ "utf8": "a" }, { "message_id": "m" }]);
        let first = caller.ok("/v1/queue.put", put("r-1", &items)).await;
        assert_eq!(first["items"][1]["is_duplicate"], true);
        server.advance(Span::from_mins(9));
        assert_eq!(caller.ok("/v1/queue.put", put("r-1", &items)).await, first);
        assert_eq!(caller.counts("q").await, [(2, 0, 0)]);
    });
}

#[test]
fn an_invalid_or_reused_request_id_is_rejected() {
    on_each_store_with_caller(async |_server, mut caller| {
        let missing = (400, "queue does not exist; no such queue named 'q'".to_owned());
        assert_eq!(caller.rejection("/v1/queue.put", put("a b", &json!([{}]))).await, missing);
        caller.create("q", json!({})).await;
        for id in ["a b", "é", &"x".repeat(65)] {
            let invalid = "request_id is invalid; must be 1 to 64 visible ASCII characters".to_owned();
            assert_eq!(caller.rejection("/v1/queue.put", put(id, &json!([{}]))).await, (400, invalid));
        }
        caller.ok("/v1/queue.put", put("r-1", &json!([{}]))).await;
        let used = "request_id was used for another request; take a new one for each request".to_owned();
        assert_eq!(caller.rejection("/v1/queue.put", put("r-1", &json!([{}, {}]))).await, (400, used));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn a_timed_out_request_reports_an_unknown_outcome_and_a_put_can_be_repeated() {
    on_gated_disk(async |gate, server, mut caller| {
        caller.produce("q", &["held"]).await;
        let held = caller.lease("q", 1).await;
        gate.shut();
        let request = put("r-1", &json!([{ "utf8": "a" }]));
        let mut nameless = request.clone();
        nameless["request_id"] = json!("");
        let complete = json!({ "queue_name": "q", "request_timeout": "10s", "ids": [held[0].id] });
        let calls = [
            ("/v1/queue.put", request.clone(), "send it again with the same request_id: nothing is stored twice"),
            (
                "/v1/queue.put",
                nameless.clone(),
                "the items may be stored or not: look before producing them again, or \
              use queue.put with a request_id",
            ),
            ("/v1/queue.complete", complete, "look whether it was done before you try again"),
        ];
        let mut waiting = Vec::new();
        for (path, body, advice) in calls {
            waiting.push((server.spawn_call(path, body).await, advice));
        }
        until_blocked(&gate).await;
        for (call, advice) in waiting {
            while !call.is_finished() {
                server.advance(Span::from_secs(10));
                tokio::task::yield_now().await;
            }
            let expected = (454, format!("request timeout; outcome unknown, {advice}"));
            assert_eq!(call.await.unwrap().rejection(), expected);
        }
        gate.open();
        let (first, second) =
            (caller.ok("/v1/queue.put", request.clone()).await, caller.ok("/v1/queue.put", request).await);
        assert_eq!(first, second);
        // The items of the put without a request id are stored as well: sending it again would store them twice.
        let ids = caller.items("q", 0).await.iter().filter(|item| item["id"] == first["items"][0]["id"]).count();
        assert_eq!((ids, caller.counts("q").await), (1, vec![(2, 0, 0)]));
    });
}
