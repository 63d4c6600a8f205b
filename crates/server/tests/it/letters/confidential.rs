//! Payload, headers and key of a letter are confidential: reading them needs a permission and a reason.

use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};

use super::capture;
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, Response};
use crate::tenancy::{bind, key_of, namespace, role, user};

const FILTER: &str = "headers['authorization'].startsWith('Bearer s')";

/// Sends a call with an API key and a reason.
async fn with_reason(caller: &mut Caller, path: &str, body: &Value, key: &str) -> Response {
    let request = Request::post(path)
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {key}"))
        .header("x-redrive-reason", "support case 9");
    caller.send(request.body(Full::new(body.to_string().into())).unwrap()).await
}

/// Captures a letter with a secret in its headers. Returns its id and the API keys of a user who may read letters, of one
/// who may also reveal them, and of one who may export them.
async fn letter(anonymous: &mut Caller) -> (String, [String; 3]) {
    namespace(anonymous, "shop").await;
    anonymous.create("dead", json!({ "namespace": "shop" })).await;
    let header = json!({ "name": "authorization", "value": "QmVhcmVyIHMzY3JldA==" });
    let failed = json!({ "source_id": "s", "utf8": "payload of it", "headers": [header], "retry_policy": "never",
        "fault": { "error": "no" } });
    let id = capture(anonymous, failed).await["id"].as_str().unwrap().to_owned();
    let mut keys = Vec::new();
    for (name, permissions) in [
        ("reads", &["letters.read", "letters.retry", "queue.stats"][..]),
        ("reveals", &["letters.read", "letters.retry", "letters.reveal", "queue.stats"]),
        ("exports", &["letters.export"]),
    ] {
        role(anonymous, "shop", name, permissions).await;
        let user_id = user(anonymous, name).await;
        bind(anonymous, "shop", name, &user_id).await;
        keys.push(key_of(anonymous, &user_id).await.1);
    }
    (id, keys.try_into().unwrap())
}

#[test]
fn confidential_content_needs_the_reveal_or_export_permission() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (id, [reads, reveals, exports]) = letter(&mut anonymous).await;
        let get = json!({ "queue_name": "dead", "id": id, "reveal": true });
        let list = json!({ "queue_name": "dead", "filter": FILTER });
        let plan = json!({ "queue_name": "dead", "action": "archive", "filter": FILTER });
        let export = json!({ "queue_name": "dead" });
        for (path, body) in [("get", &get), ("list", &list), ("plan", &plan), ("export", &export)] {
            let path = format!("/v1/letters.{path}");
            let response = with_reason(&mut anonymous, &path, body, &reads).await;
            assert_eq!(response.stable_rejection(), (403, "access denied".to_owned()), "{path}");
        }
        let shown = with_reason(&mut anonymous, "/v1/letters.get", &get, &reveals).await.value();
        assert_eq!(shown["content"]["payload"], "cGF5bG9hZCBvZiBpdA==");
        let found = with_reason(&mut anonymous, "/v1/letters.list", &list, &reveals).await.value();
        assert_eq!(found["letters"][0]["id"], id);
        assert_eq!(with_reason(&mut anonymous, "/v1/letters.export", &export, &reveals).await.status, 403);
        let exported = with_reason(&mut anonymous, "/v1/letters.export", &export, &exports).await.value();
        assert_eq!(exported["lines"].as_array().map(Vec::len), Some(1));
        // Fields that are not confidential can be read without the permission.
        let mut reader = server.caller().await.with_key(&reads);
        reader.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": "payload_bytes > 1" })).await;
    });
}

#[test]
fn a_filter_on_confidential_content_needs_a_reason_and_is_recorded() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (_, [_, reveals, _]) = letter(&mut anonymous).await;
        let list = json!({ "queue_name": "dead", "filter": "key == 'x'" });
        let response = server.caller().await.with_key(&reveals).json("/v1/letters.list", list.clone()).await;
        assert_eq!(
            (response.status.as_u16(), &response.value()["details"]["reason"]),
            (400, &json!("reason_required"))
        );
        with_reason(&mut anonymous, "/v1/letters.list", &list, &reveals).await;
        let records = format!("{:?}", redrive_server::read_audit(server.store()).await.unwrap());
        assert!(records.contains("letters.list") && records.contains("support case 9"), "{records}");
    });
}

#[test]
fn the_storage_list_hides_letter_payloads_without_the_reveal_permission() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (_, [reads, reveals, _]) = letter(&mut anonymous).await;
        anonymous.produce("dead", &["a plain item"]).await;
        for (key, payload) in [(reads, Value::Null), (reveals, json!("cGF5bG9hZCBvZiBpdA=="))] {
            let mut caller = server.caller().await.with_key(&key);
            let shown = caller.ok("/v1/storage/items.list", json!({ "queue_name": "dead" })).await;
            let payloads: Vec<&Value> =
                shown["items"].as_array().unwrap().iter().map(|item| &item["payload"]).collect();
            assert_eq!(payloads.len(), 2);
            assert!(payloads.contains(&&payload) && payloads.contains(&&json!("YSBwbGFpbiBpdGVt")), "{payloads:?}");
        }
    });
}
