use serde_json::json;

use super::{assert_rejected, bind, key_of, namespace, role, user};
use crate::harness::on_each_store_with_caller;

const CREATE: &str = "/v1/users.create";
const LIST: &str = "/v1/users.list";
const DELETE: &str = "/v1/users.delete";

#[test]
fn a_user_is_created_listed_and_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = json!({ "username": "ann", "email": "ann@example.com", "external_id": "x-1" });
        let made = caller.ok(CREATE, ann).await;
        assert_eq!(made["id"].as_str().unwrap().len(), 27, "a KSUID");
        let shown = json!({
            "id": made["id"], "username": "ann", "email": "ann@example.com", "external_id": "x-1",
            "created_at": "2026-11-15T12:00:00Z", "updated_at": "2026-11-15T12:00:00Z",
        });
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [shown] }));
        assert_eq!(caller.ok(DELETE, json!({ "id": made["id"] })).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, json!({})).await, json!({}));
    });
}

#[test]
fn an_invalid_user_is_rejected_with_its_first_fault() {
    let long = "e".repeat(257);
    let cases = [
        (json!({ "username": "u".repeat(129) }), "username is invalid; cannot be greater than '128' characters"),
        (json!({ "email": "e".repeat(300) }), "username is invalid; cannot be empty"),
        (
            json!({ "username": "u", "email": long, "external_id": long }),
            "email is invalid; cannot be greater than '256' characters",
        ),
        (
            json!({ "username": "u", "external_id": long }),
            "external_id is invalid; cannot be greater than '256' characters",
        ),
    ];
    assert_rejected(CREATE, 400, &cases);
}

#[test]
fn a_username_is_unique_and_free_again_when_its_user_is_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        let rejection = caller.json(CREATE, json!({ "username": "ann" })).await.rejection();
        assert_eq!(rejection, (400, "username is already taken; 'ann' is already taken".to_owned()));
        caller.ok(DELETE, json!({ "id": ann })).await;
        assert_ne!(user(&mut caller, "ann").await, ann);
    });
}

#[test]
fn the_username_anonymous_is_always_taken() {
    let message = "username is already taken; 'anonymous' is already taken";
    assert_rejected(CREATE, 400, &[(json!({ "username": "anonymous" }), message)]);
}

#[test]
fn a_missing_user_cannot_be_deleted() {
    assert_rejected(DELETE, 453, &[(json!({ "id": "missing" }), "user does not exist; 'missing' was not found")]);
}

#[test]
fn deleting_a_user_deletes_only_their_own_keys_and_bindings() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        role(&mut caller, "shop", "clerk", &["queue.lease"]).await;
        role(&mut caller, "_system", "clerk", &["queue.lease"]).await;
        let (ann, bob) = (user(&mut caller, "ann").await, user(&mut caller, "bob").await);
        for id in [&ann, &bob] {
            key_of(&mut caller, id).await;
            key_of(&mut caller, id).await;
            bind(&mut caller, "shop", "clerk", id).await;
            bind(&mut caller, "_system", "clerk", id).await;
        }
        caller.ok(DELETE, json!({ "id": ann })).await;
        let keys = caller.ok("/v1/apikeys.list", json!({})).await;
        assert_eq!(keys["items"].as_array().unwrap().len(), 2);
        assert!(keys["items"].as_array().unwrap().iter().all(|key| key["user_id"] == bob.as_str()));
        assert_eq!(caller.ok("/v1/apikeys.list", json!({ "user_id": ann })).await, json!({}));
        for namespace in ["shop", "_system"] {
            let bindings = caller.ok("/v1/rolebindings.list", json!({ "namespace": namespace })).await;
            assert_eq!(bindings["items"].as_array().unwrap().len(), 1);
            assert_eq!(bindings["items"][0]["user_id"], bob);
        }
    });
}
