use redrive_core::Span;
use serde_json::json;

use super::{assert_rejected, bind, namespace, role, user};
use crate::harness::{on_each_store_with_caller, queue_settings};

const CREATE: &str = "/v1/namespaces.create";
const UPDATE: &str = "/v1/namespaces.update";
const LIST: &str = "/v1/namespaces.list";
const DELETE: &str = "/v1/namespaces.delete";

#[test]
fn a_namespace_is_created_listed_and_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let made = json!({ "name": "shop", "description": "d", "api_key_tag": "test" });
        assert_eq!(caller.ok(CREATE, made).await, json!({ "code": 200 }));
        let shop = json!({
            "name": "shop", "description": "d", "api_key_tag": "test", "created_at": "2026-11-15T12:00:00Z",
        });
        let system = json!({ "name": "_system", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [system, shop] }));
        assert_eq!(caller.ok(DELETE, json!({ "name": "shop" })).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, json!({})).await, json!({ "items": [system] }));
    });
}

/// R23.
#[test]
fn update_replaces_description_and_tag_and_keeps_created_at() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.ok(CREATE, json!({ "name": "shop", "description": "d", "api_key_tag": "test" })).await;
        server.advance(Span::from_mins(1));
        let after = json!({ "name": "shop", "api_key_tag": "prod", "created_at": "2030-01-01T00:00:00Z" });
        caller.ok(UPDATE, after).await;
        let shown = caller.ok(LIST, json!({ "pivot": "shop" })).await;
        let shop = json!({ "name": "shop", "api_key_tag": "prod", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(shown, json!({ "items": [shop] }));
        caller.ok(UPDATE, json!({ "name": "shop", "description": "e" })).await;
        let shown = caller.ok(LIST, json!({ "pivot": "shop" })).await;
        let shop = json!({ "name": "shop", "description": "e", "created_at": "2026-11-15T12:00:00Z" });
        assert_eq!(shown, json!({ "items": [shop] }), "an empty tag clears it");
    });
}

#[test]
fn an_invalid_or_reserved_name_is_rejected() {
    let cases = [
        (json!({ "name": "n".repeat(257) }), "namespace name is invalid; cannot be greater than '256' characters"),
        (json!({}), "namespace name is invalid; cannot be empty"),
        (json!({ "name": "a b" }), "namespace name is invalid; 'a b' cannot contain whitespace"),
        (json!({ "name": "a~b" }), "namespace name is invalid; 'a~b' cannot contain '~' character"),
        (json!({ "name": "a:b" }), "namespace name is invalid; 'a:b' cannot contain ':' character"),
        (json!({ "name": "_system" }), "namespace name is reserved; '_system' names starting with '_' are reserved"),
        (json!({ "name": "_other" }), "namespace name is reserved; '_other' names starting with '_' are reserved"),
    ];
    for path in [CREATE, UPDATE, DELETE] {
        assert_rejected(path, 400, &cases);
    }
}

#[test]
fn an_invalid_tag_is_rejected() {
    let too_long = "api_key_tag is invalid; cannot be greater than 16 characters";
    let wrong = "api_key_tag is invalid; must be lowercase alphanumeric only";
    let tags = [(&*"a".repeat(17), too_long), ("Live", wrong), ("a-b", wrong), ("ü", wrong)];
    let cases = tags.map(|(tag, message)| (json!({ "name": "_a", "api_key_tag": tag }), message));
    for path in [CREATE, UPDATE] {
        assert_rejected(path, 400, &cases);
    }
}

#[test]
fn a_namespace_name_is_unique() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        let rejection = caller.json(CREATE, json!({ "name": "shop" })).await.rejection();
        assert_eq!(rejection, (400, "namespace already exists; 'shop' already exists".to_owned()));
    });
}

#[test]
fn a_missing_namespace_cannot_be_updated_or_deleted() {
    for path in [UPDATE, DELETE] {
        assert_rejected(path, 453, &[(json!({ "name": "shop" }), "namespace does not exist; 'shop' was not found")]);
    }
}

#[test]
fn a_namespace_that_is_not_empty_cannot_be_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        caller.create("q", json!({ "namespace": "shop" })).await;
        role(&mut caller, "shop", "clerk", &["queue.lease"]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "shop", "clerk", &ann).await;
        let delete = json!({ "name": "shop" });

        let rejection = caller.json(DELETE, delete.clone()).await.rejection();
        let message = "namespace has role bindings; 'shop' has role bindings, delete role bindings first";
        assert_eq!(rejection, (400, message.to_owned()));

        let binding = json!({ "namespace": "shop", "role_name": "clerk", "user_id": ann });
        caller.ok("/v1/rolebindings.delete", binding).await;
        let rejection = caller.json(DELETE, delete.clone()).await.rejection();
        assert_eq!(rejection, (400, "namespace has roles; 'shop' has roles, delete roles first".to_owned()));

        caller.ok("/v1/roles.delete", json!({ "namespace": "shop", "name": "clerk" })).await;
        let rejection = caller.json(DELETE, delete.clone()).await.rejection();
        assert_eq!(rejection, (400, "namespace has queues; 'shop' has queues, delete queues first".to_owned()));

        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        caller.ok(DELETE, delete).await;
    });
}

#[test]
fn a_queue_needs_an_existing_namespace() {
    on_each_store_with_caller(async |_server, mut caller| {
        let queue = queue_settings("q", json!({ "namespace": "shop" }));
        let rejection = caller.json("/v1/queues.create", queue.clone()).await.rejection();
        assert_eq!(rejection, (453, "namespace does not exist; 'shop' was not found".to_owned()));
        namespace(&mut caller, "shop").await;
        caller.ok("/v1/queues.create", queue).await;
        assert_eq!(caller.ok("/v1/queues.info", json!({ "queue_name": "q" })).await["namespace"], "shop");
    });
}
