//! R22, R31: queue names.

use serde_json::json;

use crate::harness::{StoreKind, contents, on_each_store_with_caller, on_store_with_caller};

#[test]
fn r22_a_queue_name_is_data_and_never_a_path() {
    on_store_with_caller(StoreKind::Journal, async |mut server, mut caller| {
        let names = ["../x", "../../../../x", "/etc/x", "a/b", "a", "b", "..", ".", "C:\\x", "x\u{0}y"];
        for name in names {
            caller.create(name, json!({})).await;
            caller.produce(name, &[name]).await;
        }
        let folder = server.folder().unwrap();
        // The files of every journal, as listed in docs/journal-format.md.
        let is_ours = |name: &str| {
            let extension = name.rsplit('.').next().unwrap_or_default();
            ["LOCK", "unfinished.tmp"].contains(&name) || ["segment", "point", "begun"].contains(&extension)
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(is_ours(&name), "{name} is not a file of the journal");
        }
        assert!(!folder.parent().unwrap().join("x").exists());
        server.restart().await;
        let mut caller = server.caller().await;
        for name in names {
            assert_eq!(contents(&caller.lease(name, 5).await), [name], "each queue has its own item");
        }
    });
}

#[test]
fn r22_queues_whose_names_share_a_prefix_are_separate() {
    on_each_store_with_caller(async |_server, mut caller| {
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
    });
}

#[test]
fn r31_the_longest_name_fits_the_body_limit_of_every_call() {
    on_each_store_with_caller(async |_server, mut caller| {
        // In JSON each byte of this name is escaped as six bytes, which makes it the longest name on the wire.
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
    });
}
