//! A standard role that is bound in one namespace counts there, and gives no right in another one or on the system.

use serde_json::{Value, json};

use super::permissions::{calls, is_denied};
use super::{on_each_store_with_auth, server_with_auth};
use crate::harness::{Caller, StoreKind, TestServer, queue_settings, run};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// The standard roles, the one with the fewest permissions first.
const ROLES: [&str; 3] = ["PublicViewer", "NamespaceOwner", "Admin"];
/// Names that a careless comparison confuses with `shop` or `_system`.
const LOOKALIKES: [&str; 8] = ["sho", "shop2", "shopshop", "Shop", "shop.x", "shop\u{1}", "shop\u{0}", "system"];

/// A caller with a standard role in one namespace, and the id of its user.
async fn bound(server: &TestServer, anonymous: &mut Caller, role: &str, place: &str) -> (Caller, String) {
    let id = user(anonymous, &format!("{role} of {place}")).await;
    bind(anonymous, place, role, &id).await;
    let (_, key) = key_of(anonymous, &id).await;
    (server.caller().await.with_key(&key), id)
}

/// Whether a call is about the whole server, so that its permission is checked in `_system`.
fn is_of_system(path: &str) -> bool {
    let nouns = ["namespaces.", "users.", "apikeys.", "search."];
    nouns.iter().any(|noun| path.starts_with(noun))
}

fn grants(role: &str, permission: &str) -> bool {
    let owned = ["queue.", "letters.", "routes.", "role.", "rolebinding."];
    match role {
        "Admin" => true,
        "NamespaceOwner" => owned.iter().any(|noun| permission.starts_with(noun)),
        _ => false,
    }
}

async fn with_queue(anonymous: &mut Caller) {
    if anonymous.json("/v1/queues.info", json!({ "queue_name": "q" })).await.status != 200 {
        anonymous.create("q", json!({ "namespace": "shop" })).await;
    }
    anonymous.produce_many("q", 3).await;
}

#[test]
fn in_its_namespace_a_standard_role_grants_its_permissions_and_on_the_system_none() {
    on_each_store_with_auth(async |server, mut anonymous| {
        namespace(&mut anonymous, "shop").await;
        for role in ROLES {
            with_queue(&mut anonymous).await;
            let (mut caller, _) = bound(&server, &mut anonymous, role, "shop").await;
            for (path, body, needed) in calls() {
                let expected = !is_of_system(path) && grants(role, needed);
                assert_eq!(!is_denied(&mut caller, path, body).await, expected, "{role} of shop: {path}");
            }
        }
    });
}

#[test]
fn in_a_namespace_with_a_similar_name_a_standard_role_grants_nothing() {
    on_each_store_with_auth(async |server, mut anonymous| {
        namespace(&mut anonymous, "shop").await;
        with_queue(&mut anonymous).await;
        for place in LOOKALIKES {
            namespace(&mut anonymous, place).await;
            for role in ROLES {
                let (mut caller, _) = bound(&server, &mut anonymous, role, place).await;
                for (path, body, _) in calls() {
                    assert!(is_denied(&mut caller, path, body).await, "{role} of {place:?}: {path}");
                }
                let own = is_denied(&mut caller, "queues.list", json!({ "namespace": place })).await;
                assert_eq!(!own, grants(role, "queue.list"), "{role} in {place:?} itself");
            }
        }
    });
}

#[test]
fn no_request_of_an_administrator_of_one_namespace_reaches_another() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for place in ["sho", "shop", "shop2"] {
            namespace(&mut anonymous, place).await;
            anonymous.create(&format!("{place}-dead"), json!({ "namespace": place })).await;
        }
        let (mut caller, id) = bound(&server, &mut anonymous, "Admin", "shop").await;
        for place in ["_system", "sho", "shop2", "missing"] {
            let in_place = json!({ "namespace": place });
            for path in ["queues.list", "roles.list", "rolebindings.list", "routes.list", "audit.list", "status.get"] {
                assert!(is_denied(&mut caller, path, in_place.clone()).await, "{path} of {place}");
            }
            let create = queue_settings("new", in_place.clone());
            assert!(is_denied(&mut caller, "queues.create", create).await, "{place}");
            let route = json!({ "namespace": place, "name": "r" });
            assert!(is_denied(&mut caller, "routes.create", route).await, "{place}");
            let role = json!({ "namespace": place, "name": "mine", "permissions": ["queue.list"] });
            assert!(is_denied(&mut caller, "roles.create", role).await, "{place}");
            for role in ROLES {
                let binding = json!({ "namespace": place, "role_name": role, "user_id": id });
                for path in ["rolebindings.create", "rolebindings.delete"] {
                    assert!(is_denied(&mut caller, path, binding.clone()).await, "{path} of {role} in {place}");
                }
            }
            if place != "missing" && place != "_system" {
                let dead = json!({ "namespace": "shop", "dead_queue": format!("{place}-dead"), "max_attempts": 1 });
                assert!(is_denied(&mut caller, "queues.create", queue_settings("new", dead)).await, "{place}");
            }
        }
        // An empty namespace is `_system`.
        for path in ["queues.list", "roles.list", "rolebindings.list", "routes.list", "audit.list", "status.queues"] {
            assert!(is_denied(&mut caller, path, json!({})).await, "{path}");
        }
        let overview = caller.ok("/v1/status.get", json!({})).await;
        let queues: Vec<&Value> = overview["queues"].as_array().unwrap().iter().map(|it| &it["queue_name"]).collect();
        assert_eq!(queues, ["shop-dead"]);
    });
}

