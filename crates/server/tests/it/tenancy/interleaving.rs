//! A change by another server between the check and the write of a request is detected.

use serde_json::{Value, json};

use super::interleaving_store::InterleavingStore;
use super::{namespace, role, user};
use crate::harness::{on_each_store, queue_settings};

fn queue() -> Value {
    queue_settings("q", json!({ "namespace": "shop" }))
}

#[test]
fn a_queue_is_not_created_in_a_namespace_that_was_just_deleted() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        namespace(&mut caller, "shop").await;
        interleaving.before_next_write("/v1/namespaces.delete", json!({ "name": "shop" }));
        let rejection = caller.json("/v1/queues.create", queue()).await.rejection();
        assert_eq!(rejection, (453, "namespace does not exist; 'shop' was not found".to_owned()));
        assert_eq!(caller.ok("/v1/namespaces.list", json!({ "pivot": "shop" })).await, json!({}));
    });
}

#[test]
fn a_namespace_that_just_got_a_queue_is_not_deleted() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        namespace(&mut caller, "shop").await;
        interleaving.before_next_write("/v1/queues.create", queue());
        let rejection = caller.json("/v1/namespaces.delete", json!({ "name": "shop" })).await.rejection();
        assert_eq!(rejection, (400, "namespace has queues; 'shop' has queues, delete queues first".to_owned()));
    });
}

#[test]
fn a_queue_is_created_in_a_namespace_that_was_just_updated() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        namespace(&mut caller, "shop").await;
        let changed = json!({ "name": "shop", "description": "changed" });
        interleaving.before_next_write("/v1/namespaces.update", changed);
        caller.ok("/v1/queues.create", queue()).await;
        let shown = caller.ok("/v1/namespaces.list", json!({ "pivot": "shop" })).await;
        assert_eq!(shown["items"][0]["description"], "changed", "the change is not lost");
    });
}

#[test]
fn a_name_that_was_just_taken_is_rejected() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        for (path, body) in [
            ("/v1/namespaces.create", json!({ "name": "n" })),
            ("/v1/users.create", json!({ "username": "n" })),
            ("/v1/roles.create", json!({ "namespace": "_system", "name": "n" })),
        ] {
            interleaving.before_next_write(path, body.clone());
            let (code, message) = caller.json(path, body).await.rejection();
            assert_eq!(code, 400);
            assert!(message.contains("already"), "{message}");
        }
    });
}

#[test]
fn a_user_who_was_just_deleted_gets_neither_key_nor_role() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        role(&mut caller, "_system", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        interleaving.before_next_write("/v1/users.delete", json!({ "id": ann }));
        assert_eq!(caller.json("/v1/apikeys.create", json!({ "user_id": ann })).await.rejection().0, 453);
        let bob = user(&mut caller, "bob").await;
        interleaving.before_next_write("/v1/users.delete", json!({ "id": bob }));
        let binding = json!({ "namespace": "_system", "role_name": "clerk", "user_id": bob });
        assert_eq!(caller.json("/v1/rolebindings.create", binding).await.rejection().0, 453);
    });
}

#[test]
fn a_role_that_was_just_deleted_is_not_bound_and_one_just_bound_is_not_deleted() {
    on_each_store(async |server| {
        let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
        let ann = user(&mut caller, "ann").await;
        let clerk = json!({ "namespace": "_system", "name": "clerk" });
        let binding = json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann });
        role(&mut caller, "_system", "clerk", &[]).await;
        interleaving.before_next_write("/v1/roles.delete", clerk.clone());
        assert_eq!(caller.json("/v1/rolebindings.create", binding.clone()).await.rejection().0, 453);
        role(&mut caller, "_system", "clerk", &[]).await;
        interleaving.before_next_write("/v1/rolebindings.create", binding);
        assert_eq!(caller.json("/v1/roles.delete", clerk).await.rejection().0, 400);
    });
}
