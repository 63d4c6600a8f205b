use serde_json::json;

use super::{bind, namespace, refused, role, user};
use crate::bed::each;

const CREATE: &str = "/v1/rolebindings.create";
const LIST: &str = "/v1/rolebindings.list";
const DELETE: &str = "/v1/rolebindings.delete";

#[tokio::test]
async fn a_binding_is_made_shown_and_deleted() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        let clerk = role(&mut caller, "shop", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        let id = bind(&mut caller, "shop", "clerk", &ann).await;
        let shown = json!({
            "id": id, "namespace": "shop", "user_id": ann, "role_id": clerk, "created_at": "2026-11-15T12:00:00Z",
        });
        let list = json!({ "namespace": "shop" });
        assert_eq!(caller.ok(LIST, list.clone()).await, json!({ "items": [shown] }));
        let delete = json!({ "namespace": "shop", "role_name": "clerk", "user_id": ann });
        assert_eq!(caller.ok(DELETE, delete).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, list).await, json!({}));
    })
    .await;
}

/// R24.
#[tokio::test]
async fn bindings_are_listed_by_user() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        let (ann, bob) = (user(&mut caller, "ann").await, user(&mut caller, "bob").await);
        let mut of_ann = Vec::new();
        for name in ["c", "a", "b"] {
            role(&mut caller, "shop", name, &[]).await;
            of_ann.push(bind(&mut caller, "shop", name, &ann).await);
        }
        bind(&mut caller, "shop", "a", &bob).await;
        let shown = caller.ok(LIST, json!({ "namespace": "shop", "user_id_filter": ann })).await;
        let ids: Vec<&str> =
            shown["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids, of_ann);
        let filter = json!({ "namespace": "shop", "user_id_filter": ann, "pivot": of_ann[1], "limit": 1 });
        let shown = caller.ok(LIST, filter).await;
        assert_eq!(shown["items"].as_array().unwrap().len(), 1);
        assert_eq!(shown["items"][0]["id"], of_ann[1]);
        let nobody = json!({ "namespace": "shop", "user_id_filter": "nobody" });
        assert_eq!(caller.ok(LIST, nobody).await, json!({}));
    })
    .await;
}

#[tokio::test]
async fn a_binding_belongs_to_a_namespace() {
    refused(CREATE, json!({}), 400, "namespace is invalid; cannot be empty").await;
}

#[tokio::test]
async fn a_binding_is_to_a_role() {
    refused(CREATE, json!({ "namespace": "shop" }), 400, "role_name is invalid; cannot be empty").await;
}

#[tokio::test]
async fn a_binding_is_somebodys() {
    let body = json!({ "namespace": "shop", "role_name": "clerk" });
    refused(CREATE, body, 400, "user_id is invalid; cannot be empty").await;
}

#[tokio::test]
async fn a_user_id_has_no_colon() {
    for path in [CREATE, DELETE] {
        let body = json!({ "namespace": "shop", "role_name": "clerk", "user_id": "a:b" });
        refused(path, body, 400, "user_id is invalid; 'a:b' cannot contain ':' character").await;
    }
}

#[tokio::test]
async fn a_missing_role_is_not_bound() {
    for path in [CREATE, DELETE] {
        let body = json!({ "namespace": "shop", "role_name": "clerk", "user_id": "nobody" });
        refused(path, body, 453, "role does not exist; 'shop:clerk' was not found").await;
    }
}

#[tokio::test]
async fn a_missing_user_gets_no_role() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        role(&mut caller, "_system", "clerk", &[]).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": "nobody" });
        let refusal = caller.json(CREATE, body).await.refusal();
        assert_eq!(refusal, (453, "user does not exist; 'nobody' was not found".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_role_is_bound_to_a_user_once() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let clerk = role(&mut caller, "_system", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "_system", "clerk", &ann).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann });
        let refusal = caller.json(CREATE, body).await.refusal();
        let binding = format!("binding for user '{ann}' to role '{clerk}' in namespace '_system'");
        assert_eq!(refusal, (400, format!("role binding already exists; {binding} already exists")));
    })
    .await;
}

#[tokio::test]
async fn a_missing_binding_is_not_deleted() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let clerk = role(&mut caller, "_system", "clerk", &[]).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": "nobody" });
        let refusal = caller.json(DELETE, body).await.refusal();
        let message = format!("role binding does not exist; '_system:nobody:{clerk}' was not found");
        assert_eq!(refusal, (453, message));
    })
    .await;
}
