//! Tenancy data survives a restart.

use serde_json::{Value, json};

use super::{bind, key_of, namespace, role, user};
use crate::harness::{Caller, StoreKind, TestServer};

const LISTS: [&str; 5] =
    ["/v1/namespaces.list", "/v1/users.list", "/v1/apikeys.list", "/v1/roles.list", "/v1/rolebindings.list"];

async fn everything(caller: &mut Caller) -> Vec<Value> {
    let mut all = Vec::new();
    for path in LISTS {
        let body = if path.contains("role") { json!({ "namespace": "shop" }) } else { json!({}) };
        all.push(caller.ok(path, body).await);
    }
    all
}

#[tokio::test]
async fn tenancy_data_survives_a_restart() {
    let mut server = TestServer::new(StoreKind::Journal).await;
    let mut caller = server.caller().await;
    namespace(&mut caller, "shop").await;
    role(&mut caller, "shop", "clerk", &["queue.lease"]).await;
    let ann = user(&mut caller, "ann").await;
    bind(&mut caller, "shop", "clerk", &ann).await;
    key_of(&mut caller, &ann).await;
    let before = everything(&mut caller).await;
    assert!(before.iter().all(|list| !list["items"].as_array().unwrap().is_empty()));
    server.restart().await;
    let mut caller = server.caller().await;
    assert_eq!(everything(&mut caller).await, before);
    assert_eq!(caller.json("/v1/users.create", json!({ "username": "ann" })).await.rejection().0, 400);
}
