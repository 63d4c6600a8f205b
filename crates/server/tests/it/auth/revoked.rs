//! A revoked key, user or permission is rejected from the next request on, by every server.

use serde_json::{Value, json};

use super::on_each_store_with_auth;
use crate::harness::{Caller, TestServer};
use crate::tenancy::{bind, key_of, role, second_server, user};

/// A user `ann` who may list users, with a caller at each of two servers; and an anonymous caller who may do everything.
struct RevocationFixture {
    anonymous: Caller,
    ann: String,
    key_id: String,
    callers: [Caller; 2],
}

impl RevocationFixture {
    async fn new(server: &TestServer, mut anonymous: Caller) -> Self {
        let other = second_server(server).await;
        let ann = user(&mut anonymous, "ann").await;
        role(&mut anonymous, "_system", "lister", &["user.list"]).await;
        bind(&mut anonymous, "_system", "lister", &ann).await;
        let (key_id, key) = key_of(&mut anonymous, &ann).await;
        let callers = [server.caller().await.with_key(&key), Caller::connect(other).await.with_key(&key)];
        let mut fixture = Self { anonymous, ann, key_id, callers };
        fixture.assert_status(200).await;
        fixture
    }

    /// Checks that both servers answer with this status.
    async fn assert_status(&mut self, code: u16) {
        for caller in &mut self.callers {
            for _ in 0..2 {
                let response = caller.json("/v1/users.list", json!({})).await;
                assert_eq!(response.status.as_u16(), code, "{}", response.text());
            }
        }
    }

    async fn ok(&mut self, path: &str, body: Value) {
        self.anonymous.ok(path, body).await;
    }
}

#[test]
fn a_deleted_key_is_rejected() {
    on_each_store_with_auth(async |server, anonymous| {
        let mut fixture = RevocationFixture::new(&server, anonymous).await;
        let key = json!({ "id": fixture.key_id });
        fixture.ok("/v1/apikeys.delete", key).await;
        fixture.assert_status(401).await;
    });
}

#[test]
fn a_deleted_user_is_rejected() {
    on_each_store_with_auth(async |server, anonymous| {
        let mut fixture = RevocationFixture::new(&server, anonymous).await;
        let ann = json!({ "id": fixture.ann });
        fixture.ok("/v1/users.delete", ann).await;
        fixture.assert_status(401).await;
    });
}

#[test]
fn a_deleted_binding_grants_nothing_and_a_new_one_applies_at_once() {
    on_each_store_with_auth(async |server, anonymous| {
        let mut fixture = RevocationFixture::new(&server, anonymous).await;
        let binding = json!({ "namespace": "_system", "role_name": "lister", "user_id": fixture.ann });
        fixture.ok("/v1/rolebindings.delete", binding.clone()).await;
        fixture.assert_status(403).await;
        fixture.ok("/v1/rolebindings.create", binding).await;
        fixture.assert_status(200).await;
    });
}

#[test]
fn a_changed_role_applies_at_once() {
    on_each_store_with_auth(async |server, anonymous| {
        let mut fixture = RevocationFixture::new(&server, anonymous).await;
        for (permissions, code) in [(json!(["user.create"]), 403), (json!(["user.list"]), 200), (json!([]), 403)] {
            let lister = json!({ "namespace": "_system", "name": "lister", "permissions": permissions });
            fixture.ok("/v1/roles.update", lister).await;
            fixture.assert_status(code).await;
        }
    });
}

/// Otherwise the lease would wait until its timeout and could still receive items.
#[test]
fn a_waiting_lease_ends_when_its_permission_is_revoked_or_its_key_expires() {
    on_each_store_with_auth(async |server, mut anonymous| {
        anonymous.create("q", json!({})).await;
        role(&mut anonymous, "_system", "worker", &["queue.lease"]).await;
        let lease = || json!({ "queue_name": "q", "request_timeout": "10m", "client_id": "c", "batch_size": 1 });
        for (path, code) in [("apikeys.delete", 401), ("users.delete", 401), ("rolebindings.delete", 403)] {
            let ann = user(&mut anonymous, "ann").await;
            bind(&mut anonymous, "_system", "worker", &ann).await;
            let (key_id, key) = key_of(&mut anonymous, &ann).await;
            let mut worker = server.caller().await.with_key(&key);
            let waiting = tokio::spawn(async move { worker.json("/v1/queue.lease", lease()).await });
            server.until_waiting_leases("q", 1).await;
            // A change of another user does not end the lease.
            user(&mut anonymous, path).await;
            assert_eq!(server.waiting_leases("q").await, 1);
            let body = match path {
                "apikeys.delete" => json!({ "id": key_id }),
                "users.delete" => json!({ "id": ann }),
                _ => json!({ "namespace": "_system", "role_name": "worker", "user_id": ann }),
            };
            anonymous.ok(&format!("/v1/{path}"), body).await;
            let response = waiting.await.unwrap();
            assert_eq!(response.status.as_u16(), code, "{path}: {}", response.text());
            server.until_waiting_leases("q", 0).await;
            if path != "users.delete" {
                anonymous.ok("/v1/users.delete", json!({ "id": ann })).await;
            }
        }
        let ann = user(&mut anonymous, "ann").await;
        bind(&mut anonymous, "_system", "worker", &ann).await;
        let expires_at = server.clock_now().saturating_add(redrive_core::Span::from_mins(1)).to_string();
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": ann, "expires_at": expires_at })).await;
        let mut worker = server.caller().await.with_key(made["key"].as_str().unwrap());
        let waiting = tokio::spawn(async move { worker.json("/v1/queue.lease", lease()).await });
        server.until_waiting_leases("q", 1).await;
        server.advance(redrive_core::Span::from_mins(1));
        assert_eq!(waiting.await.unwrap().stable_rejection(), (401, "api key has expired".to_owned()));
    });
}
