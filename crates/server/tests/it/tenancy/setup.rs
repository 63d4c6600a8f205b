//! Setup of tenancy data that several tests need.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_server::Server;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::harness::{Caller, TestServer, on_each_store_with_caller};

/// Checks that each request of a call is rejected with this code and its message, on every store.
pub(crate) fn assert_rejected(path: &str, code: u16, cases: &[(Value, &str)]) {
    on_each_store_with_caller(async |_server, mut caller| {
        for (body, message) in cases {
            let rejection = caller.rejection(path, body.clone()).await;
            assert_eq!(rejection, (code, (*message).to_owned()), "{path} {body}");
        }
    });
}

pub(crate) async fn namespace(caller: &mut Caller, name: &str) {
    assert_eq!(caller.ok("/v1/namespaces.create", json!({ "name": name })).await, json!({ "code": 200 }));
}

/// Creates a user; returns its id.
pub(crate) async fn user(caller: &mut Caller, name: &str) -> String {
    id(&caller.ok("/v1/users.create", json!({ "username": name })).await)
}

/// Creates a role; returns its id.
pub(crate) async fn role(caller: &mut Caller, namespace: &str, name: &str, permissions: &[&str]) -> String {
    let role = json!({ "namespace": namespace, "name": name, "permissions": permissions });
    id(&caller.ok("/v1/roles.create", role).await)
}

/// Binds a role to a user; returns the id of the binding.
pub(crate) async fn bind(caller: &mut Caller, namespace: &str, role: &str, user: &str) -> String {
    let binding = json!({ "namespace": namespace, "role_name": role, "user_id": user });
    id(&caller.ok("/v1/rolebindings.create", binding).await)
}

/// Creates an API key of a user; returns its id and the key.
pub(crate) async fn key_of(caller: &mut Caller, user: &str) -> (String, String) {
    let made = caller.ok("/v1/apikeys.create", json!({ "user_id": user })).await;
    (id(&made), made["key"].as_str().unwrap().to_owned())
}

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// Starts another server on the same store; returns its address.
pub(crate) async fn second_server(server: &TestServer) -> SocketAddr {
    let (settings, clock) = (server.settings.clone(), Arc::new(server.clock.clone()));
    let second = Server::bind(settings, Arc::new(server.store().clone()), clock).await.unwrap();
    let address = second.address();
    tokio::spawn(second.serve(CancellationToken::new()));
    address
}
