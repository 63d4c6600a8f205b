//! A damaged record on disk affects only its own item or letter, and the server reports it in calls, health and metrics.

use redrive_journal::{Disk, SimDisk};
use serde_json::{Value, json};

use crate::harness::{contents, decoded, on_simulated_disk, on_simulated_disk_with_target, request_timeout};

/// Finds a text on the disk and flips one bit of it.
fn damage(disk: &SimDisk, text: &str) {
    let mut hits = 0;
    for (path, len) in disk.files() {
        let mut bytes = vec![0; len];
        let read = disk.open(&path).and_then(|file| file.read_at(&mut bytes, 0)).unwrap_or(0);
        bytes.truncate(read);
        if let Some(at) = bytes.windows(text.len()).position(|part| part == text.as_bytes()) {
            disk.flip_bit(&path, at, 0);
            hits += 1;
        }
    }
    assert_eq!(hits, 1, "{text:?} must occur exactly once");
}

fn list(answer: &Value, field: &str) -> Vec<Value> {
    answer[field].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_damaged_item_does_not_fail_its_batch_and_is_reported_everywhere() {
    on_simulated_disk(async |disk, _server, mut caller| {
        caller.create("orders", json!({})).await;
        for payload in ["order one", "order two", "order three", "order four"] {
            caller.produce("orders", &[payload]).await;
        }
        damage(&disk, "order two");
        let claim = json!({
            "queue_name": "orders", "client_id": "c", "batch_size": 3, "request_timeout": request_timeout(),
        });
        let claimed = caller.ok("/v1/queue.claim", claim).await;
        let payloads: Vec<String> =
            list(&claimed, "items").iter().map(|item| decoded(item["payload"].as_str().unwrap())).collect();
        assert_eq!(payloads, ["order one", "order three"]);
        let named = list(&claimed, "damaged");
        assert_eq!(named.len(), 1);

        let aside = caller.ok("/v1/storage/damaged.list", json!({ "queue_name": "orders" })).await;
        assert_eq!(list(&aside, "items")[0]["id"], named[0]);
        assert_eq!(caller.stats("orders").await["partitions"][0]["damaged"], 1);
        let health = caller.page("/health/ready").await;
        assert_eq!(health.status, 200, "the server still serves");
        let health = health.value();
        assert_eq!(health["status"], "warn");
        let output = health["checks"]["queues:storage"][0]["output"].as_str().unwrap().to_owned();
        assert_eq!(output, "1 items or letters are damaged on disk and set aside");
        assert_eq!(health["checks"]["queues:letters"][0]["componentId"], "orders");
        let metrics = caller.page("/metrics").await.text();
        assert!(metrics.contains("redrive_store_damaged_items 1"), "{metrics}");
        assert!(metrics.contains("redrive_queue_items{queue=\"orders\",state=\"damaged\"} 1"), "{metrics}");

        // The calls of the Querator API skip the damaged item as well.
        assert_eq!(contents(&caller.lease("orders", 5).await), ["order four"]);
        caller.ok("/v1/storage/items.delete", json!({ "queue_name": "orders", "ids": named })).await;
        assert_eq!(caller.page("/health/ready").await.value()["status"], "pass");
    });
}

#[test]
fn a_damaged_letter_fails_neither_a_filter_nor_an_export() {
    on_simulated_disk_with_target(async |disk, _server, mut caller, _target| {
        let letter = |name: &str| {
            json!({ "source_id": name, "utf8": format!("document of {name}"), "retry_policy": "never",
                    "fault": { "error": "no room" }, "kind": "report" })
        };
        let all = json!({ "queue_name": "dead", "letters": [letter("one"), letter("two"), letter("three")] });
        caller.ok("/v1/letters.capture", all).await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a look"));
        let whole = list(&caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await, "lines");
        damage(&disk, "document of two");

        let filter = json!({ "queue_name": "dead", "filter": "kind == 'report'" });
        let found = caller.ok("/v1/letters.list", filter).await;
        let names: Vec<Value> = list(&found, "letters").iter().map(|letter| letter["source_id"].clone()).collect();
        assert_eq!(names, ["one", "three"], "a filter never matches a letter that cannot be read");
        let damaged = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": "damaged == true" })).await;
        let damaged = list(&damaged, "letters");
        assert_eq!((damaged.len(), &damaged[0]["source_id"]), (1, &json!("two")));
        assert_eq!(damaged[0]["damaged"], true);
        assert_eq!(list(&caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await, "letters").len(), 3);

        let exported = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await;
        let lines: Vec<Value> =
            list(&exported, "lines").iter().map(|line| serde_json::from_str(line.as_str().unwrap()).unwrap()).collect();
        assert_eq!(lines.len(), 3, "the rest of the damaged letter is exported, too");
        let rejected = caller.json("/v1/letters.retry", json!({ "queue_name": "dead", "id": "two" })).await;
        assert_eq!((rejected.status.as_u16(), &rejected.value()["details"]["reason"]), (409, &json!("damaged")));
        assert!(rejected.text().contains("is damaged on disk; export what is left of it, or purge it"));

        // The rest of the damaged letter cannot be imported, but an export from before the damage can.
        let hollow = json!({ "queue_name": "dead", "lines": exported["lines"] });
        let answer = caller.ok("/v1/letters.import", hollow).await;
        assert_eq!(list(&answer, "refused").len(), 1, "{answer}");
        let answer = caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": whole })).await;
        assert_eq!((&answer["imported"], &answer["there"]), (&json!("1"), &json!("2")), "{answer}");
        let get = json!({ "queue_name": "dead", "id": "two", "reveal": true });
        let letter = caller.ok("/v1/letters.get", get).await;
        assert_eq!(decoded(letter["content"]["payload"].as_str().unwrap()), "document of two");
        assert_eq!(caller.page("/health/ready").await.value()["status"], "pass");
    });
}

#[test]
fn a_letter_that_cannot_be_read_is_not_handed_back() {
    on_simulated_disk(async |disk, _server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create_with_dead("orders", json!({})).await;
        caller.produce("orders", &["order seven", "order eight"]).await;
        for item in caller.lease("orders", 2).await {
            caller.retry("orders", &item, json!({ "dead": true })).await;
        }
        let plan = json!({ "queue_name": "dead", "action": "retry", "all": "dead" });
        let planned = caller.ok("/v1/letters.plan", plan).await;
        assert_eq!(planned["letters"], "2");
        damage(&disk, "order seven");
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skips"][0]["reason"]), (&json!("1"), &json!("damaged")));
        assert_eq!(contents(&caller.lease("orders", 5).await), ["order eight"]);
        let retry = json!({ "queue_name": "dead", "id": done["skips"][0]["id"] });
        let rejected = caller.json("/v1/letters.retry", retry).await;
        assert_eq!((rejected.status.as_u16(), &rejected.value()["details"]["reason"]), (409, &json!("damaged")));
    });
}
