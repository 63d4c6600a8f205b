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
