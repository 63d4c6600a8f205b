//! What roles allow, and where.

use redrive_server::{AuthMode, Bootstrap, KeyScope, Settings};
use serde_json::{Value, json};

use super::each_closed;
use crate::bed::{Bed, Caller, Ground, bounded};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// Every call, with a request that is refused for nothing but a permission, and the permission that it needs.
fn calls() -> Vec<(&'static str, Value, &'static str)> {
    let queue = json!({ "queue_name": "q" });
    let settings = json!({
        "queue_name": "new", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
        "namespace": "shop",
    });
    let id = "000000000000000000000000000";
    vec![
        ("queue.produce", json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] }), "queue.produce"),
        ("queue.put", json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] }), "queue.produce"),
        (
            "queue.lease",
            json!({ "queue_name": "q", "request_timeout": "1m", "client_id": "c", "batch_size": 1 }),
            "queue.lease",
        ),
        ("queue.complete", json!({ "queue_name": "q", "request_timeout": "1m", "ids": [id] }), "queue.complete"),
        ("queue.retry", json!({ "queue_name": "q", "items": [{ "id": id }] }), "queue.retry"),
        ("queue.clear", json!({ "queue_name": "q", "queue": true }), "queue.clear"),
        ("queue.stats", queue.clone(), "queue.stats"),
        ("queue.reload", queue.clone(), "queue.update"),
        ("queue.pause", queue.clone(), "queue.update"),
        ("queue.resume", queue.clone(), "queue.update"),
        ("queues.create", settings.clone(), "queue.create"),
        ("queues.update", json!({ "queue_name": "q" }), "queue.update"),
        ("queues.list", json!({ "namespace": "shop" }), "queue.list"),
        ("queues.info", queue.clone(), "queue.stats"),
        ("storage/items.list", queue.clone(), "queue.stats"),
        ("storage/scheduled.list", queue.clone(), "queue.stats"),
        ("storage/damaged.list", queue.clone(), "queue.stats"),
        ("storage/items.import", json!({ "queue_name": "q", "items": [{}] }), "queue.produce"),
        ("storage/items.delete", json!({ "queue_name": "q", "ids": [id] }), "queue.clear"),
        ("letters.capture", json!({ "queue_name": "q", "letters": [{ "source_id": "s" }] }), "letters.enqueue"),
        ("letters.list", queue.clone(), "letters.read"),
        ("letters.get", json!({ "queue_name": "q", "id": id }), "letters.read"),
        ("letters.export", json!({ "queue_name": "q" }), "letters.export"),
        ("letters.groups", queue.clone(), "letters.read"),
        ("letters.explain", queue.clone(), "letters.read"),
        ("letters.retry", json!({ "queue_name": "q", "id": id }), "letters.retry"),
        ("letters.process", json!({ "queue_name": "q", "action": "start" }), "letters.configure"),
        ("letters.configure", json!({ "queue_name": "q", "set": { "max_size": "500" } }), "letters.configure"),
        ("letters.templates", queue.clone(), "letters.configure"),
        ("letters.preview", json!({ "queue_name": "q", "name": "none" }), "letters.configure"),
        ("letters.archive", json!({ "queue_name": "q", "ids": [id] }), "letters.archive"),
        ("letters.restore", json!({ "queue_name": "q", "ids": [id] }), "letters.archive"),
        ("letters.edit", json!({ "queue_name": "q", "id": id, "max_retries": 1 }), "letters.edit"),
        ("letters.annotate", json!({ "queue_name": "q", "id": id, "text": "t" }), "letters.edit"),
        ("letters.purge", json!({ "queue_name": "q", "ids": [id] }), "letters.clear"),
        ("search.status", json!({}), "letters.read"),
        ("search.rebuild", json!({}), "letters.configure"),
        ("search.restore", json!({}), "letters.configure"),
        ("queues.delete", queue, "queue.delete"),
        ("namespaces.create", json!({ "name": "new" }), "namespace.create"),
        ("namespaces.update", json!({ "name": "shop" }), "namespace.update"),
        ("namespaces.list", json!({}), "namespace.list"),
        ("namespaces.delete", json!({ "name": "gone" }), "namespace.delete"),
        ("users.create", json!({ "username": "new" }), "user.create"),
        ("users.list", json!({}), "user.list"),
        ("users.delete", json!({ "id": "gone" }), "user.delete"),
        ("apikeys.create", json!({ "user_id": "gone" }), "apikey.create"),
        ("apikeys.list", json!({}), "apikey.list"),
        ("apikeys.delete", json!({ "id": "gone" }), "apikey.delete"),
        ("roles.create", json!({ "namespace": "shop", "name": "new" }), "role.create"),
        ("roles.update", json!({ "namespace": "shop", "name": "new" }), "role.update"),
        ("roles.list", json!({ "namespace": "shop" }), "role.list"),
        ("roles.delete", json!({ "namespace": "shop", "name": "gone" }), "role.delete"),
        (
            "rolebindings.create",
            json!({ "namespace": "shop", "role_name": "gone", "user_id": "u" }),
            "rolebinding.create",
        ),
        ("rolebindings.list", json!({ "namespace": "shop" }), "rolebinding.list"),
        (
            "rolebindings.delete",
            json!({ "namespace": "shop", "role_name": "gone", "user_id": "u" }),
            "rolebinding.delete",
        ),
    ]
}

