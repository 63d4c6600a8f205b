//! The minimum and maximum of `request_timeout`, both inclusive.

use serde_json::{Value, json};

use crate::harness::{Caller, StoreKind, contents, leased, on_each_store_with_queue, on_store_with_queue};

fn produce(timeout: &str) -> Value {
    json!({ "queue_name": "q", "request_timeout": timeout, "items": [{ "utf8": "x" }] })
}

fn lease(timeout: &str) -> Value {
    json!({ "queue_name": "q", "request_timeout": timeout, "batch_size": 1, "client_id": "c" })
}

#[test]
fn a_request_timeout_of_10_ms_or_15_minutes_is_accepted() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for timeout in ["10ms", "15m", "0.25h", "900s", "10000us"] {
            caller.ok("/v1/queue.produce", produce(timeout)).await;
            let items = leased(&caller.ok("/v1/queue.lease", lease(timeout)).await);
            assert_eq!(contents(&items), ["x"], "{timeout}");
            let complete = json!({ "queue_name": "q", "request_timeout": timeout, "ids": [items[0].id] });
            caller.ok("/v1/queue.complete", complete).await;
        }
    });
}

async fn assert_timeout_rejected(caller: &mut Caller, timeout: &str, why: &str) {
    let message = format!("request timeout is invalid; {why} was requested");
    for (path, body) in [("/v1/queue.produce", produce(timeout)), ("/v1/queue.lease", lease(timeout))] {
        assert_eq!(caller.rejection(path, body).await, (400, message.clone()), "{path} {timeout}");
    }
}

#[test]
fn a_request_timeout_a_microsecond_out_of_range_is_rejected_with_its_value() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for (timeout, shown) in
            [("15m0.000001s", "15m0.000001s"), ("16m", "16m0s"), ("1h", "1h0m0s"), ("24h", "24h0m0s")]
        {
            assert_timeout_rejected(&mut caller, timeout, &format!("maximum timeout is '15m' but '{shown}'")).await;
        }
        for (timeout, shown) in
            [("9.999ms", "9.999ms"), ("1ms", "1ms"), ("1us", "1µs"), ("-1s", "-1s"), ("-16m", "-16m0s")]
        {
            assert_timeout_rejected(&mut caller, timeout, &format!("minimum timeout is '10ms' but '{shown}'")).await;
        }
        let ids = json!({ "queue_name": "q", "request_timeout": "15m1s", "ids": ["x"] });
        let message = "request timeout is invalid; maximum timeout is '15m' but '15m1s' was requested".to_owned();
        assert_eq!(caller.rejection("/v1/queue.complete", ids).await, (400, message));
    });
}