#[test]
fn a_standard_role_is_granted_only_by_who_holds_its_permissions_there() {
    on_each_store_with_auth(async |server, mut anonymous| {
        namespace(&mut anonymous, "shop").await;
        let bob = user(&mut anonymous, "bob").await;
        let binding = |role: &str| json!({ "namespace": "shop", "role_name": role, "user_id": bob });
        for (holder, may) in [("NamespaceOwner", &ROLES[..2]), ("Admin", &ROLES[..])] {
            let (mut caller, _) = bound(&server, &mut anonymous, holder, "shop").await;
            for role in ROLES {
                if !may.contains(&role) {
                    let (code, message) = caller.rejection("/v1/rolebindings.create", binding(role)).await;
                    assert_eq!(code, 403);
                    assert!(message.ends_with("in 'shop', and cannot grant it"), "{message}");
                    continue;
                }
                caller.ok("/v1/rolebindings.create", binding(role)).await;
                caller.ok("/v1/rolebindings.delete", binding(role)).await;
            }
        }
        // What an administrator of a namespace can grant counts there only, also by a role that it makes.
        let root = user(&mut anonymous, "root of shop").await;
        bind(&mut anonymous, "shop", "Admin", &root).await;
        let mut root = server.caller().await.with_key(&key_of(&mut anonymous, &root).await.1);
        role(&mut root, "shop", "everything", &["user.create", "apikey.create", "namespace.delete"]).await;
        bind(&mut root, "shop", "everything", &bob).await;
        let mut bob = server.caller().await.with_key(&key_of(&mut anonymous, &bob).await.1);
        for (path, body) in [
            ("users.create", json!({ "username": "eve" })),
            ("apikeys.create", json!({ "user_id": "anonymous" })),
            ("namespaces.delete", json!({ "name": "shop" })),
        ] {
            assert!(is_denied(&mut bob, path, body).await, "{path}");
        }
    });
}

#[test]
fn a_key_gives_no_more_than_the_standard_role_of_its_user() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for place in ["sho", "shop"] {
            namespace(&mut anonymous, place).await;
        }
        let (_, ann) = bound(&server, &mut anonymous, "Admin", "shop").await;
        role(&mut anonymous, "_system", "keys", &["apikey.create"]).await;
        let maker = user(&mut anonymous, "maker").await;
        bind(&mut anonymous, "_system", "keys", &maker).await;
        let mut maker = server.caller().await.with_key(&key_of(&mut anonymous, &maker).await.1);
        for scope in ["", "shop"] {
            let key = json!({ "user_id": ann, "namespace_scope": scope });
            let (code, message) = maker.rejection("/v1/apikeys.create", key).await;
            assert_eq!(code, 403);
            assert!(message.ends_with("which the new key would have"), "{message}");
        }
        let elsewhere = json!({ "user_id": ann, "namespace_scope": "sho" });
        let made = maker.ok("/v1/apikeys.create", elsewhere).await;
        let mut limited = server.caller().await.with_key(made["key"].as_str().unwrap());
        for place in ["sho", "shop", "_system"] {
            assert!(is_denied(&mut limited, "queues.list", json!({ "namespace": place })).await, "{place}");
        }
    });
}

#[test]
fn a_binding_of_a_standard_role_ends_in_its_namespace_only() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for place in ["bar", "shop"] {
            namespace(&mut anonymous, place).await;
        }
        let (mut ann, id) = bound(&server, &mut anonymous, "NamespaceOwner", "shop").await;
        bind(&mut anonymous, "bar", "NamespaceOwner", &id).await;
        for place in ["bar", "shop"] {
            assert!(!is_denied(&mut ann, "queues.list", json!({ "namespace": place })).await, "{place}");
        }
        let in_use = "namespace has role bindings; 'bar' has role bindings, delete role bindings first";
        let rejected = anonymous.rejection("/v1/namespaces.delete", json!({ "name": "bar" })).await;
        assert_eq!(rejected, (400, in_use.to_owned()));
        let binding = json!({ "namespace": "bar", "role_name": "NamespaceOwner", "user_id": id });
        anonymous.ok("/v1/rolebindings.delete", binding.clone()).await;
        assert!(is_denied(&mut ann, "queues.list", json!({ "namespace": "bar" })).await);
        assert!(!is_denied(&mut ann, "queues.list", json!({ "namespace": "shop" })).await, "the other one stays");
        assert_eq!(anonymous.json("/v1/rolebindings.delete", binding).await.rejection().0, 453);
        anonymous.ok("/v1/namespaces.delete", json!({ "name": "bar" })).await;
        // A new namespace of the same name has nothing of the earlier one.
        namespace(&mut anonymous, "bar").await;
        assert!(is_denied(&mut ann, "queues.list", json!({ "namespace": "bar" })).await);
    });
}

#[test]
fn a_binding_of_a_standard_role_survives_a_restart() {
    run(async {
        let mut server = server_with_auth(StoreKind::Journal).await;
        let mut anonymous = server.caller().await;
        namespace(&mut anonymous, "shop").await;
        let ann = user(&mut anonymous, "ann").await;
        bind(&mut anonymous, "shop", "NamespaceOwner", &ann).await;
        let (_, key) = key_of(&mut anonymous, &ann).await;
        server.restart().await;
        let mut caller = server.caller().await.with_key(&key);
        let who = caller.ok("/v1/whoami.get", json!({})).await;
        assert_eq!(who.get("permissions"), None, "in `_system`");
        let role = &who["roles"][0];
        assert_eq!((&role["namespace"], &role["name"]), (&json!("shop"), &json!("NamespaceOwner")));
        assert!(role["permissions"].as_array().unwrap().contains(&json!("letters.retry")), "{role}");
        caller.ok("/v1/queues.list", json!({ "namespace": "shop" })).await;
    });
}
