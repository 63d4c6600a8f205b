//! Every administrative action is recorded; reads and work on queues are not.

use http::HeaderValue;
use redrive_server::AuditRecord;
use serde_json::{Value, json};

use super::{LastRecord, records};
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, TestServer, on_each_store, on_each_store_with_caller, queue_settings};
use crate::tenancy::{bind, key_of, user};

fn queue(name: &str) -> Value {
    queue_settings(name, json!({}))
}

/// Makes a call and checks that the last record has its action and starts with these targets.
async fn recorded_call(server: &TestServer, caller: &mut Caller, action: &str, body: Value, targets: &[&str]) -> Value {
    let answer = caller.ok(&format!("/v1/{action}"), body).await;
    let (recorded, code, named) = server.last_record().await;
    assert_eq!((recorded.as_str(), code), (action, 200));
    let expected: Vec<&str> = targets.to_vec();
    assert_eq!(named[..expected.len().min(named.len())], expected, "{action}");
    answer
}

#[test]
fn actions_on_queues_and_items_are_recorded() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        recorded_call(&server, caller, "queues.create", queue("q"), &["queue=q"]).await;
        recorded_call(&server, caller, "queues.update", queue("q"), &["queue=q"]).await;
        recorded_call(&server, caller, "queue.pause", json!({ "queue_name": "q" }), &["queue=q"]).await;
        recorded_call(&server, caller, "queue.resume", json!({ "queue_name": "q" }), &["queue=q"]).await;
        let clear = json!({ "queue_name": "q", "queue": true, "destructive": true });
        recorded_call(&server, caller, "queue.clear", clear, &["queue=q", "part=queue", "part=destructive", "items=0"])
            .await;
        let import = json!({ "queue_name": "q", "items": [{ "source_id": "s", "payload": "c2VjcmV0" }] });
        let targets = ["queue=q", "partition=0", "items=1"];
        let imported = recorded_call(&server, caller, "storage/items.import", import, &targets).await;
        let delete = json!({ "queue_name": "q", "ids": [imported["items"][0]["id"]] });
        recorded_call(&server, caller, "storage/items.delete", delete, &targets).await;
        recorded_call(&server, caller, "queues.delete", json!({ "queue_name": "q" }), &["queue=q"]).await;
        assert_eq!(records(&server).await.len(), 8);
    });
}

#[test]
fn a_clear_records_the_numbers_of_what_it_removes() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        caller.ok("/v1/queues.create", queue("q")).await;
        let leased = json!({ "is_leased": true, "lease_deadline": "2026-11-15T12:10:00Z" });
        let items = json!([{}, leased, { "enqueue_at": "2026-11-15T13:00:00Z" }]);
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "items": items })).await;
        let letter = |name: &str, policy: &str| json!({ "source_id": name, "utf8": "x", "retry_policy": policy });
        let letters = [letter("ready", "never"), letter("scheduled", "exponential"), letter("archived", "never")];
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "q", "letters": letters })).await;
        let archive = json!({ "queue_name": "q", "ids": [captured["letters"][2]["id"]] });
        caller.ok("/v1/letters.archive", archive).await;
        for (parts, targets, details) in [
            (
                json!({ "queue": true }),
                &["part=queue", "items=2", "letters=1"][..],
                json!({ "items": "2", "letters": "1" }),
            ),
            (json!({ "queue": true }), &["part=queue", "items=0"], json!({ "items": "0" })),
            (
                json!({ "scheduled": true }),
                &["part=scheduled", "items=2", "letters=1"],
                json!({ "items": "2", "letters": "1" }),
            ),
            (
                json!({ "queue": true, "destructive": true }),
                &["part=queue", "part=destructive", "items=1"],
                json!({ "items": "1" }),
            ),
        ] {
            let mut clear = parts;
            clear["queue_name"] = json!("q");
            assert_eq!(caller.ok("/v1/queue.clear", clear).await["details"], details, "{targets:?}");
            assert_eq!(server.last_record().await.2, [&["queue=q"], targets].concat());
        }
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        let rest = ["queue=q", "items=1", "letters=1"];
        assert_eq!(server.last_record().await.2, rest, "the archived letter is kept until its queue is deleted");
    });
}

