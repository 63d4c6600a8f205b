//! `queue.*`: the order of error messages. Every request also has the faults that are checked later.

use serde_json::{Value, json};

use super::{assert_rejected, with_fields, without_fields};
use crate::harness::{on_each_store_with_queue, request_timeout};

const T1: &str = "request timeout is required; '5m' is recommended, 15m is the maximum";
const T0: &str = "request timeout is invalid; time: invalid duration \"foo\" - expected format: 900ms, 5m or 15m";
const T2: &str = "request timeout is invalid; maximum timeout is '15m' but '16m0s' was requested";
const T3: &str = "request timeout is invalid; minimum timeout is '10ms' but '1ms' was requested";

fn many(count: usize, of: &Value) -> Value {
    json!(vec![of.clone(); count])
}

#[test]
fn faults_of_produce_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let base = json!({ "queue_name": "q", "items": [] });
        let good = json!({ "queue_name": "q", "items": [{}], "request_timeout": "1m" });
        let timeout = |text: &str| with_fields(&base, json!({ "request_timeout": text }));
        let count = |count: usize| with_fields(&good, json!({ "items": many(count, &json!({})) }));
        let cases = [
            ("T0 before empty items", timeout("foo"), T0),
            ("T1 empty, before empty items", base.clone(), T1),
            ("T1 zero", timeout("0s"), T1),
            ("T1 zero without a unit", timeout("0"), T1),
            ("T1 minus zero", timeout("-0s"), T1),
            ("T2 before empty items", timeout("16m"), T2),
            ("T3 before empty items", timeout("1ms"), T3),
            ("no items", timeout("1m"), "items cannot be empty; at least one item is required"),
            (
                "items not given",
                without_fields(&good, &["items"]),
                "items cannot be empty; at least one item is required",
            ),
            ("too many", count(1_001), "items is invalid; max_produce_batch_size is 1000 but received 1001"),
        ];
        assert_rejected(&mut caller, "/v1/queue.produce", &cases).await;
        assert_rejected(&mut caller, "/v1/queue.put", &cases).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
        caller.ok("/v1/queue.produce", good).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)], "an item without any field is valid");
    });
}

#[test]
fn faults_of_lease_are_reported_in_order() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let base = json!({ "queue_name": "q" });
        let named = json!({ "queue_name": "q", "client_id": "c" });
        let whole = json!({ "queue_name": "q", "client_id": "c", "batch_size": 1 });
        let greater = "invalid batch size; must be greater than zero";
        let cases = [
            ("T0 before the client", with_fields(&base, json!({ "request_timeout": "foo" })), T0),
            ("no client id, before the batch and T1", base.clone(), "invalid client id; cannot be empty"),
            (
                "no client id, before T2",
                with_fields(&base, json!({ "request_timeout": "16m" })),
                "invalid client id; cannot be empty",
            ),
            ("no batch size, before T1", named.clone(), greater),
            (
                "batch size below zero, before T3",
                with_fields(&named, json!({ "batch_size": -1, "request_timeout": "1ms" })),
                greater,
            ),
            (
                "batch size too large, before T1",
                with_fields(&named, json!({ "batch_size": 1_001 })),
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested",
            ),
            (
                "the largest batch size",
                with_fields(&named, json!({ "batch_size": i32::MAX })),
                "invalid batch size; max_lease_batch_size is 1000, but 2147483647 was requested",
            ),
            ("T1", whole.clone(), T1),
            ("T2", with_fields(&whole, json!({ "request_timeout": "16m" })), T2),
            ("T3", with_fields(&whole, json!({ "request_timeout": "1ms" })), T3),
        ];
        assert_rejected(&mut caller, "/v1/queue.lease", &cases).await;
        let _waits = server.spawn_lease("q", "c", 1).await;
        let duplicate = "duplicate client id; a client cannot make multiple leased requests to the same queue";
        let again = with_fields(&whole, json!({ "request_timeout": "1m" }));
        assert_rejected(
            &mut caller,
            "/v1/queue.lease",
            &[("duplicate", again, duplicate), ("T1 before duplicate", whole, T1)],
        )
        .await;
        caller.create("other", json!({})).await;
        let _elsewhere = server.spawn_lease("other", "c", 1).await;
        let _other_client = server.spawn_lease("q", "d", 1).await;
    });
}

