//! Every administrative act leaves a record, and nothing else does.

use http::HeaderValue;
use redrive_server::AuditRecord;
use serde_json::{Value, json};

use super::{AuditedBed, records};
use crate::auth::each_closed;
use crate::bed::{Bed, Caller, each};
use crate::tenancy::{bind, key_of, user};

fn queue(name: &str) -> Value {
    json!({ "queue_name": name, "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1 })
}

async fn act(bed: &Bed, caller: &mut Caller, action: &str, body: Value, targets: &[&str]) -> Value {
    let answer = caller.ok(&format!("/v1/{action}"), body).await;
    let (seen, code, named) = bed.last().await;
    assert_eq!((seen.as_str(), code), (action, 200));
    let expected: Vec<&str> = targets.to_vec();
    assert_eq!(named[..expected.len().min(named.len())], expected, "{action}");
    answer
}

#[tokio::test]
async fn acts_on_queues_and_items_are_recorded() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        act(&bed, caller, "queues.create", queue("q"), &["queue=q"]).await;
        act(&bed, caller, "queues.update", queue("q"), &["queue=q"]).await;
        act(&bed, caller, "queue.pause", json!({ "queue_name": "q" }), &["queue=q"]).await;
        act(&bed, caller, "queue.resume", json!({ "queue_name": "q" }), &["queue=q"]).await;
        let clear = json!({ "queue_name": "q", "queue": true, "destructive": true });
        act(&bed, caller, "queue.clear", clear, &["queue=q", "part=queue", "part=destructive"]).await;
        let import = json!({ "queue_name": "q", "items": [{ "source_id": "s", "payload": "c2VjcmV0" }] });
        let targets = ["queue=q", "partition=0", "items=1"];
        let imported = act(&bed, caller, "storage/items.import", import, &targets).await;
        let delete = json!({ "queue_name": "q", "ids": [imported["items"][0]["id"]] });
        act(&bed, caller, "storage/items.delete", delete, &targets).await;
        act(&bed, caller, "queues.delete", json!({ "queue_name": "q" }), &["queue=q"]).await;
        assert_eq!(records(&bed).await.len(), 8);
    })
    .await;
}

#[tokio::test]
async fn acts_on_letters_are_recorded() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        act(&bed, caller, "queues.create", queue("q"), &["queue=q"]).await;
        let letter = json!({ "source_id": "s", "utf8": "secret", "fault": { "error": "timed out" } });
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "q", "letters": [letter] })).await;
        let id = &captured["letters"][0]["id"];
        let target = format!("letter={}", id.as_str().unwrap());
        let targets = ["queue=q", target.as_str()];
        let (one, named) = (json!({ "queue_name": "q", "id": id }), json!({ "queue_name": "q", "ids": [id] }));
        caller.ok("/v1/letters.get", one.clone()).await;
        assert_eq!(records(&bed).await.len(), 1, "to work and to look is no act");
        act(&bed, caller, "letters.archive", named.clone(), &targets).await;
        act(&bed, caller, "letters.restore", named.clone(), &targets).await;
        let edit = json!({ "queue_name": "q", "id": id, "payload": "c2VjcmV0" });
        act(&bed, caller, "letters.edit", edit, &targets).await;
        let note = json!({ "queue_name": "q", "id": id, "text": "secret" });
        act(&bed, caller, "letters.annotate", note, &targets).await;
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("case 9"));
        let reveal = json!({ "queue_name": "q", "id": id, "reveal": true });
        act(&bed, caller, "letters.get", reveal, &targets).await;
        act(&bed, caller, "letters.purge", named, &targets).await;
        let set = json!({ "queue_name": "q", "set": { "max_size": "500" }, "reset": ["on_full"] });
        act(&bed, caller, "letters.configure", set, &["queue=q", "setting=max_size", "setting=on_full"]).await;
        caller.ok("/v1/letters.configure", json!({ "queue_name": "q" })).await;
        let template = json!({ "queue_name": "q", "set": { "name": "bank", "regex": "bank", "note": "wait" } });
        act(&bed, caller, "letters.templates", template, &["queue=q", "template=bank"]).await;
        caller.ok("/v1/letters.templates", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/letters.preview", json!({ "queue_name": "q", "name": "bank" })).await;
        let remove = json!({ "queue_name": "q", "remove": "bank" });
        act(&bed, caller, "letters.templates", remove, &["queue=q", "template=bank"]).await;
        let records = records(&bed).await;
        assert_eq!(records.len(), 10);
        assert!(records[7].before.is_some() && records[7].before != records[7].after);
        assert_eq!(records[5].reason.as_deref(), Some("case 9"));
        assert!(!serde_json::to_string(&records).unwrap().contains("secret"));
    })
    .await;
}