#[test]
fn actions_on_letters_are_recorded() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        recorded_call(&server, caller, "queues.create", queue("q"), &["queue=q"]).await;
        let letter = json!({ "source_id": "s", "utf8": "secret", "fault": { "error": "timed out" } });
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "q", "letters": [letter] })).await;
        let id = &captured["letters"][0]["id"];
        let target = format!("letter={}", id.as_str().unwrap());
        let targets = ["queue=q", target.as_str()];
        let (one, named) = (json!({ "queue_name": "q", "id": id }), json!({ "queue_name": "q", "ids": [id] }));
        caller.ok("/v1/letters.get", one.clone()).await;
        assert_eq!(records(&server).await.len(), 1, "captures and reads are not recorded");
        recorded_call(&server, caller, "letters.archive", named.clone(), &targets).await;
        recorded_call(&server, caller, "letters.restore", named.clone(), &targets).await;
        let edit = json!({ "queue_name": "q", "id": id, "payload": "c2VjcmV0" });
        recorded_call(&server, caller, "letters.edit", edit, &targets).await;
        let note = json!({ "queue_name": "q", "id": id, "text": "secret" });
        recorded_call(&server, caller, "letters.annotate", note, &targets).await;
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("case 9"));
        let reveal = json!({ "queue_name": "q", "id": id, "reveal": true });
        recorded_call(&server, caller, "letters.get", reveal, &targets).await;
        recorded_call(&server, caller, "letters.purge", named, &targets).await;
        let set = json!({ "queue_name": "q", "set": { "max_size": "500" }, "reset": ["on_full"] });
        recorded_call(&server, caller, "letters.configure", set, &["queue=q", "setting=max_size", "setting=on_full"])
            .await;
        caller.ok("/v1/letters.configure", json!({ "queue_name": "q" })).await;
        let template = json!({ "queue_name": "q", "set": { "name": "bank", "regex": "bank", "note": "wait" } });
        recorded_call(&server, caller, "letters.templates", template, &["queue=q", "template=bank"]).await;
        caller.ok("/v1/letters.templates", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/letters.preview", json!({ "queue_name": "q", "name": "bank" })).await;
        let remove = json!({ "queue_name": "q", "remove": "bank" });
        recorded_call(&server, caller, "letters.templates", remove, &["queue=q", "template=bank"]).await;
        let records = records(&server).await;
        assert_eq!(records.len(), 10);
        assert!(records[8].before.is_some() && records[8].before != records[8].after);
        assert_eq!(records[6].reason.as_deref(), Some("case 9"));
        assert!(!serde_json::to_string(&records).unwrap().contains("secret"));
    });
}

#[test]
fn actions_on_tenancy_are_recorded() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        let shop = json!({ "name": "shop" });
        recorded_call(&server, caller, "namespaces.create", shop.clone(), &["namespace=shop"]).await;
        recorded_call(&server, caller, "namespaces.update", shop.clone(), &["namespace=shop"]).await;
        let route = json!({ "namespace": "shop", "name": "orders" });
        let of_route = ["namespace=shop", "route=orders"];
        let mut defined = route.clone();
        defined["definition"] = json!({ "target": "shop", "queue": { "name": "orders" } });
        recorded_call(&server, caller, "routes.create", defined.clone(), &of_route).await;
        recorded_call(&server, caller, "routes.update", defined, &of_route).await;
        let mut stop = route.clone();
        stop["action"] = json!("stop");
        let of_stop = ["namespace=shop", "route=orders", "action=stop"];
        recorded_call(&server, caller, "routes.control", stop, &of_stop).await;
        recorded_call(&server, caller, "routes.delete", route, &of_route).await;
        let ann = recorded_call(&server, caller, "users.create", json!({ "username": "ann" }), &["username=ann"]).await;
        let ann = ann["id"].as_str().unwrap();
        let of_ann = format!("user={ann}");
        assert_eq!(server.last_record().await.2[1], of_ann);
        let key = recorded_call(&server, caller, "apikeys.create", json!({ "user_id": ann }), &[&of_ann]).await;
        let of_key = format!("apikey={}", key["id"].as_str().unwrap());
        assert_eq!(server.last_record().await.2[1], of_key);
        let clerk = json!({ "namespace": "shop", "name": "clerk" });
        let of_clerk = ["namespace=shop", "role=clerk"];
        recorded_call(&server, caller, "roles.create", clerk.clone(), &of_clerk).await;
        recorded_call(&server, caller, "roles.update", clerk.clone(), &of_clerk).await;
        let binding = json!({ "namespace": "shop", "role_name": "clerk", "user_id": ann });
        let of_binding = ["namespace=shop", "role=clerk", &of_ann];
        recorded_call(&server, caller, "rolebindings.create", binding.clone(), &of_binding).await;
        recorded_call(&server, caller, "rolebindings.delete", binding, &of_binding).await;
        recorded_call(&server, caller, "roles.delete", clerk, &of_clerk).await;
        recorded_call(&server, caller, "apikeys.delete", json!({ "id": key["id"] }), &[&of_key, &of_ann]).await;
        recorded_call(&server, caller, "users.delete", json!({ "id": ann }), &[&of_ann]).await;
        recorded_call(&server, caller, "namespaces.delete", shop, &["namespace=shop"]).await;
        assert_eq!(records(&server).await.len(), 16);
    });
}

