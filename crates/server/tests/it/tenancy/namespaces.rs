use redrive_core::Span;
use serde_json::json;

use super::{bind, namespace, refused, role, user};
use crate::bed::each;

const CREATE: &str = "/v1/namespaces.create";
const UPDATE: &str = "/v1/namespaces.update";
const LIST: &str = "/v1/namespaces.list";
const DELETE: &str = "/v1/namespaces.delete";

#[tokio::test]
async fn a_namespace_is_made_shown_and_deleted() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let made = json!({ "name": "shop", "description": "d", "api_key_tag": "test" });
        assert_eq!(caller.ok(CREATE, made).await, json!({ "code": 200 }));
        let shop = json!({
            "name": "shop", "description": "d", "api_key_tag": "test", "created_at": "2026-11-15T12:00:00Z",
        });
        let system = json!({ "name": "_system", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [system, shop] }));
        assert_eq!(caller.ok(DELETE, json!({ "name": "shop" })).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [system] }));
    })
    .await;
}

/// R23.
#[tokio::test]
async fn update_replaces_description_and_tag_and_keeps_created_at() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.ok(CREATE, json!({ "name": "shop", "description": "d", "api_key_tag": "test" })).await;
        bed.advance(Span::from_mins(1));
        let after = json!({ "name": "shop", "api_key_tag": "prod", "created_at": "2030-01-01T00:00:00Z" });
        caller.ok(UPDATE, after).await;
        let shown = caller.ok(LIST, json!({ "pivot": "shop" })).await;
        let shop = json!({ "name": "shop", "api_key_tag": "prod", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(shown, json!({ "items": [shop] }));
        caller.ok(UPDATE, json!({ "name": "shop", "description": "e" })).await;
        let shown = caller.ok(LIST, json!({ "pivot": "shop" })).await;
        let shop = json!({ "name": "shop", "description": "e", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(shown, json!({ "items": [shop] }), "an empty tag clears it");
    })
    .await;
}

#[tokio::test]
async fn a_name_is_not_too_long() {
    let name = "n".repeat(257);
    for path in [CREATE, UPDATE, DELETE] {
        let message = "namespace name is invalid; cannot be greater than '256' characters";
        refused(path, json!({ "name": name }), 400, message).await;
    }
}

#[tokio::test]
async fn a_name_is_not_empty() {
    for path in [CREATE, UPDATE, DELETE] {
        refused(path, json!({}), 400, "namespace name is invalid; cannot be empty").await;
    }
}

#[tokio::test]
async fn a_name_has_no_whitespace() {
    for path in [CREATE, UPDATE, DELETE] {
        let message = "namespace name is invalid; 'a b' cannot contain whitespace";
        refused(path, json!({ "name": "a b" }), 400, message).await;
    }
}

#[tokio::test]
async fn a_name_has_no_tilde() {
    for path in [CREATE, UPDATE, DELETE] {
        let message = "namespace name is invalid; 'a~b' cannot contain '~' character";
        refused(path, json!({ "name": "a~b" }), 400, message).await;
    }
}

#[tokio::test]
async fn a_name_has_no_colon() {
    for path in [CREATE, UPDATE, DELETE] {
        let message = "namespace name is invalid; 'a:b' cannot contain ':' character";
        refused(path, json!({ "name": "a:b" }), 400, message).await;
    }
}

#[tokio::test]
async fn a_tag_is_not_too_long() {
    for path in [CREATE, UPDATE] {
        let message = "api_key_tag is invalid; cannot be greater than 16 characters";
        refused(path, json!({ "name": "_a", "api_key_tag": "a".repeat(17) }), 400, message).await;
    }
}

#[tokio::test]
async fn a_tag_is_lower_case_letters_and_digits() {
    for path in [CREATE, UPDATE] {
        for tag in ["Live", "a-b", "ü"] {
            let message = "api_key_tag is invalid; must be lowercase alphanumeric only";
            refused(path, json!({ "name": "_a", "api_key_tag": tag }), 400, message).await;
        }
    }
}

#[tokio::test]
async fn names_with_an_underscore_in_front_are_reserved() {
    for path in [CREATE, UPDATE, DELETE] {
        for name in ["_system", "_other"] {
            let message = format!("namespace name is reserved; '{name}' names starting with '_' are reserved");
            refused(path, json!({ "name": name }), 400, &message).await;
        }
    }
}

#[tokio::test]
async fn a_namespace_is_made_once() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        let refusal = caller.json(CREATE, json!({ "name": "shop" })).await.refusal();
        assert_eq!(refusal, (400, "namespace already exists; 'shop' already exists".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_missing_namespace_is_neither_updated_nor_deleted() {
    for path in [UPDATE, DELETE] {
        refused(path, json!({ "name": "shop" }), 453, "namespace does not exist; 'shop' was not found").await;
    }
}

#[tokio::test]
async fn a_namespace_with_something_in_it_stays() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        let queue = json!({
            "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
            "namespace": "shop",
        });
        caller.ok("/v1/queues.create", queue).await;
        role(&mut caller, "shop", "clerk", &["queue.lease"]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "shop", "clerk", &ann).await;
        let delete = json!({ "name": "shop" });

        let refusal = caller.json(DELETE, delete.clone()).await.refusal();
        let message = "namespace has role bindings; 'shop' has role bindings, delete role bindings first";
        assert_eq!(refusal, (400, message.to_owned()));

        let binding = json!({ "namespace": "shop", "role_name": "clerk", "user_id": ann });
        caller.ok("/v1/rolebindings.delete", binding).await;
        let refusal = caller.json(DELETE, delete.clone()).await.refusal();
        assert_eq!(refusal, (400, "namespace has roles; 'shop' has roles, delete roles first".to_owned()));

        caller.ok("/v1/roles.delete", json!({ "namespace": "shop", "name": "clerk" })).await;
        let refusal = caller.json(DELETE, delete.clone()).await.refusal();
        assert_eq!(refusal, (400, "namespace has queues; 'shop' has queues, delete queues first".to_owned()));

        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        caller.ok(DELETE, delete).await;
    })
    .await;
}

#[tokio::test]
async fn a_queue_belongs_to_a_namespace_that_there_is() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let queue = json!({
            "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
            "namespace": "shop",
        });
        let refusal = caller.json("/v1/queues.create", queue.clone()).await.refusal();
        assert_eq!(refusal, (453, "namespace does not exist; 'shop' was not found".to_owned()));
        namespace(&mut caller, "shop").await;
        caller.ok("/v1/queues.create", queue).await;
        assert_eq!(caller.ok("/v1/queues.info", json!({ "queue_name": "q" })).await["namespace"], "shop");
    })
    .await;
}
