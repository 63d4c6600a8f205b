use redrive_store::Store;
use serde_json::json;

use super::{assert_rejected, key_of, namespace, user};
use crate::harness::{StoreKind, TestServer, on_each_store_with_caller};

const CREATE: &str = "/v1/apikeys.create";
const LIST: &str = "/v1/apikeys.list";
const DELETE: &str = "/v1/apikeys.delete";

#[test]
fn a_key_is_created_listed_without_its_secret_and_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        let expires_at = "2027-01-01T00:00:00.000001Z";
        let key = json!({ "user_id": ann, "name": "laptop", "namespace_scope": "shop", "expires_at": expires_at });
        let made = caller.ok(CREATE, key).await;
        let shown = json!({
            "id": made["id"], "user_id": ann, "name": "laptop", "namespace_scope": "shop", "prefix": made["prefix"],
            "expires_at": expires_at, "created_at": "2026-11-15T12:00:00Z",
        });
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [shown] }));
        assert_eq!(caller.ok(DELETE, json!({ "id": made["id"] })).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, json!({})).await, json!({}));
        assert_eq!(caller.ok(LIST, json!({ "user_id": ann })).await, json!({}));
    });
}

#[test]
fn a_key_consists_of_prefix_tag_and_entropy() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        let made = caller.ok(CREATE, json!({ "user_id": ann })).await;
        let key = made["key"].as_str().unwrap();
        let parts: Vec<&str> = key.split('-').collect();
        assert_eq!(parts[..2], ["rdr", "live"]);
        assert_eq!(parts.len(), 3);
        assert!(parts[2].len() >= 43);
        assert!(parts[2].bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(made["prefix"].as_str(), key.get(.."rdr-live-".len() + 8));
    });
}

#[test]
fn the_tag_comes_from_the_request_or_the_namespace_or_is_live() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        caller.ok("/v1/namespaces.create", json!({ "name": "shop", "api_key_tag": "shop1" })).await;
        namespace(&mut caller, "plain").await;
        for (scope, tag, expected) in
            [("shop", "own", "own"), ("shop", "", "shop1"), ("plain", "", "live"), ("gone", "", "live"), ("", "t", "t")]
        {
            let made = caller.ok(CREATE, json!({ "user_id": ann, "namespace_scope": scope, "key_tag": tag })).await;
            assert!(made["key"].as_str().unwrap().starts_with(&format!("rdr-{expected}-")), "{made}");
        }
    });
}

#[tokio::test]
async fn the_key_prefix_is_configurable() {
    for store_kind in StoreKind::ALL {
        let mut settings = TestServer::new(store_kind).await.settings.clone();
        settings.key_prefix = "qtr".to_owned();
        let server = TestServer::with(store_kind, settings).await;
        let mut caller = server.caller().await;
        let ann = user(&mut caller, "ann").await;
        assert!(key_of(&mut caller, &ann).await.1.starts_with("qtr-live-"));
    }
}

#[test]
fn the_secret_of_a_key_is_not_stored() {
    on_each_store_with_caller(async |server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        let (_, key) = key_of(&mut caller, &ann).await;
        let scan = redrive_model::ScanKeys { prefix: "".into(), from: "".into(), limit: 10_000 };
        let entries = server.store().keys(scan).await.unwrap();
        assert!(entries.len() > 4);
        let entropy = key.rsplit('-').next().unwrap();
        for entry in entries {
            for bytes in [&entry.key, &entry.value] {
                assert!(!String::from_utf8_lossy(bytes).contains(entropy));
            }
        }
    });
}

#[test]
fn an_invalid_key_is_rejected_with_its_first_fault() {
    let cases = [
        (json!({ "name": "n".repeat(129) }), "user_id is invalid; cannot be empty"),
        (
            json!({ "user_id": "u", "name": "n".repeat(129), "key_tag": "T" }),
            "name is invalid; cannot be greater than '128' characters",
        ),
        (
            json!({ "user_id": "u", "key_tag": "t".repeat(17) }),
            "key_tag is invalid; cannot be greater than 16 characters",
        ),
        (json!({ "user_id": "u", "key_tag": "Live" }), "key_tag is invalid; must be lowercase alphanumeric only"),
    ];
    assert_rejected(CREATE, 400, &cases);
}

#[test]
fn a_missing_user_or_key_is_reported() {
    let missing = json!({ "user_id": "missing" });
    assert_rejected(CREATE, 453, &[(missing, "user does not exist; 'missing' was not found")]);
    assert_rejected(DELETE, 401, &[(json!({ "id": "none" }), "api key does not exist")]);
}

#[test]
fn keys_are_listed_by_user() {
    on_each_store_with_caller(async |_server, mut caller| {
        let (ann, bob) = (user(&mut caller, "ann").await, user(&mut caller, "bob").await);
        let mut keys = Vec::new();
        for id in [&ann, &bob, &ann, &ann] {
            keys.push((id.clone(), key_of(&mut caller, id).await.0));
        }
        let of_ann: Vec<&String> = keys.iter().filter(|(user, _)| *user == ann).map(|(_, key)| key).collect();
        let shown = caller.ok(LIST, json!({ "user_id": ann, "pivot": of_ann[1], "limit": 1 })).await;
        assert_eq!(shown["items"].as_array().unwrap().len(), 1);
        assert_eq!(shown["items"][0]["id"], *of_ann[1]);
        let shown = caller.ok(LIST, json!({ "user_id": bob })).await;
        assert_eq!(shown["items"].as_array().unwrap().len(), 1);
    });
}