#[tokio::test]
async fn acts_on_tenancy_are_recorded() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        let shop = json!({ "name": "shop" });
        act(&bed, caller, "namespaces.create", shop.clone(), &["namespace=shop"]).await;
        act(&bed, caller, "namespaces.update", shop.clone(), &["namespace=shop"]).await;
        let ann = act(&bed, caller, "users.create", json!({ "username": "ann" }), &["username=ann"]).await;
        let ann = ann["id"].as_str().unwrap();
        let of_ann = format!("user={ann}");
        assert_eq!(bed.last().await.2[1], of_ann);
        let key = act(&bed, caller, "apikeys.create", json!({ "user_id": ann }), &[&of_ann]).await;
        let of_key = format!("apikey={}", key["id"].as_str().unwrap());
        assert_eq!(bed.last().await.2[1], of_key);
        let clerk = json!({ "namespace": "shop", "name": "clerk" });
        let of_clerk = ["namespace=shop", "role=clerk"];
        act(&bed, caller, "roles.create", clerk.clone(), &of_clerk).await;
        act(&bed, caller, "roles.update", clerk.clone(), &of_clerk).await;
        let binding = json!({ "namespace": "shop", "role_name": "clerk", "user_id": ann });
        let of_binding = ["namespace=shop", "role=clerk", &of_ann];
        act(&bed, caller, "rolebindings.create", binding.clone(), &of_binding).await;
        act(&bed, caller, "rolebindings.delete", binding, &of_binding).await;
        act(&bed, caller, "roles.delete", clerk, &of_clerk).await;
        act(&bed, caller, "apikeys.delete", json!({ "id": key["id"] }), &[&of_key, &of_ann]).await;
        act(&bed, caller, "users.delete", json!({ "id": ann }), &[&of_ann]).await;
        act(&bed, caller, "namespaces.delete", shop, &["namespace=shop"]).await;
        assert_eq!(records(&bed).await.len(), 12);
    })
    .await;
}

#[tokio::test]
async fn an_act_on_very_many_things_is_recorded_with_their_hash() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let ann = user(&mut caller, "ann").await;
        for _ in 0..110 {
            key_of(&mut caller, &ann).await;
        }
        caller.ok("/v1/users.delete", json!({ "id": ann })).await;
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.targets.len(), 101);
        assert_eq!(record.targets[100].kind, "more");
        assert_eq!(record.targets[100].name, "11");
        assert!(record.plan.is_some());
    })
    .await;
}

#[tokio::test]
async fn work_and_looking_leave_no_record() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.ok("/v1/queues.create", queue("q")).await;
        let before = records(&bed).await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        caller.ok("/v1/queue.produce", produce.clone()).await;
        caller.ok("/v1/queues.list", json!({})).await;
        caller.ok("/v1/users.list", json!({})).await;
        caller.json("/v1/queue.produce", json!({ "queue_name": "gone" })).await;
        assert_eq!(records(&bed).await, before);
    })
    .await;
}

#[tokio::test]
async fn a_record_says_who_from_where_when_and_why() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        let root = user(&mut anybody, "root").await;
        bind(&mut anybody, "_system", "Admin", &root).await;
        let (key_id, key) = key_of(&mut anybody, &root).await;
        let mut caller = bed.caller().await.with_key(&key);
        caller.headers.insert("x-request-id", HeaderValue::from_static("my-request"));
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("ticket 7"));
        caller.ok("/v1/queues.create", queue("q")).await;
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.actor.user, root);
        assert_eq!(record.actor.key.as_deref(), Some(key_id.as_str()));
        assert!(record.origin.peer.unwrap().starts_with("127.0.0.1:"));
        assert_eq!(record.origin.request.as_deref(), Some("my-request"));
        assert_eq!(record.reason.as_deref(), Some("ticket 7"));
        assert_eq!(record.time.to_string(), "2026-11-15T12:00:00Z");
        caller.headers.remove("x-redrive-reason");
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        assert_eq!(records(&bed).await.pop().unwrap().reason, None);
    })
    .await;
}

#[tokio::test]
async fn what_there_was_after_one_act_was_there_before_the_next() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.ok("/v1/queues.create", queue("q")).await;
        let mut longer = queue("q");
        longer["lease_timeout"] = json!("2m");
        caller.ok("/v1/queues.update", longer).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        let records = records(&bed).await;
        assert_eq!(records[0].before, None);
        for pair in records.windows(2) {
            assert!(pair[1].before.is_some());
            assert_eq!(pair[0].after, pair[1].before, "{} {}", pair[0].action, pair[1].action);
        }
        assert_ne!(records[1].before, records[1].after);
        assert_ne!(records[2].before, records[2].after);
        assert_eq!(records[1].after, records[3].after, "paused and resumed");
        assert_eq!(records[4].after, None);
    })
    .await;
}

#[tokio::test]
async fn neither_payloads_nor_keys_are_in_a_record() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.ok("/v1/queues.create", queue("q")).await;
        let items = json!([{ "payload": "c2VjcmV0", "reference": "secret-reference" }]);
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "items": items })).await;
        let ann = user(&mut caller, "ann").await;
        let (_, key) = key_of(&mut caller, &ann).await;
        let records: Vec<AuditRecord> = records(&bed).await;
        let text = serde_json::to_string(&records).unwrap();
        for secret in ["c2VjcmV0", "secret", key.rsplit('-').next().unwrap()] {
            assert!(!text.contains(secret), "{text}");
        }
    })
    .await;
}
