//! Queue names and partition numbers, which every call validates in the same way.

use serde_json::json;

use super::{assert_rejected, with_fields};
use crate::harness::{StoreKind, on_each_store_with_caller, on_store_with_caller, on_store_with_queue};

/// Every call on an existing queue, and whether it has a partition.
const ON_A_QUEUE: [(&str, bool); 19] = [
    ("/v1/queue.produce", false),
    ("/v1/queue.lease", false),
    ("/v1/queue.complete", true),
    ("/v1/queue.retry", true),
    ("/v1/queue.clear", false),
    ("/v1/queue.stats", false),
    ("/v1/queue.reload", false),
    ("/v1/queues.info", false),
    ("/v1/storage/items.list", true),
    ("/v1/storage/scheduled.list", true),
    ("/v1/storage/damaged.list", true),
    ("/v1/storage/items.import", true),
    ("/v1/storage/items.delete", true),
    ("/v1/queue.extend", true),
    ("/v1/queue.pause", false),
    ("/v1/queue.resume", false),
    ("/v1/queue.put", false),
    ("/v1/queue.claim", false),
    ("/v1/queue.settle", true),
];

#[test]
fn q1_to_q3_an_invalid_or_missing_queue_is_reported_first() {
    on_each_store_with_caller(async |_server, mut caller| {
        // Neither a missing queue nor the missing partition 7 may be reported before an invalid name.
        caller.create("here", json!({})).await;
        for (path, has_partition) in ON_A_QUEUE {
            let body = if has_partition { json!({ "partition": 7 }) } else { json!({}) };
            let name = |name: &str| with_fields(&body, json!({ "queue_name": name }));
            let cases = [
                ("Q1 not given", body.clone(), "queue name is invalid; queue name cannot be empty"),
                ("Q1 empty", name(""), "queue name is invalid; queue name cannot be empty"),
                ("Q1 blank", name(" \t\n"), "queue name is invalid; queue name cannot be empty"),
                ("Q2 tilde", name("a~b"), "queue name is invalid; 'a~b' cannot contain '~' character"),
                ("Q2 blank and tilde", name(" ~"), "queue name is invalid; ' ~' cannot contain '~' character"),
                ("Q3 missing", name("none"), "queue does not exist; no such queue named 'none'"),
                ("Q3 with a blank", name("a b"), "queue does not exist; no such queue named 'a b'"),
                ("Q3 of another case", name("HERE"), "queue does not exist; no such queue named 'HERE'"),
            ];
            assert_rejected(&mut caller, path, &cases).await;
        }
    });
}

#[test]
fn q3_a_name_longer_than_the_maximum_does_not_exist() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let name = "n".repeat(513);
        for (path, _) in ON_A_QUEUE {
            let message = format!("queue does not exist; no such queue named '{name}'");
            assert_eq!(caller.rejection(path, json!({ "queue_name": name })).await, (400, message), "{path}");
        }
    });
}

#[test]
fn q5_a_missing_partition_is_reported_before_other_faults() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        for (path, _) in ON_A_QUEUE.iter().filter(|(_, has_partition)| *has_partition) {
            let number = |number: i32| json!({ "queue_name": "q", "partition": number });
            let cases = [
                ("Q5 one too far", number(2), "partition is invalid; '2' is not a valid partition"),
                ("Q5 negative", number(-1), "partition is invalid; '-1' is not a valid partition"),
                ("Q5 largest", number(i32::MAX), "partition is invalid; '2147483647' is not a valid partition"),
                ("Q5 smallest", number(i32::MIN), "partition is invalid; '-2147483648' is not a valid partition"),
            ];
            assert_rejected(&mut caller, path, &cases).await;
        }
    });
}

#[test]
fn q5_a_missing_partition_is_reported_after_the_queue_and_before_invalid_ids() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for (path, rest) in [
            ("/v1/queue.complete", json!({ "ids": ["x"], "request_timeout": "1m" })),
            ("/v1/queue.retry", json!({ "items": [{ "id": "x" }] })),
            ("/v1/storage/items.delete", json!({ "ids": ["x"] })),
            ("/v1/storage/items.list", json!({ "pivot": "x" })),
            ("/v1/storage/scheduled.list", json!({ "pivot": "x" })),
            ("/v1/storage/items.import", json!({ "items": [{}] })),
            ("/v1/queue.extend", json!({ "ids": ["x"] })),
            ("/v1/queue.settle", json!({ "items": [{ "id": "x" }] })),
        ] {
            let cases = [
                (
                    "Q3 before Q5",
                    with_fields(&rest, json!({ "queue_name": "none", "partition": 1 })),
                    "queue does not exist; no such queue named 'none'",
                ),
                (
                    "Q5 before I1",
                    with_fields(&rest, json!({ "queue_name": "q", "partition": 1 })),
                    "partition is invalid; '1' is not a valid partition",
                ),
            ];
            assert_rejected(&mut caller, path, &cases).await;
        }
    });
}