/// A namespace with a queue in it.
async fn shop(bed: &Bed) -> Caller {
    let mut anybody = bed.caller().await;
    namespace(&mut anybody, "shop").await;
    let queue = json!({
        "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
        "namespace": "shop",
    });
    anybody.ok("/v1/queues.create", queue).await;
    let items = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}, {}, {}] });
    anybody.ok("/v1/queue.produce", items).await;
    anybody
}

fn denied() -> (u16, String) {
    (403, "access denied".to_owned())
}

async fn is_denied(caller: &mut Caller, path: &str, body: Value) -> bool {
    let heard = caller.json(&format!("/v1/{path}"), body).await;
    let is_denied = heard.status.as_u16() == 403;
    if is_denied {
        assert_eq!(heard.refusal(), denied());
    }
    is_denied
}

#[tokio::test]
async fn a_queue_with_letters_that_is_missing_is_not_found_by_whoever_shows_a_key_either() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        let ann = user(&mut anybody, "ann").await;
        let (_, key) = key_of(&mut anybody, &ann).await;
        let mut caller = bed.caller().await.with_key(&key);
        for (path, mut body, _) in calls() {
            if path.starts_with("letters.") {
                body["queue_name"] = json!("nowhere");
                let heard = caller.json(&format!("/v1/{path}"), body).await;
                assert_eq!(heard.status.as_u16(), 404, "{path}");
                assert_eq!(heard.value()["details"]["reason"], "not_found", "{path}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_has_no_role_may_do_nothing() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        let ann = user(&mut anybody, "ann").await;
        let (_, key) = key_of(&mut anybody, &ann).await;
        let mut caller = bed.caller().await.with_key(&key);
        for (path, body, _) in calls() {
            assert!(is_denied(&mut caller, path, body).await, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn each_call_needs_its_own_permission_and_no_other() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        let ann = user(&mut anybody, "ann").await;
        let (_, key) = key_of(&mut anybody, &ann).await;
        role(&mut anybody, "_system", "one", &[]).await;
        bind(&mut anybody, "_system", "one", &ann).await;
        let mut caller = bed.caller().await.with_key(&key);
        let roles = anybody.ok("/v1/roles.list", json!({ "namespace": "_system" })).await;
        let admin = roles["items"].as_array().unwrap().iter().find(|role| role["name"] == "Admin").unwrap();
        let mut all: Vec<String> = serde_json::from_value(admin["permissions"].clone()).unwrap();
        let implied = calls().into_iter().map(|(_, _, needed)| needed).filter(|needed| needed.starts_with("letters."));
        all.extend(implied.map(str::to_owned));
        all.sort();
        all.dedup();
        for (path, body, needed) in calls() {
            let others: Vec<&String> = all.iter().filter(|permission| *permission != needed).collect();
            assert_eq!(others.len() + 1, all.len(), "{needed}");
            let update = json!({ "namespace": "_system", "name": "one", "permissions": others });
            anybody.ok("/v1/roles.update", update).await;
            assert!(is_denied(&mut caller, path, body.clone()).await, "{path} needs {needed}");
            let update = json!({ "namespace": "_system", "name": "one", "permissions": [needed] });
            anybody.ok("/v1/roles.update", update).await;
            assert!(!is_denied(&mut caller, path, body).await, "{path} needs {needed} alone");
        }
    })
    .await;
}

#[tokio::test]
async fn standard_roles_grant_the_permissions_of_letters_that_they_do_not_list() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        for (name, grants) in [("Admin", true), ("NamespaceOwner", true), ("PublicViewer", false)] {
            let ann = user(&mut anybody, &format!("ann, {name}")).await;
            bind(&mut anybody, "_system", name, &ann).await;
            let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
            for (path, body, _) in calls().into_iter().filter(|(_, _, needed)| needed.starts_with("letters.")) {
                assert_eq!(is_denied(&mut caller, path, body).await, !grants, "{name}: {path}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_role_in_one_namespace_allows_nothing_in_another() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        namespace(&mut anybody, "bar").await;
        role(&mut anybody, "bar", "all", &["queue.stats", "role.list", "user.list"]).await;
        role(&mut anybody, "shop", "all", &["queue.stats", "role.list", "user.list"]).await;
        let (ann, bob) = (user(&mut anybody, "ann").await, user(&mut anybody, "bob").await);
        bind(&mut anybody, "bar", "all", &ann).await;
        bind(&mut anybody, "shop", "all", &bob).await;
        let mut ann = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
        let mut bob = bed.caller().await.with_key(&key_of(&mut anybody, &bob).await.1);
        assert!(is_denied(&mut ann, "queue.stats", json!({ "queue_name": "q" })).await);
        assert!(!is_denied(&mut bob, "queue.stats", json!({ "queue_name": "q" })).await);
        assert!(is_denied(&mut ann, "roles.list", json!({ "namespace": "shop" })).await);
        assert!(!is_denied(&mut ann, "roles.list", json!({ "namespace": "bar" })).await);
        // What is checked in `_system` is not allowed by a role elsewhere.
        assert!(is_denied(&mut ann, "users.list", json!({})).await);
        assert!(is_denied(&mut ann, "roles.list", json!({})).await, "an empty namespace is `_system`");
    })
    .await;
}

/// A caller with a key for `bar` alone, whose user is an admin of everything.
async fn scoped_admin(bed: &Bed) -> Caller {
    let mut anybody = shop(bed).await;
    namespace(&mut anybody, "bar").await;
    let root = user(&mut anybody, "root").await;
    bind(&mut anybody, "_system", "Admin", &root).await;
    let made = anybody.ok("/v1/apikeys.create", json!({ "user_id": root, "namespace_scope": "bar" })).await;
    let mut caller = bed.caller().await.with_key(made["key"].as_str().unwrap());
    assert!(is_denied(&mut caller, "queue.stats", json!({ "queue_name": "q" })).await);
    assert!(is_denied(&mut caller, "roles.list", json!({ "namespace": "shop" })).await);
    assert!(!is_denied(&mut caller, "roles.list", json!({ "namespace": "bar" })).await);
    let unscoped = json!({ "user_id": root });
    assert!(is_denied(&mut caller, "apikeys.create", unscoped).await, "it does not make itself a better one");
    caller
}

#[tokio::test]
async fn a_key_for_one_namespace_does_nothing_outside_it() {
    each_closed(async |bed| {
        let mut caller = scoped_admin(&bed).await;
        for path in ["users.list", "apikeys.list", "namespaces.list"] {
            assert!(is_denied(&mut caller, path, json!({})).await, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_for_one_namespace_is_good_in_the_systems_where_the_server_is_as_querator() {
    bounded(async {
        let listen = ([127, 0, 0, 1], 0).into();
        let key_scope = KeyScope::Querator;
        let settings = Settings {
            listen,
            auth: AuthMode::Internal,
            bootstrap: Bootstrap::Anonymous,
            key_scope,
            ..Settings::default()
        };
        let bed = Bed::with(Ground::Memory, settings).await;
        let mut caller = scoped_admin(&bed).await;
        assert!(!is_denied(&mut caller, "users.list", json!({})).await);
    })
    .await;
}

#[tokio::test]
async fn nobody_grants_what_they_do_not_hold() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        role(&mut anybody, "shop", "keeper", &["role.create", "role.update", "rolebinding.create", "queue.stats"])
            .await;
        role(&mut anybody, "shop", "all", &["role.create", "queue.stats", "queue.clear"]).await;
        role(&mut anybody, "_system", "keys", &["apikey.create"]).await;
        let (keeper, other) = (user(&mut anybody, "keeper").await, user(&mut anybody, "other").await);
        bind(&mut anybody, "shop", "keeper", &keeper).await;
        bind(&mut anybody, "_system", "keys", &keeper).await;
        bind(&mut anybody, "shop", "all", &other).await;
        let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &keeper).await.1);
        let refusal = |permission: &str, place: &str| {
            (403, format!("access denied; '{permission}' in '{place}' is granted by those alone who hold it"))
        };
        let beyond = refusal("queue.clear", "shop");
        let wish =
            |name: &str, permissions: &[&str]| json!({ "namespace": "shop", "name": name, "permissions": permissions });
        assert_eq!(caller.refused("/v1/roles.create", wish("more", &["queue.stats", "queue.clear"])).await, beyond);
        caller.ok("/v1/roles.create", wish("less", &["queue.stats"])).await;
        assert_eq!(caller.refused("/v1/roles.update", wish("less", &["queue.clear"])).await, beyond);
        let binding = |role: &str| json!({ "namespace": "shop", "role_name": role, "user_id": keeper });
        assert_eq!(caller.refused("/v1/rolebindings.create", binding("all")).await, beyond);
        caller.ok("/v1/rolebindings.create", binding("less")).await;
        // A key of somebody who may do more would do it for whoever made it.
        for scope in ["", "shop"] {
            let key = json!({ "user_id": other, "namespace_scope": scope });
            assert_eq!(caller.refused("/v1/apikeys.create", key).await, beyond, "scope '{scope}'");
        }
        caller.ok("/v1/apikeys.create", json!({ "user_id": other, "namespace_scope": "elsewhere" })).await;
        caller.ok("/v1/apikeys.create", json!({ "user_id": keeper })).await;
    })
    .await;
}

#[tokio::test]
async fn a_missing_queue_is_told_before_a_missing_permission_and_a_missing_role_is_not() {
    each_closed(async |bed| {
        let mut anybody = shop(&bed).await;
        let ann = user(&mut anybody, "ann").await;
        let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
        let missing = (400, "queue does not exist; no such queue named 'gone'".to_owned());
        assert_eq!(caller.json("/v1/queue.stats", json!({ "queue_name": "gone" })).await.refusal(), missing);
        assert_eq!(caller.json("/v1/queues.delete", json!({ "queue_name": "gone" })).await.refusal(), missing);
        for path in ["/v1/roles.delete", "/v1/roles.update"] {
            let role = json!({ "namespace": "gone", "name": "gone" });
            assert_eq!(caller.json(path, role).await.refusal(), denied());
        }
        let standard = json!({ "namespace": "_system", "name": "Admin" });
        assert_eq!(caller.json("/v1/roles.delete", standard.clone()).await.refusal(), denied());
        assert_eq!(caller.json("/v1/roles.create", standard).await.refusal(), denied());
        let binding = json!({ "namespace": "gone", "role_name": "gone", "user_id": "gone" });
        assert_eq!(caller.json("/v1/rolebindings.create", binding).await.refusal(), denied());
        // The form of a request is looked at before who sent it.
        let bad = caller.json("/v1/roles.create", json!({})).await.refusal();
        assert_eq!(bad, (400, "namespace is invalid; cannot be empty".to_owned()));
        let bad = caller.json("/v1/namespaces.create", json!({ "name": "_x" })).await.refusal();
        assert_eq!(bad, denied(), "reserved names come after the permission");
        let bad = caller.json("/v1/users.list", json!({ "limit": -1 })).await.refusal();
        assert_eq!(bad, denied());
    })
    .await;
}
