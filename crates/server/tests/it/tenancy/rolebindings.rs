use serde_json::json;

use super::{assert_rejected, bind, namespace, role, user};
use crate::auth::on_each_store_with_auth;
use crate::harness::on_each_store_with_caller;

const CREATE: &str = "/v1/rolebindings.create";
const LIST: &str = "/v1/rolebindings.list";
const DELETE: &str = "/v1/rolebindings.delete";

#[test]
fn a_binding_is_created_listed_and_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
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
    });
}

/// R24.
#[test]
fn bindings_are_listed_by_user() {
    on_each_store_with_caller(async |_server, mut caller| {
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
        let missing = json!({ "namespace": "shop", "user_id_filter": "missing" });
        assert_eq!(caller.ok(LIST, missing).await, json!({}));
    });
}

#[test]
fn an_invalid_binding_is_rejected_with_its_first_fault() {
    let cases = [
        (json!({}), "namespace is invalid; cannot be empty"),
        (json!({ "namespace": "shop" }), "role_name is invalid; cannot be empty"),
        (json!({ "namespace": "shop", "role_name": "clerk" }), "user_id is invalid; cannot be empty"),
    ];
    assert_rejected(CREATE, 400, &cases);
    for path in [CREATE, DELETE] {
        let of_user = |user: &str| json!({ "namespace": "shop", "role_name": "clerk", "user_id": user });
        assert_rejected(path, 400, &[(of_user("a:b"), "user_id is invalid; 'a:b' cannot contain ':' character")]);
        assert_rejected(path, 453, &[(of_user("missing"), "role does not exist; 'shop:clerk' was not found")]);
    }
}

#[test]
fn a_role_cannot_be_bound_to_a_missing_user() {
    on_each_store_with_caller(async |_server, mut caller| {
        role(&mut caller, "_system", "clerk", &[]).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": "missing" });
        let rejection = caller.json(CREATE, body).await.rejection();
        assert_eq!(rejection, (453, "user does not exist; 'missing' was not found".to_owned()));
    });
}

#[test]
fn a_role_can_be_bound_to_a_user_only_once() {
    on_each_store_with_caller(async |_server, mut caller| {
        let clerk = role(&mut caller, "_system", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "_system", "clerk", &ann).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": ann });
        let rejection = caller.json(CREATE, body).await.rejection();
        let binding = format!("binding for user '{ann}' to role '{clerk}' in namespace '_system'");
        assert_eq!(rejection, (400, format!("role binding already exists; {binding} already exists")));
    });
}

#[test]
fn a_missing_binding_cannot_be_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let clerk = role(&mut caller, "_system", "clerk", &[]).await;
        let body = json!({ "namespace": "_system", "role_name": "clerk", "user_id": "missing" });
        let rejection = caller.json(DELETE, body).await.rejection();
        let message = format!("role binding does not exist; '_system:missing:{clerk}' was not found");
        assert_eq!(rejection, (453, message));
    });
}

#[test]
fn a_standard_role_is_bound_in_any_namespace_that_exists() {
    on_each_store_with_auth(async |_server, mut caller| {
        let roles = caller.ok("/v1/roles.list", json!({ "namespace": "_system" })).await;
        let owner = roles["items"].as_array().unwrap().iter().find(|role| role["name"] == "NamespaceOwner").unwrap();
        let ann = user(&mut caller, "ann").await;
        for place in ["shop", "bar"] {
            namespace(&mut caller, place).await;
            let id = bind(&mut caller, place, "NamespaceOwner", &ann).await;
            let shown = json!({ "id": id, "namespace": place, "user_id": ann, "role_id": owner["id"],
                "created_at": "2026-11-15T12:00:00Z" });
            assert_eq!(caller.ok(LIST, json!({ "namespace": place })).await, json!({ "items": [shown] }));
        }
        let binding = |place: &str| json!({ "namespace": place, "role_name": "NamespaceOwner", "user_id": ann });
        let again = caller.rejection(CREATE, binding("shop")).await;
        assert_eq!((again.0, again.1.split(';').next()), (400, Some("role binding already exists")));
        let missing = (453, "namespace does not exist; 'gone' was not found".to_owned());
        assert_eq!(caller.rejection(CREATE, binding("gone")).await, missing);
        // The roles of a namespace are its own: standard roles are listed in `_system`.
        assert_eq!(caller.ok("/v1/roles.list", json!({ "namespace": "shop" })).await, json!({}));
        caller.ok("/v1/users.delete", json!({ "id": ann })).await;
        for place in ["shop", "bar"] {
            assert_eq!(caller.ok(LIST, json!({ "namespace": place })).await, json!({}), "with the user");
            caller.ok("/v1/namespaces.delete", json!({ "name": place })).await;
        }
    });
}

#[test]
fn a_role_of_the_system_that_is_no_standard_role_is_bound_there_only() {
    on_each_store_with_auth(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        role(&mut caller, "_system", "clerk", &["queue.list"]).await;
        let ann = user(&mut caller, "ann").await;
        for name in ["clerk", "admin", "Admin ", "NamespaceOwner2"] {
            let binding = json!({ "namespace": "shop", "role_name": name, "user_id": ann });
            let missing = (453, format!("role does not exist; 'shop:{name}' was not found"));
            assert_eq!(caller.rejection(CREATE, binding).await, missing);
        }
    });
}