#[test]
fn faults_of_complete_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let base = json!({ "queue_name": "q" });
        let ids = with_fields(&base, json!({ "ids": ["x"] }));
        let timeout = |body: &Value, text: &str| with_fields(body, json!({ "request_timeout": text }));
        let i1 = "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters";
        let cases = [
            ("T0 before no ids", timeout(&base, "foo"), T0),
            ("no ids, before T1", base.clone(), "ids is invalid; list of ids cannot be empty"),
            ("no ids, before T2", timeout(&base, "16m"), "ids is invalid; list of ids cannot be empty"),
            (
                "too many ids, before T1",
                with_fields(&base, json!({ "ids": many(1_001, &json!("x")) })),
                "ids is invalid; max_complete_batch_size is 1000 but received 1001",
            ),
            ("T2 before I1", timeout(&ids, "16m"), T2),
            ("T1 before I1", ids.clone(), T1),
            ("T1 zero", timeout(&ids, "0s"), T1),
            ("there is no T3", timeout(&ids, "1ms"), i1),
            ("I1", timeout(&ids, "1m"), i1),
        ];
        assert_rejected(&mut caller, "/v1/queue.complete", &cases).await;
    });
}

#[test]
fn faults_of_retry_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let base = json!({ "queue_name": "q" });
        let items = |count: usize| with_fields(&base, json!({ "items": many(count, &json!({ "id": "x" })) }));
        let cases = [
            ("no items", base.clone(), "items is invalid; list of items cannot be empty"),
            ("too many", items(1_001), "items is invalid; max_complete_batch_size is 1000 but received 1001"),
            ("I1", items(1), "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters"),
        ];
        assert_rejected(&mut caller, "/v1/queue.retry", &cases).await;
    });
}

#[test]
fn faults_of_clear_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let nothing = "invalid clear request; one of 'queue', 'scheduled' must be true";
        let cases = [
            ("neither", json!({ "queue_name": "q" }), nothing),
            ("destructive alone", json!({ "queue_name": "q", "destructive": true }), nothing),
            (
                "Q3 first",
                json!({ "queue_name": "none", "destructive": true }),
                "queue does not exist; no such queue named 'none'",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queue.clear", &cases).await;
    });
}

#[test]
fn faults_of_redrives_own_calls_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let timeout = request_timeout();
        let lease = "lease timeout is invalid; time: invalid duration \"x\" - expected format: 8m, 15m or 1h";
        let no_ids = "ids is invalid; list of ids cannot be empty";
        let extend = [
            ("lease timeout", json!({ "queue_name": "q", "lease_timeout": "x" }), lease),
            ("no ids", json!({ "queue_name": "q" }), no_ids),
            (
                "I1",
                json!({ "queue_name": "q", "ids": ["x"] }),
                "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queue.extend", &extend).await;
        let claim = [(
            "lease timeout",
            json!({ "queue_name": "q", "batch_size": 1, "request_timeout": timeout, "lease_timeout": "x" }),
            lease,
        )];
        assert_rejected(&mut caller, "/v1/queue.claim", &claim).await;
        let put = |item: Value| json!({ "queue_name": "q", "request_timeout": timeout, "items": [item] });
        let put = [
            (
                "priority",
                put(json!({ "priority": "urgent" })),
                "priority is invalid; 'urgent' is not one of high, medium, low",
            ),
            (
                "expire timeout",
                put(json!({ "expire_timeout": "x" })),
                "expire timeout is invalid; time: invalid duration \"x\" - expected format: 60m, 2h or 24h",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queue.put", &put).await;
        let settle = [("no items", json!({ "queue_name": "q" }), "items is invalid; list of items cannot be empty")];
        assert_rejected(&mut caller, "/v1/queue.settle", &settle).await;
    });
}
