//! Concurrent requests, to one server and to two servers on one store.

use http::StatusCode;
use serde_json::{Value, json};

use super::{bind, key_of, namespace, role, second_server, user};
use crate::harness::{Caller, Response, TestServer, on_each_store_multi_threaded, queue_settings};

const ROUNDS: usize = 20;

/// Two pairs of callers: both at one server, and each at a different server.
async fn callers(server: &TestServer) -> Vec<[Caller; 2]> {
    let mut pairs = Vec::new();
    for other in [server.address(), second_server(server).await] {
        pairs.push([server.caller().await, Caller::connect(other).await]);
    }
    pairs
}

async fn both(callers: &mut [Caller; 2], one: (&str, Value), other: (&str, Value)) -> [Response; 2] {
    let [first, second] = callers;
    let (one, other) = tokio::join!(first.json(one.0, one.1), second.json(other.0, other.1));
    [one, other]
}

fn successes(responses: &[Response; 2]) -> usize {
    responses.iter().filter(|response| response.status == StatusCode::OK).count()
}

#[test]
fn of_two_concurrent_creates_of_one_name_one_succeeds() {
    on_each_store_multi_threaded(async |server| {
        for mut callers in callers(&server).await {
            for round in 0..ROUNDS {
                let name = format!("n{round}");
                for (path, body) in [
                    ("/v1/namespaces.create", json!({ "name": name })),
                    ("/v1/users.create", json!({ "username": name })),
                    ("/v1/roles.create", json!({ "namespace": "_system", "name": name })),
                ] {
                    let responses = both(&mut callers, (path, body.clone()), (path, body)).await;
                    assert_eq!(successes(&responses), 1, "{path}: {} {}", responses[0].text(), responses[1].text());
                }
                let user = user(&mut callers[0], &format!("{name}-bound")).await;
                let body = json!({ "namespace": "_system", "role_name": name, "user_id": user });
                let path = "/v1/rolebindings.create";
                let responses = both(&mut callers, (path, body.clone()), (path, body)).await;
                assert_eq!(successes(&responses), 1, "{path}: {} {}", responses[0].text(), responses[1].text());
                callers[0].ok("/v1/users.delete", json!({ "id": user })).await;
                callers[0].ok("/v1/roles.delete", json!({ "namespace": "_system", "name": name })).await;
                callers[0].ok("/v1/namespaces.delete", json!({ "name": name })).await;
                let users = callers[0].ok("/v1/users.list", json!({})).await;
                let made = users["items"].as_array().unwrap().iter().find(|user| user["username"] == name.as_str());
                callers[0].ok("/v1/users.delete", json!({ "id": made.unwrap()["id"] })).await;
            }
        }
    });
}

#[test]
fn nothing_is_created_in_a_namespace_that_is_deleted_concurrently() {
    on_each_store_multi_threaded(async |server| {
        for mut callers in callers(&server).await {
            for round in 0..ROUNDS {
                namespace(&mut callers[0], "shop").await;
                let queue = queue_settings("q", json!({ "namespace": "shop" }));
                let role = json!({ "namespace": "shop", "name": "clerk" });
                let is_queue = round % 2 == 0;
                let make = if is_queue { ("/v1/queues.create", queue) } else { ("/v1/roles.create", role.clone()) };
                let responses = both(&mut callers, ("/v1/namespaces.delete", json!({ "name": "shop" })), make).await;
                assert_eq!(successes(&responses), 1, "{} {}", responses[0].text(), responses[1].text());
                if responses[1].status == StatusCode::OK {
                    if is_queue {
                        callers[0].ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
                    } else {
                        callers[0].ok("/v1/roles.delete", role).await;
                    }
                    callers[0].ok("/v1/namespaces.delete", json!({ "name": "shop" })).await;
                }
            }
        }
    });
}

#[test]
fn a_role_is_not_bound_and_deleted_concurrently() {
    on_each_store_multi_threaded(async |server| {
        for mut callers in callers(&server).await {
            let ann = user(&mut callers[0], "ann").await;
            for _ in 0..ROUNDS {
                role(&mut callers[0], "_system", "clerk", &[]).await;
                let binding = json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann });
                let clerk = json!({ "namespace": "_system", "name": "clerk" });
                let bind = ("/v1/rolebindings.create", binding.clone());
                let responses = both(&mut callers, bind, ("/v1/roles.delete", clerk.clone())).await;
                assert_eq!(successes(&responses), 1, "{} {}", responses[0].text(), responses[1].text());
                if responses[0].status == StatusCode::OK {
                    callers[0].ok("/v1/rolebindings.delete", binding).await;
                    callers[0].ok("/v1/roles.delete", clerk).await;
                }
            }
            callers[0].ok("/v1/users.delete", json!({ "id": ann })).await;
        }
    });
}

#[test]
fn a_deleted_user_leaves_no_keys_or_bindings() {
    on_each_store_multi_threaded(async |server| {
        for mut callers in callers(&server).await {
            role(&mut callers[0], "_system", "clerk", &[]).await;
            for round in 0..ROUNDS {
                let ann = user(&mut callers[0], "ann").await;
                key_of(&mut callers[0], &ann).await;
                let make = if round % 2 == 0 {
                    ("/v1/apikeys.create", json!({ "user_id": ann }))
                } else {
                    ("/v1/rolebindings.create", json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann }))
                };
                let responses = both(&mut callers, ("/v1/users.delete", json!({ "id": ann })), make).await;
                assert_eq!(responses[0].status, StatusCode::OK, "{}", responses[0].text());
                assert_eq!(callers[0].ok("/v1/apikeys.list", json!({})).await, json!({}));
                let bindings = callers[0].ok("/v1/rolebindings.list", json!({ "namespace": "_system" })).await;
                assert_eq!(bindings, json!({}));
            }
            assert_role_is_unbound(&mut callers[0]).await;
        }
    });
}

/// Checks that no binding of a deleted user is left: the role can be bound, and deleted afterwards.
async fn assert_role_is_unbound(caller: &mut Caller) {
    let bob = user(caller, "bob").await;
    bind(caller, "_system", "clerk", &bob).await;
    caller.ok("/v1/users.delete", json!({ "id": bob })).await;
    caller.ok("/v1/roles.delete", json!({ "namespace": "_system", "name": "clerk" })).await;
}
