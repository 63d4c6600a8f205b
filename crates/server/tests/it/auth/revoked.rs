//! Whatever is taken away is gone with the next request, on every server.

use serde_json::{Value, json};

use super::each_closed;
use crate::bed::{Bed, Caller};
use crate::tenancy::{bind, key_of, role, second_server, user};

/// Ann, who may list users, at two servers; and whoever may do everything.
struct Scene {
    anybody: Caller,
    ann: String,
    key_id: String,
    callers: [Caller; 2],
}

impl Scene {
    async fn new(bed: &Bed) -> Self {
        let mut anybody = bed.caller().await;
        let other = second_server(bed).await;
        let ann = user(&mut anybody, "ann").await;
        role(&mut anybody, "_system", "lister", &["user.list"]).await;
        bind(&mut anybody, "_system", "lister", &ann).await;
        let (key_id, key) = key_of(&mut anybody, &ann).await;
        let callers = [bed.caller().await.with_key(&key), Caller::connect(other).await.with_key(&key)];
        let mut scene = Self { anybody, ann, key_id, callers };
        scene.all(200).await;
        scene
    }

    /// Both servers answer so.
    async fn all(&mut self, code: u16) {
        for caller in &mut self.callers {
            for _ in 0..2 {
                let heard = caller.json("/v1/users.list", json!({})).await;
                assert_eq!(heard.status.as_u16(), code, "{}", heard.text());
            }
        }
    }

    async fn ok(&mut self, path: &str, body: Value) {
        self.anybody.ok(path, body).await;
    }
}

#[tokio::test]
async fn a_deleted_key_opens_nothing() {
    each_closed(async |bed| {
        let mut scene = Scene::new(&bed).await;
        let key = json!({ "id": scene.key_id });
        scene.ok("/v1/apikeys.delete", key).await;
        scene.all(401).await;
    })
    .await;
}

#[tokio::test]
async fn a_deleted_user_does_nothing() {
    each_closed(async |bed| {
        let mut scene = Scene::new(&bed).await;
        let ann = json!({ "id": scene.ann });
        scene.ok("/v1/users.delete", ann).await;
        scene.all(401).await;
    })
    .await;
}

#[tokio::test]
async fn a_deleted_binding_allows_nothing_and_a_new_one_does_at_once() {
    each_closed(async |bed| {
        let mut scene = Scene::new(&bed).await;
        let binding = json!({ "namespace": "_system", "role_name": "lister", "user_id": scene.ann });
        scene.ok("/v1/rolebindings.delete", binding.clone()).await;
        scene.all(403).await;
        scene.ok("/v1/rolebindings.create", binding).await;
        scene.all(200).await;
    })
    .await;
}

#[tokio::test]
async fn a_changed_role_allows_what_it_says_now() {
    each_closed(async |bed| {
        let mut scene = Scene::new(&bed).await;
        for (permissions, code) in [(json!(["user.create"]), 403), (json!(["user.list"]), 200), (json!([]), 403)] {
            let lister = json!({ "namespace": "_system", "name": "lister", "permissions": permissions });
            scene.ok("/v1/roles.update", lister).await;
            scene.all(code).await;
        }
    })
    .await;
}

/// It went on until its time was over, and took what came.
#[tokio::test]
async fn a_lease_that_waits_ends_with_the_right_to_it() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        anybody.create("q", json!({})).await;
        role(&mut anybody, "_system", "worker", &["queue.lease"]).await;
        let lease = || json!({ "queue_name": "q", "request_timeout": "10m", "client_id": "c", "batch_size": 1 });
        for (path, code) in [("apikeys.delete", 401), ("users.delete", 401), ("rolebindings.delete", 403)] {
            let ann = user(&mut anybody, "ann").await;
            bind(&mut anybody, "_system", "worker", &ann).await;
            let (key_id, key) = key_of(&mut anybody, &ann).await;
            let mut worker = bed.caller().await.with_key(&key);
            let waiting = tokio::spawn(async move { worker.json("/v1/queue.lease", lease()).await });
            bed.until_waiting("q", 1).await;
            // What is somebody else's business ends nothing.
            user(&mut anybody, path).await;
            assert_eq!(bed.waiting("q").await, 1);
            let body = match path {
                "apikeys.delete" => json!({ "id": key_id }),
                "users.delete" => json!({ "id": ann }),
                _ => json!({ "namespace": "_system", "role_name": "worker", "user_id": ann }),
            };
            anybody.ok(&format!("/v1/{path}"), body).await;
            let heard = waiting.await.unwrap();
            assert_eq!(heard.status.as_u16(), code, "{path}: {}", heard.text());
            bed.until_waiting("q", 0).await;
            if path != "users.delete" {
                anybody.ok("/v1/users.delete", json!({ "id": ann })).await;
            }
        }
        let ann = user(&mut anybody, "ann").await;
        bind(&mut anybody, "_system", "worker", &ann).await;
        let expires_at = bed.clock_now().saturating_add(redrive_core::Span::from_mins(1)).to_string();
        let made = anybody.ok("/v1/apikeys.create", json!({ "user_id": ann, "expires_at": expires_at })).await;
        let mut worker = bed.caller().await.with_key(made["key"].as_str().unwrap());
        let waiting = tokio::spawn(async move { worker.json("/v1/queue.lease", lease()).await });
        bed.until_waiting("q", 1).await;
        bed.advance(redrive_core::Span::from_mins(1));
        assert_eq!(waiting.await.unwrap().refusal(), (401, "api key has expired".to_owned()));
    })
    .await;
}
