//! Payload, headers and key of a letter: for those who may see them, who say why.

use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};

use super::capture;
use crate::auth::each_closed;
use crate::bed::{Bed, Caller, Heard};
use crate::tenancy::{bind, key_of, namespace, role, user};

const FILTER: &str = "headers['authorization'].startsWith('Bearer s')";

async fn because(caller: &mut Caller, path: &str, body: &Value, key: &str) -> Heard {
    let request = Request::post(path)
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {key}"))
        .header("x-redrive-reason", "support case 9");
    caller.send(request.body(Full::new(body.to_string().into())).unwrap()).await
}

/// A letter with a secret in its headers, and the keys of somebody who reads, of somebody who may reveal, and of somebody who
/// may export.
async fn letter(bed: &Bed) -> (String, [String; 3]) {
    let mut anybody = bed.caller().await;
    namespace(&mut anybody, "shop").await;
    let queue = json!({ "queue_name": "dead", "lease_timeout": "1m", "expire_timeout": "1h",
        "requested_partitions": 1, "namespace": "shop" });
    anybody.ok("/v1/queues.create", queue).await;
    let header = json!({ "name": "authorization", "value": "QmVhcmVyIHMzY3JldA==" });
    let failed = json!({ "source_id": "s", "utf8": "payload of it", "headers": [header], "retry_policy": "never",
        "fault": { "error": "no" } });
    let id = capture(&mut anybody, failed).await["id"].as_str().unwrap().to_owned();
    let mut keys = Vec::new();
    for (name, permissions) in [
        ("reads", &["letters.read", "letters.retry", "queue.stats"][..]),
        ("reveals", &["letters.read", "letters.retry", "letters.reveal", "queue.stats"]),
        ("exports", &["letters.export"]),
    ] {
        role(&mut anybody, "shop", name, permissions).await;
        let somebody = user(&mut anybody, name).await;
        bind(&mut anybody, "shop", name, &somebody).await;
        keys.push(key_of(&mut anybody, &somebody).await.1);
    }
    (id, keys.try_into().unwrap())
}

#[tokio::test]
async fn what_is_confidential_in_letters_is_not_read_by_whoever_may_only_read_letters() {
    each_closed(async |bed| {
        let (id, [reads, reveals, exports]) = letter(&bed).await;
        let get = json!({ "queue_name": "dead", "id": id, "reveal": true });
        let list = json!({ "queue_name": "dead", "filter": FILTER });
        let plan = json!({ "queue_name": "dead", "action": "archive", "filter": FILTER });
        let export = json!({ "queue_name": "dead" });
        let mut caller = bed.caller().await;
        for (path, body) in [("get", &get), ("list", &list), ("plan", &plan), ("export", &export)] {
            let path = format!("/v1/letters.{path}");
            let heard = because(&mut caller, &path, body, &reads).await;
            assert_eq!(heard.refusal(), (403, "access denied".to_owned()), "{path}");
        }
        let shown = because(&mut caller, "/v1/letters.get", &get, &reveals).await.value();
        assert_eq!(shown["content"]["payload"], "cGF5bG9hZCBvZiBpdA==");
        let found = because(&mut caller, "/v1/letters.list", &list, &reveals).await.value();
        assert_eq!(found["letters"][0]["id"], id);
        assert_eq!(because(&mut caller, "/v1/letters.export", &export, &reveals).await.status, 403);
        let exported = because(&mut caller, "/v1/letters.export", &export, &exports).await.value();
        assert_eq!(exported["lines"].as_array().map(Vec::len), Some(1));
        // What is not confidential is read as ever.
        let mut reader = bed.caller().await.with_key(&reads);
        reader.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": "payload_bytes > 1" })).await;
    })
    .await;
}

#[tokio::test]
async fn whoever_looks_at_what_is_confidential_says_why_and_it_is_recorded() {
    each_closed(async |bed| {
        let (_, [_, reveals, _]) = letter(&bed).await;
        let list = json!({ "queue_name": "dead", "filter": "key == 'x'" });
        let heard = bed.caller().await.with_key(&reveals).json("/v1/letters.list", list.clone()).await;
        assert_eq!((heard.status.as_u16(), &heard.value()["details"]["reason"]), (400, &json!("reason_required")));
        because(&mut bed.caller().await, "/v1/letters.list", &list, &reveals).await;
        let told = format!("{:?}", redrive_server::read_audit(bed.store()).await.unwrap());
        assert!(told.contains("letters.list") && told.contains("support case 9"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn what_is_stored_shows_letters_without_their_payload_to_whoever_may_not_reveal_it() {
    each_closed(async |bed| {
        let (_, [reads, reveals, _]) = letter(&bed).await;
        bed.caller().await.produce("dead", &["a plain item"]).await;
        for (key, payload) in [(reads, Value::Null), (reveals, json!("cGF5bG9hZCBvZiBpdA=="))] {
            let mut caller = bed.caller().await.with_key(&key);
            let shown = caller.ok("/v1/storage/items.list", json!({ "queue_name": "dead" })).await;
            let payloads: Vec<&Value> =
                shown["items"].as_array().unwrap().iter().map(|item| &item["payload"]).collect();
            assert_eq!(payloads.len(), 2);
            assert!(payloads.contains(&&payload) && payloads.contains(&&json!("YSBwbGFpbiBpdGVt")), "{payloads:?}");
        }
    })
    .await;
}
