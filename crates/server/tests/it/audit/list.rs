//! `audit.list`: filters, order and pages.

use redrive_core::Span;
use redrive_model::{KeyCondition, KeyWrite, ScanKeys, WriteKeys};
use redrive_server::{AuditRecordId, AuditVerifier, read_audit};
use redrive_store::Store;
use serde_json::{Value, json};

use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, StoreKind, TestServer, on_each_store_with_caller, on_store, on_store_with_caller};
use crate::tenancy::{bind, key_of, namespace, user};

pub(super) const LIST: &str = "/v1/audit.list";

/// All records that a list returns, page by page, in its order.
pub(super) async fn listed(caller: &mut Caller, mut request: Value) -> Vec<Value> {
    let mut records = Vec::new();
    loop {
        let page = caller.ok(LIST, request.clone()).await;
        records.extend(page["records"].as_array().cloned().unwrap_or_default());
        match page["next"].as_str() {
            Some(next) => request["after"] = json!(next),
            None => return records,
        }
    }
}

pub(super) fn actions(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["action"].as_str().unwrap()).collect()
}

fn ids(records: &[Value]) -> Vec<String> {
    records.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

/// The ids of all records in the store, oldest first.
async fn stored_ids(server: &TestServer) -> Vec<String> {
    let chains = read_audit(server.store()).await.unwrap();
    chains.iter().flat_map(|chain| chain.records.iter().map(|record| record.id().to_string())).collect()
}

#[test]
fn records_are_listed_in_both_orders_across_chains_and_pages() {
    on_store(StoreKind::Journal, async |mut server| {
        for round in 0..4 {
            let mut caller = server.caller().await;
            for number in 0..=round * 3 {
                namespace(&mut caller, &format!("n-{round}-{number}")).await;
            }
            server.advance(Span::from_secs(1));
            server.restart().await;
        }
        let mut caller = server.caller().await;
        let mut expected = stored_ids(&server).await;
        assert!(expected.len() > 25, "{}", expected.len());
        for limit in [1, 2, 7, 100] {
            let oldest = listed(&mut caller, json!({ "limit": limit, "oldest_first": true })).await;
            assert_eq!(ids(&oldest), expected, "limit {limit}");
        }
        expected.reverse();
        for limit in [1, 2, 7, 100] {
            assert_eq!(ids(&listed(&mut caller, json!({ "limit": limit })).await), expected, "limit {limit}");
        }
    });
}

/// More records than one scan of the store returns.
#[test]
fn long_chains_are_listed_completely() {
    on_store_with_caller(StoreKind::Memory, async |server, mut caller| {
        namespace(&mut caller, "n").await;
        for _ in 0..2_100 {
            caller.ok("/v1/namespaces.update", json!({ "name": "n" })).await;
        }
        let mut expected = stored_ids(&server).await;
        assert_eq!(ids(&listed(&mut caller, json!({ "limit": 500, "oldest_first": true })).await), expected);
        expected.reverse();
        assert_eq!(ids(&listed(&mut caller, json!({ "limit": 999 })).await), expected);
        let newest = caller.ok(LIST, json!({ "limit": 3 })).await;
        assert_eq!(ids(newest["records"].as_array().unwrap()), expected[..3]);
    });
}

#[test]
fn a_record_is_found_by_each_of_its_fields() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let root = user(&mut anonymous, "root").await;
        bind(&mut anonymous, "_system", "Admin", &root).await;
        let (key_id, key) = key_of(&mut anonymous, &root).await;
        let mut caller = server.caller().await.with_key(&key);
        server.advance(Span::from_mins(1));
        caller.create("orders", json!({})).await;
        server.advance(Span::from_mins(1));
        caller.create("orders-dead", json!({})).await;
        server.advance(Span::from_mins(1));
        anonymous.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        let cases: &[(Value, &[&str])] = &[
            (json!({ "actor": "root" }), &["queues.create", "queues.create"]),
            (json!({ "actor": root }), &["queues.create", "queues.create"]),
            (json!({ "actor": key_id }), &["queues.create", "queues.create"]),
            (json!({ "actor": "roo" }), &[]),
            (json!({ "actor": "_server" }), &["server.bootstrap", "server.start"]),
            (json!({ "action": "queue.pause" }), &["queue.pause"]),
            (json!({ "action": "queue" }), &["queue.pause"]),
            (json!({ "action": "queues" }), &["queues.create", "queues.create"]),
            (json!({ "action": "queues.creat" }), &[]),
            (json!({ "queue_name": "orders" }), &["queue.pause", "queues.create"]),
            (json!({ "queue_name": "order" }), &[]),
            (json!({ "target": "orders-dead" }), &["queues.create"]),
            (json!({ "target": "queue=orders" }), &["queue.pause", "queues.create"]),
            (json!({ "target": format!("user={root}") }), &["apikeys.create", "rolebindings.create", "users.create"]),
            (json!({ "since": "2026-11-15T12:02:00Z" }), &["queue.pause", "queues.create"]),
            (json!({ "since": "2026-11-15T12:01:00Z", "until": "2026-11-15T12:02:00Z" }), &["queues.create"]),
            (json!({ "since": "1m" }), &["queue.pause", "queues.create"]),
            (json!({ "since": "2m", "until": "1m" }), &["queues.create"]),
            (json!({ "actor": "root", "queue_name": "orders" }), &["queues.create"]),
            (json!({ "actor": "root", "action": "queue.pause" }), &[]),
        ];
        for (request, expected) in cases {
            let records = listed(&mut anonymous, request.clone()).await;
            assert_eq!(actions(&records), *expected, "{request}");
        }
    });
}

