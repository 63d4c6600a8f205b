//! R22, R31: names.

use serde_json::json;

use crate::bed::{Ground, contents, each, on};

#[tokio::test]
async fn r22_a_queue_name_is_data_and_never_a_path() {
    on(Ground::Journal, async |mut bed| {
        let mut caller = bed.caller().await;
        let names = ["../x", "../../../../x", "/etc/x", "a/b", "a", "b", "..", ".", "C:\\x", "x\u{0}y"];
        for name in names {
            caller.create(name, json!({})).await;
            caller.produce(name, &[name]).await;
        }
        let folder = bed.folder().unwrap();
        // What a journal has without any queue: docs/journal-format.md.
        let is_ours = |name: &str| {
            let extension = name.rsplit('.').next().unwrap_or_default();
            ["LOCK", "unfinished.tmp"].contains(&name) || ["segment", "point", "begun"].contains(&extension)
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(is_ours(&name), "{name} has come with a queue");
        }
        assert!(!folder.parent().unwrap().join("x").exists());
        bed.restart().await;
        let mut caller = bed.caller().await;
        for name in names {
            assert_eq!(contents(&caller.lease(name, 5).await), [name], "each has its own item");
        }
    })
    .await;
}

#[tokio::test]
async fn r22_names_that_run_together_are_kept_apart() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let names = ["a", "aa", "aaa", "a1", "a11", "a-", "a-0"];
        for name in names {
            caller.create(name, json!({ "requested_partitions": 2 })).await;
            caller.produce(name, &[name]).await;
        }
        caller.ok("/v1/queue.clear", json!({ "queue_name": "a", "queue": true })).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "aa" })).await;
        for name in ["aaa", "a1", "a11", "a-", "a-0"] {
            assert_eq!(contents(&caller.lease(name, 5).await), [name]);
        }
    })
    .await;
}

#[tokio::test]
async fn r31_the_longest_name_fits_every_call() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        // Escaped, each of its bytes takes six: the longest way to write a name.
        let name = "\u{1}".repeat(512);
        caller.create(&name, json!({})).await;
        caller.produce(&name, &["a"]).await;
        let client_id = "\u{1}".repeat(100);
        let lease = json!({ "queue_name": name, "batch_size": 1, "client_id": client_id, "request_timeout": "1m" });
        assert!(lease.to_string().len() > 3_600);
        caller.ok("/v1/queue.lease", lease).await;
        for path in ["/v1/queue.stats", "/v1/queue.reload", "/v1/queues.info", "/v1/queue.pause", "/v1/queue.resume"] {
            caller.ok(path, json!({ "queue_name": name })).await;
        }
        caller.ok("/v1/queue.clear", json!({ "queue_name": name, "queue": true, "scheduled": true })).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": name })).await;
    })
    .await;
}
