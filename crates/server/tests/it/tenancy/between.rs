//! What another server does between a decision and the deed is noticed.

use serde_json::{Value, json};

use super::meddler::Meddler;
use super::{namespace, role, user};
use crate::bed::each;

fn queue() -> Value {
    json!({
        "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
        "namespace": "shop",
    })
}

#[tokio::test]
async fn a_queue_is_not_made_in_a_namespace_that_has_just_gone() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        namespace(&mut caller, "shop").await;
        meddler.before_the_next("/v1/namespaces.delete", json!({ "name": "shop" }));
        let refusal = caller.json("/v1/queues.create", queue()).await.refusal();
        assert_eq!(refusal, (453, "namespace does not exist; 'shop' was not found".to_owned()));
        assert_eq!(caller.ok("/v1/namespaces.list", json!({ "pivot": "shop" })).await, json!({}));
    })
    .await;
}

#[tokio::test]
async fn a_namespace_stays_that_has_just_got_a_queue() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        namespace(&mut caller, "shop").await;
        meddler.before_the_next("/v1/queues.create", queue());
        let refusal = caller.json("/v1/namespaces.delete", json!({ "name": "shop" })).await.refusal();
        assert_eq!(refusal, (400, "namespace has queues; 'shop' has queues, delete queues first".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_queue_is_made_in_a_namespace_that_has_just_been_changed() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        namespace(&mut caller, "shop").await;
        let changed = json!({ "name": "shop", "description": "changed" });
        meddler.before_the_next("/v1/namespaces.update", changed);
        caller.ok("/v1/queues.create", queue()).await;
        let shown = caller.ok("/v1/namespaces.list", json!({ "pivot": "shop" })).await;
        assert_eq!(shown["items"][0]["description"], "changed", "and it is still so");
    })
    .await;
}

#[tokio::test]
async fn a_name_that_has_just_been_taken_is_taken() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        for (path, body) in [
            ("/v1/namespaces.create", json!({ "name": "n" })),
            ("/v1/users.create", json!({ "username": "n" })),
            ("/v1/roles.create", json!({ "namespace": "_system", "name": "n" })),
        ] {
            meddler.before_the_next(path, body.clone());
            let (code, message) = caller.json(path, body).await.refusal();
            assert_eq!(code, 400);
            assert!(message.contains("already"), "{message}");
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_has_just_gone_gets_neither_key_nor_role() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        role(&mut caller, "_system", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        meddler.before_the_next("/v1/users.delete", json!({ "id": ann }));
        assert_eq!(caller.json("/v1/apikeys.create", json!({ "user_id": ann })).await.refusal().0, 453);
        let bob = user(&mut caller, "bob").await;
        meddler.before_the_next("/v1/users.delete", json!({ "id": bob }));
        let binding = json!({ "namespace": "_system", "role_name": "clerk", "user_id": bob });
        assert_eq!(caller.json("/v1/rolebindings.create", binding).await.refusal().0, 453);
    })
    .await;
}

#[tokio::test]
async fn a_role_that_has_just_gone_is_not_bound_and_one_just_bound_stays() {
    each(async |bed| {
        let (meddler, mut caller) = Meddler::serve(&bed).await;
        let ann = user(&mut caller, "ann").await;
        let clerk = json!({ "namespace": "_system", "name": "clerk" });
        let binding = json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann });
        role(&mut caller, "_system", "clerk", &[]).await;
        meddler.before_the_next("/v1/roles.delete", clerk.clone());
        assert_eq!(caller.json("/v1/rolebindings.create", binding.clone()).await.refusal().0, 453);
        role(&mut caller, "_system", "clerk", &[]).await;
        meddler.before_the_next("/v1/rolebindings.create", binding);
        assert_eq!(caller.json("/v1/roles.delete", clerk).await.refusal().0, 400);
    })
    .await;
}
