//! Names of queues and numbers of partitions, which every call checks alike.

use serde_json::json;

use super::{but, refused};
use crate::bed::{Ground, each, on};

/// Every call on a queue that should exist, and whether it names a partition.
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

#[tokio::test]
async fn q1_to_q3_a_queue_must_be_named_and_exist_whatever_else_is_wrong() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        // Some exist and have no partition 7, some do not: neither may be told before the name.
        caller.create("here", json!({})).await;
        for (path, has_partition) in ON_A_QUEUE {
            let body = if has_partition { json!({ "partition": 7 }) } else { json!({}) };
            let name = |name: &str| but(&body, json!({ "queue_name": name }));
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
            refused(&mut caller, path, &cases).await;
        }
    })
    .await;
}

#[tokio::test]
async fn q3_a_name_longer_than_any_queue_s_is_missing() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        let name = "n".repeat(513);
        for (path, _) in ON_A_QUEUE {
            let message = format!("queue does not exist; no such queue named '{name}'");
            assert_eq!(caller.refused(path, json!({ "queue_name": name })).await, (400, message), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn q5_a_partition_must_exist_whatever_else_is_wrong() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        for (path, _) in ON_A_QUEUE.iter().filter(|(_, has_partition)| *has_partition) {
            let number = |number: i32| json!({ "queue_name": "q", "partition": number });
            let cases = [
                ("Q5 one too far", number(2), "partition is invalid; '2' is not a valid partition"),
                ("Q5 negative", number(-1), "partition is invalid; '-1' is not a valid partition"),
                ("Q5 largest", number(i32::MAX), "partition is invalid; '2147483647' is not a valid partition"),
                ("Q5 smallest", number(i32::MIN), "partition is invalid; '-2147483648' is not a valid partition"),
            ];
            refused(&mut caller, path, &cases).await;
        }
    })
    .await;
}

#[tokio::test]
async fn q5_comes_before_ids_that_are_none_and_after_the_queue() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
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
                    but(&rest, json!({ "queue_name": "none", "partition": 1 })),
                    "queue does not exist; no such queue named 'none'",
                ),
                (
                    "Q5 before I1",
                    but(&rest, json!({ "queue_name": "q", "partition": 1 })),
                    "partition is invalid; '1' is not a valid partition",
                ),
            ];
            refused(&mut caller, path, &cases).await;
        }
    })
    .await;
}
