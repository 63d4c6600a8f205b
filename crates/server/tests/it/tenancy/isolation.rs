//! Isolation: a caller of one namespace must not affect another one.

use serde_json::{Value, json};

use super::{bind, key_of, namespace, role, user};
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, TestServer, queue_settings};

fn queue(name: &str, namespace: &str, dead_queue: &str) -> Value {
    queue_settings(name, json!({ "max_attempts": 1, "namespace": namespace, "dead_queue": dead_queue }))
}

/// Creates two namespaces, each with a dead queue and an owner; returns the owners' callers.
async fn two_owners(server: &TestServer, anonymous: &mut Caller) -> (Caller, Caller) {
    let mut owners = Vec::new();
    for name in ["a", "b"] {
        namespace(anonymous, name).await;
        anonymous.ok("/v1/queues.create", queue(&format!("{name}-dead"), name, "")).await;
        let owner = user(anonymous, name).await;
        role(anonymous, name, "owner", &["queue.create", "queue.update", "queue.produce", "queue.delete"]).await;
        bind(anonymous, name, "owner", &owner).await;
        let (_, key) = key_of(anonymous, &owner).await;
        owners.push(server.caller().await.with_key(&key));
    }
    let b = owners.pop().unwrap();
    (owners.pop().unwrap(), b)
}

#[test]
fn a_dead_queue_in_another_namespace_needs_the_permission_to_produce_there() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (mut a, mut b) = two_owners(&server, &mut anonymous).await;
        let response = a.json("/v1/queues.create", queue("orders", "a", "b-dead")).await;
        assert_eq!(response.stable_rejection(), (403, "access denied".to_owned()));
        a.ok("/v1/queues.create", queue("orders", "a", "a-dead")).await;
        let mut moved = queue("orders", "a", "b-dead");
        assert_eq!(a.json("/v1/queues.update", moved.clone()).await.rejection().0, 403);
        // The queue is not in use as a dead queue, so its owner can delete it.
        b.ok("/v1/queues.delete", json!({ "queue_name": "b-dead" })).await;
        let response = a.json("/v1/queues.update", moved.clone()).await;
        assert_eq!(response.rejection().0, 400, "a missing dead queue is reported as missing: {}", response.text());
        // A caller with permission to write there may set such a dead queue; afterwards others may change other settings.
        b.ok("/v1/queues.create", queue("b-dead", "b", "")).await;
        anonymous.ok("/v1/queues.update", moved.clone()).await;
        moved["reference"] = json!("changed");
        a.ok("/v1/queues.update", moved).await;
    });
}

#[test]
fn the_name_of_a_missing_dead_queue_cannot_be_taken_by_another_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (mut a, mut b) = two_owners(&server, &mut anonymous).await;
        a.ok("/v1/queues.create", queue("payments-dead", "a", "")).await;
        a.ok("/v1/queues.create", queue("orders", "a", "payments-dead")).await;
        a.ok("/v1/queues.delete", json!({ "queue_name": "payments-dead", "force": true })).await;
        let (code, message) = b.json("/v1/queues.create", queue("payments-dead", "b", "")).await.rejection();
        assert_eq!((code, message.split(';').next()), (400, Some("queue name is taken")));
        a.ok("/v1/queues.create", queue("payments-dead", "a", "")).await;
    });
}