#[test]
fn a_record_has_actor_origin_target_reason_and_result() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let root = user(&mut anonymous, "root").await;
        bind(&mut anonymous, "_system", "Admin", &root).await;
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": root, "name": "laptop" })).await;
        let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
        caller.headers.insert("x-request-id", http::HeaderValue::from_static("my-request"));
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("ticket 7"));
        caller.create("orders", json!({})).await;
        let record = caller.ok(LIST, json!({ "limit": 1 })).await["records"][0].clone();
        assert!(record["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
        for (field, expected) in [
            ("user_id", json!(root)),
            ("username", json!("root")),
            ("key_id", made["id"].clone()),
            ("key_name", json!("laptop")),
            ("request_id", json!("my-request")),
            ("reason", json!("ticket 7")),
            ("namespace", json!("_system")),
            ("action", json!("queues.create")),
            ("targets", json!([{ "kind": "queue", "name": "orders" }])),
            ("time", json!("2026-11-15T12:00:00Z")),
            ("code", json!(200)),
        ] {
            assert_eq!(record[field], expected, "{field}");
        }
        let by_id = caller.ok(LIST, json!({ "id": record["id"] })).await;
        assert_eq!(by_id["records"], json!([record]));
        let other = json!({ "id": format!("{}-999", record["incarnation"].as_str().unwrap()) });
        assert_eq!(caller.ok(LIST, other).await, json!({}));
    });
}

#[test]
fn an_invalid_request_is_rejected() {
    on_each_store_with_caller(async |_server, mut caller| {
        let form = "an id has the form INCARNATION-NUMBER, as in 3M928yx0UrfVbDwCKPpjAHbKnmG-17";
        for (body, message) in [
            (json!({ "after": "7" }), format!("after is invalid; '7': {form}")),
            (json!({ "id": "x-y" }), format!("id is invalid; 'x-y': {form}")),
            (json!({ "limit": -1 }), "limit is invalid; limit cannot be negative".to_owned()),
            (
                json!({ "until": "yesterday" }),
                "until is invalid; 'yesterday' is not a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in \
                 2h or 3d"
                    .to_owned(),
            ),
            (
                json!({ "since": "2026-11-15T12:00:00Z", "until": "2026-11-15T12:00:00Z" }),
                "until is invalid; 2026-11-15T12:00:00Z is not after 2026-11-15T12:00:00Z".to_owned(),
            ),
        ] {
            assert_eq!(caller.rejection(LIST, body).await, (400, message));
        }
    });
}

