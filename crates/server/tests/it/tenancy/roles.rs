use serde_json::json;

use super::{bind, namespace, refused, role, user};
use crate::auth::each_closed;
use crate::bed::each;

const CREATE: &str = "/v1/roles.create";
const UPDATE: &str = "/v1/roles.update";
const LIST: &str = "/v1/roles.list";
const DELETE: &str = "/v1/roles.delete";

#[tokio::test]
async fn a_role_is_made_changed_shown_and_deleted() {
    each(async |bed| {
        let mut caller = bed.caller().await;
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
    })
    .await;
}

#[tokio::test]
async fn a_role_belongs_to_a_namespace() {
    for path in [CREATE, UPDATE] {
        refused(path, json!({}), 400, "namespace is invalid; cannot be empty").await;
    }
}

#[tokio::test]
async fn a_role_has_a_name() {
    for path in [CREATE, UPDATE] {
        let body = json!({ "namespace": "shop", "permissions": ["fly"] });
        refused(path, body, 400, "name is invalid; cannot be empty").await;
    }
}

#[tokio::test]
async fn a_name_is_not_too_long() {
    let body = json!({ "namespace": "shop", "name": ":".repeat(129) });
    refused(CREATE, body, 400, "name is invalid; cannot be greater than '128' characters").await;
}

#[tokio::test]
async fn a_name_has_no_colon() {
    let body = json!({ "namespace": "shop", "name": "a:b", "permissions": ["fly"] });
    refused(CREATE, body, 400, "name is invalid; 'a:b' cannot contain ':' character").await;
}

#[tokio::test]
async fn permissions_are_a_closed_set() {
    for path in [CREATE, UPDATE] {
        let body = json!({ "namespace": "shop", "name": "a", "permissions": ["queue.lease", "queue.fly"] });
        refused(path, body, 400, "permission is invalid; 'queue.fly' is not a recognized permission").await;
    }
}

#[tokio::test]
async fn every_permission_of_the_api_is_known() {
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
    each_closed(async |bed| {
        let mut caller = bed.caller().await;
        role(&mut caller, "_system", "all", &permissions.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let roles = caller.ok(LIST, json!({ "namespace": "_system" })).await;
        let of = |name: &str| {
            let roles = roles["items"].as_array().unwrap();
            let role = roles.iter().find(|role| role["name"] == name).unwrap();
            let mut names: Vec<String> = serde_json::from_value(role["permissions"].clone()).unwrap();
            names.sort();
            names
        };
        // The original has no letters: standard roles imply these permissions, and do not list them.
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
    })
    .await;
}

#[tokio::test]
async fn nobody_makes_a_role_with_the_name_of_a_standard_one() {
    for name in ["Admin", "NamespaceOwner", "PublicViewer"] {
        let message = format!("cannot modify or delete standard role; '{name}' is a standard role");
        refused(CREATE, json!({ "namespace": "gone", "name": name }), 400, &message).await;
    }
}

#[tokio::test]
async fn nobody_changes_or_deletes_a_standard_role() {
    each_closed(async |bed| {
        let mut caller = bed.caller().await;
        for name in ["Admin", "NamespaceOwner", "PublicViewer"] {
            for path in [UPDATE, DELETE] {
                let refusal = caller.json(path, json!({ "namespace": "_system", "name": name })).await.refusal();
                let message = format!("cannot modify or delete standard role; '{name}' is a standard role");
                assert_eq!(refusal, (400, message));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_missing_namespace_gets_no_role() {
    let body = json!({ "namespace": "shop", "name": "a" });
    refused(CREATE, body, 453, "namespace does not exist; 'shop' was not found").await;
}

#[tokio::test]
async fn a_role_is_made_once_a_namespace() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        namespace(&mut caller, "bar").await;
        role(&mut caller, "shop", "clerk", &[]).await;
        role(&mut caller, "bar", "clerk", &[]).await;
        let refusal = caller.json(CREATE, json!({ "namespace": "shop", "name": "clerk" })).await.refusal();
        assert_eq!(refusal, (400, "role already exists; 'shop:clerk' already exists".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_missing_role_is_neither_changed_nor_deleted() {
    for path in [UPDATE, DELETE] {
        let body = json!({ "namespace": "shop", "name": "clerk" });
        refused(path, body, 453, "role does not exist; 'shop:clerk' was not found").await;
    }
}

#[tokio::test]
async fn a_role_that_somebody_has_stays() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        role(&mut caller, "shop", "clerk", &[]).await;
        let ann = user(&mut caller, "ann").await;
        bind(&mut caller, "shop", "clerk", &ann).await;
        let refusal = caller.json(DELETE, json!({ "namespace": "shop", "name": "clerk" })).await.refusal();
        let message = "role has active bindings; 'clerk' has active bindings, delete bindings first";
        assert_eq!(refusal, (400, message.to_owned()));
        caller.ok("/v1/users.delete", json!({ "id": ann })).await;
        caller.ok(DELETE, json!({ "namespace": "shop", "name": "clerk" })).await;
    })
    .await;
}
