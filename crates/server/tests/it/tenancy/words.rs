//! What several tests say.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_server::Server;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::bed::{Bed, Caller, each};

/// That a call is refused with this code and message, on every ground.
pub(crate) async fn refused(path: &str, body: Value, code: u16, message: &str) {
    each(async |bed| {
        let mut caller = bed.caller().await;
        assert_eq!(caller.json(path, body.clone()).await.refusal(), (code, message.to_owned()));
    })
    .await;
}

pub(crate) async fn namespace(caller: &mut Caller, name: &str) {
    assert_eq!(caller.ok("/v1/namespaces.create", json!({ "name": name })).await, json!({ "code": 200 }));
}

/// A new user's id.
pub(crate) async fn user(caller: &mut Caller, name: &str) -> String {
    id(&caller.ok("/v1/users.create", json!({ "username": name })).await)
}

/// A new role's id.
pub(crate) async fn role(caller: &mut Caller, namespace: &str, name: &str, permissions: &[&str]) -> String {
    let role = json!({ "namespace": namespace, "name": name, "permissions": permissions });
    id(&caller.ok("/v1/roles.create", role).await)
}

/// A new binding's id.
pub(crate) async fn bind(caller: &mut Caller, namespace: &str, role: &str, user: &str) -> String {
    let binding = json!({ "namespace": namespace, "role_name": role, "user_id": user });
    id(&caller.ok("/v1/rolebindings.create", binding).await)
}

/// A new key of a user: its id, and the key itself.
pub(crate) async fn key_of(caller: &mut Caller, user: &str) -> (String, String) {
    let made = caller.ok("/v1/apikeys.create", json!({ "user_id": user })).await;
    (id(&made), made["key"].as_str().unwrap().to_owned())
}

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// Another server on the same store.
pub(crate) async fn second_server(bed: &Bed) -> SocketAddr {
    let (settings, clock) = (bed.settings.clone(), Arc::new(bed.clock.clone()));
    let server = Server::bind(settings, Arc::new(bed.store().clone()), clock).await.unwrap();
    let address = server.address();
    tokio::spawn(server.serve(CancellationToken::new()));
    address
}