#[test]
fn an_action_with_more_than_100_targets_records_the_first_100_and_a_hash() {
    on_each_store_with_caller(async |server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        for _ in 0..110 {
            key_of(&mut caller, &ann).await;
        }
        caller.ok("/v1/users.delete", json!({ "id": ann })).await;
        let record = records(&server).await.pop().unwrap();
        assert_eq!(record.targets.len(), 101);
        assert_eq!(record.targets[100].kind, "more");
        assert_eq!(record.targets[100].name, "11");
        assert!(record.plan.is_some());
    });
}

#[test]
fn work_on_queues_and_reads_are_not_recorded() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.ok("/v1/queues.create", queue("q")).await;
        let before = records(&server).await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        caller.ok("/v1/queue.produce", produce.clone()).await;
        caller.ok("/v1/queues.list", json!({})).await;
        caller.ok("/v1/users.list", json!({})).await;
        caller.json("/v1/queue.produce", json!({ "queue_name": "gone" })).await;
        assert_eq!(records(&server).await, before);
    });
}

#[test]
fn a_record_has_user_key_peer_request_id_reason_and_time() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let root = user(&mut anonymous, "root").await;
        bind(&mut anonymous, "_system", "Admin", &root).await;
        let (key_id, key) = key_of(&mut anonymous, &root).await;
        let mut caller = server.caller().await.with_key(&key);
        caller.headers.insert("x-request-id", HeaderValue::from_static("my-request"));
        let reason = "ticket 7: 銀行が復旧した, für dich";
        caller.headers.insert("x-redrive-reason", HeaderValue::from_bytes(reason.as_bytes()).unwrap());
        caller.ok("/v1/queues.create", queue("q")).await;
        let record = records(&server).await.pop().unwrap();
        assert_eq!(record.actor.user, root);
        assert_eq!(record.actor.key.as_deref(), Some(key_id.as_str()));
        assert!(record.origin.peer.unwrap().starts_with("127.0.0.1:"));
        assert_eq!(record.origin.request.as_deref(), Some("my-request"));
        assert_eq!(record.reason.as_deref(), Some(reason), "in any script");
        assert_eq!(record.time.to_string(), "2026-11-15T12:00:00Z");
        caller.headers.remove("x-redrive-reason");
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        assert_eq!(records(&server).await.pop().unwrap().reason, None);
    });
}

#[test]
fn the_after_digest_of_a_record_is_the_before_digest_of_the_next() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.ok("/v1/queues.create", queue("q")).await;
        let mut longer = queue("q");
        longer["lease_timeout"] = json!("2m");
        caller.ok("/v1/queues.update", longer).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        let records = records(&server).await;
        assert_eq!(records[0].before, None);
        for pair in records.windows(2) {
            assert!(pair[1].before.is_some());
            assert_eq!(pair[0].after, pair[1].before, "{} {}", pair[0].action, pair[1].action);
        }
        assert_ne!(records[1].before, records[1].after);
        assert_ne!(records[2].before, records[2].after);
        assert_eq!(records[1].after, records[3].after, "a pause and a resume cancel out");
        assert_eq!(records[4].after, None);
    });
}

#[test]
fn records_contain_neither_payloads_nor_keys() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.ok("/v1/queues.create", queue("q")).await;
        let items = json!([{ "payload": "c2VjcmV0", "reference": "secret-reference" }]);
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "items": items })).await;
        let ann = user(&mut caller, "ann").await;
        let (_, key) = key_of(&mut caller, &ann).await;
        let records: Vec<AuditRecord> = records(&server).await;
        let text = serde_json::to_string(&records).unwrap();
        for secret in ["c2VjcmV0", "secret", key.rsplit('-').next().unwrap()] {
            assert!(!text.contains(secret), "{text}");
        }
    });
}