/// The records as stored, with their ids, as a caller receives them.
async fn stored(caller: &mut Caller) -> Vec<(String, Vec<u8>)> {
    use base64::Engine;
    let records = listed(caller, json!({ "oldest_first": true, "stored": true, "limit": 4 })).await;
    let decode = |text: &Value| base64::prelude::BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap();
    records.iter().map(|record| (record["id"].as_str().unwrap().to_owned(), decode(&record["stored"]))).collect()
}

#[test]
fn the_stored_records_of_a_list_can_be_verified() {
    on_each_store_with_caller(async |server, mut caller| {
        for number in 0..10 {
            namespace(&mut caller, &format!("n{number}")).await;
        }
        let mut verifier = AuditVerifier::default();
        for (id, stored) in stored(&mut caller).await {
            verifier.add(&id, &stored).unwrap();
        }
        let chains = read_audit(server.store()).await.unwrap();
        let verified: Vec<_> = verifier.chains().map(|chain| (chain.last, chain.head.clone())).collect();
        assert_eq!(verified, [(11, chains[0].head.clone())]);
    });
}

#[test]
fn a_record_that_cannot_be_read_is_listed_as_such_and_breaks_its_chain() {
    on_each_store_with_caller(async |server, mut caller| {
        for number in 0..3 {
            namespace(&mut caller, &format!("n{number}")).await;
        }
        let prefix = bytes::Bytes::from_static(b"audit\0\x01");
        let scan = ScanKeys { from: prefix.clone(), prefix, limit: 100 };
        let entry = server.store().keys(scan).await.unwrap().swap_remove(3);
        let write = KeyWrite { key: entry.key, value: Some("{}".into()), condition: KeyCondition::Any };
        server.store().write_keys(WriteKeys { writes: vec![write] }).await.unwrap();
        let records = listed(&mut caller, json!({})).await;
        assert_eq!(records.len(), 5);
        assert!(records[1]["problem"].as_str().unwrap().contains("missing field"), "{}", records[1]);
        assert_eq!(actions(&listed(&mut caller, json!({ "action": "namespaces" })).await).len(), 2);
        let mut verifier = AuditVerifier::default();
        let mut broken = Vec::new();
        for (id, stored) in stored(&mut caller).await {
            broken.extend(verifier.add(&id, &stored).err());
        }
        let numbers: Vec<u64> =
            broken.iter().map(|broken| broken.id.parse::<AuditRecordId>().unwrap().sequence).collect();
        assert_eq!(numbers, [3, 4], "the record, and the one that no longer follows it: {broken:?}");
    });
}

/// Keys that no server writes, before and after the records of the server.
#[test]
fn entries_under_other_keys_are_listed_and_break_the_log() {
    on_each_store_with_caller(async |server, mut caller| {
        namespace(&mut caller, "n").await;
        let expected = stored_ids(&server).await;
        for (number, key) in [&b"audit\0\x01!\0\x01"[..], b"audit\0\x01!1", b"audit\0\x01zz"].into_iter().enumerate() {
            let key = bytes::Bytes::from_static(key);
            let write = KeyWrite { key, value: Some(format!("{number}").into()), condition: KeyCondition::Any };
            server.store().write_keys(WriteKeys { writes: vec![write] }).await.unwrap();
        }
        for limit in [1, 2, 100] {
            let listed = ids(&listed(&mut caller, json!({ "oldest_first": true, "limit": limit })).await);
            let foreign = [r"audit\x00\x01!\x00\x01", r"audit\x00\x01!1", r"audit\x00\x01zz"].map(str::to_owned);
            assert_eq!(listed, [&foreign[..2], &expected, &foreign[2..]].concat(), "limit {limit}");
        }
        let mut newest = ids(&listed(&mut caller, json!({})).await);
        newest.reverse();
        assert_eq!(newest, expected, "newest first, the records of servers only");
        let mut verifier = AuditVerifier::default();
        let mut broken = 0;
        for (id, stored) in stored(&mut caller).await {
            broken += usize::from(verifier.add(&id, &stored).is_err());
        }
        assert_eq!(broken, 3);
    });
}
