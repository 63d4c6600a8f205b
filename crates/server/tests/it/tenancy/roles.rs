use serde_json::json;

use super::{assert_rejected, bind, namespace, role, user};
use crate::auth::on_each_store_with_auth;
use crate::harness::on_each_store_with_caller;

const CREATE: &str = "/v1/roles.create";
const UPDATE: &str = "/v1/roles.update";
const LIST: &str = "/v1/roles.list";
const DELETE: &str = "/v1/roles.delete";

#[test]
fn a_role_is_created_updated_listed_and_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        let id = role(&mut caller, "shop", "clerk", &["queue.lease", "queue.complete"]).await;
        let mut shown = json!({
            "id": id, "namespace": "shop", "name": "clerk", "permissions": ["queue.lease", "queue.complete"],
            "created_at": "2026-11-15T12:00:00Z",
        });
        let list = json!({ "namespace": "shop" });
        assert_eq!(caller.ok(LIST, list.clone()).await, json!({ "items": [shown] }));
        let update = json!({ "namespace": "shop", "name": "clerk", "permissions": ["role.list"] });
        assert_eq!(caller.ok(UPDATE, update).await, json!({ "code": 200 }));
        shown["permissions"] = json!(["role.list"]);
        assert_eq!(caller.ok(LIST, list.clone()).await, json!({ "items": [shown] }));
        let clerk = json!({ "namespace": "shop", "name": "clerk" });
        assert_eq!(caller.ok(DELETE, clerk).await, json!({ "code": 200 }));
        assert_eq!(caller.ok(LIST, list).await, json!({}));
    });
}

#[test]
fn an_invalid_role_is_rejected_with_its_first_fault() {
    let cases = [
        (json!({}), "namespace is invalid; cannot be empty"),
        (json!({ "namespace": "shop", "permissions": ["fly"] }), "name is invalid; cannot be empty"),
        (
            json!({ "namespace": "shop", "name": "a", "permissions": ["queue.lease", "queue.fly"] }),
            "permission is invalid; 'queue.fly' is not a recognized permission",
        ),
    ];
    for path in [CREATE, UPDATE] {
        assert_rejected(path, 400, &cases);
    }
    let cases = [
        (
            json!({ "namespace": "shop", "name": ":".repeat(129) }),
            "name is invalid; cannot be greater than '128' characters",
        ),
        (
            json!({ "namespace": "shop", "name": "a:b", "permissions": ["fly"] }),
            "name is invalid; 'a:b' cannot contain ':' character",
        ),
    ];
    assert_rejected(CREATE, 400, &cases);
}

#[test]
fn every_permission_of_the_api_is_known() {
    let nouns = [
        ("namespace", "create,delete,list,update"),
        ("queue", "create,delete,update,list,produce,lease,complete,retry,stats,clear"),
        ("letters", "read,retry,archive,edit,clear,enqueue,configure,reveal,export"),
        ("user", "create,delete,list"),
        ("apikey", "create,delete,list"),
        ("role", "create,update,delete,list"),
        ("rolebinding", "create,delete,list"),
        ("system", "health,metrics"),
    ];
    let verbs = nouns.iter().flat_map(|(noun, verbs)| verbs.split(',').map(move |verb| format!("{noun}.{verb}")));
    let permissions: Vec<String> = verbs.collect();
    on_each_store_with_auth(async |_server, mut caller| {
        role(&mut caller, "_system", "all", &permissions.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let roles = caller.ok(LIST, json!({ "namespace": "_system" })).await;
        let of = |name: &str| {
            let roles = roles["items"].as_array().unwrap();
            let role = roles.iter().find(|role| role["name"] == name).unwrap();
            let mut names: Vec<String> = serde_json::from_value(role["permissions"].clone()).unwrap();
            names.sort();
            names
        };
        // The Querator API has no letters: the standard roles grant these permissions without listing them.
        let mut all = permissions.clone();
        all.retain(|name| !name.starts_with("letters."));
        all.sort();
        assert_eq!(of("Admin"), all);
        let of_nouns = |nouns: &[&str]| {
            let is_of = |name: &&String| nouns.contains(&name.split('.').next().unwrap());
            all.iter().filter(is_of).cloned().collect::<Vec<_>>()
        };
        assert_eq!(of("NamespaceOwner"), of_nouns(&["queue", "role", "rolebinding", "system"]));
        assert_eq!(of("PublicViewer"), of_nouns(&["system"]));
    });
}

#[test]
fn a_role_cannot_have_the_name_of_a_standard_role() {
    for name in ["Admin", "NamespaceOwner", "PublicViewer"] {
        let message = format!("cannot modify or delete standard role; '{name}' is a standard role");
        assert_rejected(CREATE, 400, &[(json!({ "namespace": "gone", "name": name }), &message)]);
    }
}

#[test]
fn a_standard_role_cannot_be_updated_or_deleted() {
    on_each_store_with_auth(async |_server, mut caller| {
        for name in ["Admin", "NamespaceOwner", "PublicViewer"] {
            for path in [UPDATE, DELETE] {
                let rejection = caller.json(path, json!({ "namespace": "_system", "name": name })).await.rejection();
                let message = format!("cannot modify or delete standard role; '{name}' is a standard role");
                assert_eq!(rejection, (400, message));
            }
        }
    });
}

#[test]
fn a_role_cannot_be_created_in_a_missing_namespace() {
    let body = json!({ "namespace": "shop", "name": "a" });
    assert_rejected(CREATE, 453, &[(body, "namespace does not exist; 'shop' was not found")]);
}

#[test]
fn a_role_name_is_unique_in_its_namespace() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        namespace(&mut caller, "bar").await;
        role(&mut caller, "shop", "clerk", &[]).await;
        role(&mut caller, "bar", "clerk", &[]).await;
        let rejection = caller.json(CREATE, json!({ "namespace": "shop", "name": "clerk" })).await.rejection();
        assert_eq!(rejection, (400, "role already exists; 'shop:clerk' already exists".to_owned()));
    });
}

#[test]
fn a_missing_role_cannot_be_updated_or_deleted() {
    for path in [UPDATE, DELETE] {
        let body = json!({ "namespace": "shop", "name": "clerk" });
        assert_rejected(path, 453, &[(body, "role does not exist; 'shop:clerk' was not found")]);
    }
}

#[test]
fn a_bound_role_cannot_be_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        role(&mut caller, "shop", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "shop", "clerk", &ann).await;
        let rejection = caller.json(DELETE, json!({ "namespace": "shop", "name": "clerk" })).await.rejection();
        let message = "role has active bindings; 'clerk' has active bindings, delete bindings first";
        assert_eq!(rejection, (400, message.to_owned()));
        caller.ok("/v1/users.delete", json!({ "id": ann })).await;
        caller.ok(DELETE, json!({ "namespace": "shop", "name": "clerk" })).await;
    });
}
