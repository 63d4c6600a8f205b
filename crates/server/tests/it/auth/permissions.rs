//! The permission that each call needs, and the namespaces in which a role grants it.

use redrive_server::{KeyScope, Settings};
use serde_json::{Value, json};

use super::{anonymous_settings, on_each_store_with_auth};
use crate::harness::{Caller, TestServer, queue_settings, with_settings};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// Every call, with a request that can be rejected only for a missing permission, and the permission that it needs.
pub(super) fn calls() -> Vec<(&'static str, Value, &'static str)> {
    let queue = json!({ "queue_name": "q" });
    let settings = queue_settings("new", json!({ "namespace": "shop" }));
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
        ("letters.runs", queue.clone(), "letters.read"),
        ("letters.run", json!({ "queue_name": "q", "id": "gone" }), "letters.read"),
        ("letters.retry", json!({ "queue_name": "q", "id": id }), "letters.retry"),
        ("letters.process", json!({ "queue_name": "q", "action": "start" }), "letters.configure"),
        ("letters.configure", json!({ "queue_name": "q", "set": { "max_size": "500" } }), "letters.configure"),
        ("letters.templates", queue.clone(), "letters.configure"),
        ("letters.preview", json!({ "queue_name": "q", "name": "none" }), "letters.configure"),
        ("letters.archive", json!({ "queue_name": "q", "ids": [id] }), "letters.archive"),
        ("letters.restore", json!({ "queue_name": "q", "ids": [id] }), "letters.archive"),
        ("letters.resume", json!({ "queue_name": "q", "ids": [id] }), "letters.retry"),
        ("letters.edit", json!({ "queue_name": "q", "id": id, "max_retries": 1 }), "letters.edit"),
        ("letters.annotate", json!({ "queue_name": "q", "id": id, "text": "t" }), "letters.edit"),
        ("letters.purge", json!({ "queue_name": "q", "ids": [id] }), "letters.clear"),
        ("audit.list", json!({ "namespace": "shop" }), "audit.read"),
        ("status.get", json!({ "namespace": "shop" }), "queue.stats"),
        ("status.queues", json!({ "queue_name": "q" }), "queue.stats"),
        ("routes.list", json!({ "namespace": "shop" }), "routes.read"),
        ("routes.get", json!({ "namespace": "shop", "name": "gone" }), "routes.read"),
        ("routes.create", json!({ "namespace": "shop", "name": "new" }), "routes.write"),
        ("routes.update", json!({ "namespace": "shop", "name": "gone" }), "routes.write"),
        ("routes.delete", json!({ "namespace": "shop", "name": "gone" }), "routes.write"),
        ("routes.control", json!({ "namespace": "shop", "name": "gone", "action": "stop" }), "routes.write"),
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

/// Creates the namespace `shop` with the queue `q`, which has three items.
async fn shop(anonymous: &mut Caller) {
    namespace(anonymous, "shop").await;
    anonymous.create("q", json!({ "namespace": "shop" })).await;
    anonymous.produce_many("q", 3).await;
}

fn denied() -> (u16, String) {
    (403, "access denied".to_owned())
}

pub(super) async fn is_denied(caller: &mut Caller, path: &str, body: Value) -> bool {
    let response = caller.json(&format!("/v1/{path}"), body).await;
    let is_denied = response.status.as_u16() == 403;
    if is_denied {
        assert_eq!(response.stable_rejection(), denied());
    }
    is_denied
}

/// The part of a key that the server shows.
pub(super) fn prefix(key: &str) -> &str {
    &key[..key.rfind('-').unwrap() + 1 + 8]
}

/// The permissions that standard roles grant without listing them.
fn is_implied(permission: &str) -> bool {
    ["letters.", "audit.", "routes."].iter().any(|noun| permission.starts_with(noun))
}

#[test]
fn a_missing_queue_is_not_found_in_letter_calls_even_without_permission() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        let ann = user(&mut anonymous, "ann").await;
        let (_, key) = key_of(&mut anonymous, &ann).await;
        let mut caller = server.caller().await.with_key(&key);
        for (path, mut body, _) in calls() {
            if path.starts_with("letters.") {
                body["queue_name"] = json!("nowhere");
                let response = caller.json(&format!("/v1/{path}"), body).await;
                assert_eq!(response.status.as_u16(), 404, "{path}");
                assert_eq!(response.value()["details"]["reason"], "not_found", "{path}");
            }
        }
    });
}

#[test]
fn a_user_without_a_role_may_do_nothing() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        let ann = user(&mut anonymous, "ann").await;
        let (_, key) = key_of(&mut anonymous, &ann).await;
        let prefix = prefix(&key);
        let mut caller = server.caller().await.with_key(&key);
        for (path, body, needed) in calls() {
            let (code, message) = caller.json(&format!("/v1/{path}"), body).await.rejection();
            assert_eq!(code, 403, "{path}");
            let expected =
                format!("access denied; user 'ann' with the API key '{prefix}' lacks the permission '{needed}'");
            assert_eq!(message, format!("{expected} for this request"), "{path}");
        }
    });
}

#[test]
fn each_call_needs_its_own_permission_and_no_other() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        let ann = user(&mut anonymous, "ann").await;
        let (_, key) = key_of(&mut anonymous, &ann).await;
        role(&mut anonymous, "_system", "one", &[]).await;
        bind(&mut anonymous, "_system", "one", &ann).await;
        let mut caller = server.caller().await.with_key(&key);
        let roles = anonymous.ok("/v1/roles.list", json!({ "namespace": "_system" })).await;
        let admin = roles["items"].as_array().unwrap().iter().find(|role| role["name"] == "Admin").unwrap();
        let mut all: Vec<String> = serde_json::from_value(admin["permissions"].clone()).unwrap();
        let implied = calls().into_iter().map(|(_, _, needed)| needed).filter(|needed| is_implied(needed));
        all.extend(implied.map(str::to_owned));
        all.sort();
        all.dedup();
        for (path, body, needed) in calls() {
            let others: Vec<&String> = all.iter().filter(|permission| *permission != needed).collect();
            assert_eq!(others.len() + 1, all.len(), "{needed}");
            let update = json!({ "namespace": "_system", "name": "one", "permissions": others });
            anonymous.ok("/v1/roles.update", update).await;
            assert!(is_denied(&mut caller, path, body.clone()).await, "{path} needs {needed}");
            let update = json!({ "namespace": "_system", "name": "one", "permissions": [needed] });
            anonymous.ok("/v1/roles.update", update).await;
            assert!(!is_denied(&mut caller, path, body).await, "{path} needs {needed} alone");
        }
    });
}

#[test]
fn standard_roles_grant_letter_permissions_without_listing_them() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        for (name, grants) in [("Admin", true), ("NamespaceOwner", true), ("PublicViewer", false)] {
            let ann = user(&mut anonymous, &format!("ann, {name}")).await;
            bind(&mut anonymous, "_system", name, &ann).await;
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
            for (path, body, _) in calls().into_iter().filter(|(_, _, needed)| needed.starts_with("letters.")) {
                assert_eq!(is_denied(&mut caller, path, body).await, !grants, "{name}: {path}");
            }
        }
    });
}

#[test]
fn a_role_grants_nothing_in_another_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        namespace(&mut anonymous, "bar").await;
        role(&mut anonymous, "bar", "all", &["queue.stats", "role.list", "user.list"]).await;
        role(&mut anonymous, "shop", "all", &["queue.stats", "role.list", "user.list"]).await;
        let (ann, bob) = (user(&mut anonymous, "ann").await, user(&mut anonymous, "bob").await);
        bind(&mut anonymous, "bar", "all", &ann).await;
        bind(&mut anonymous, "shop", "all", &bob).await;
        let mut ann = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
        let mut bob = server.caller().await.with_key(&key_of(&mut anonymous, &bob).await.1);
        assert!(is_denied(&mut ann, "queue.stats", json!({ "queue_name": "q" })).await);
        assert!(!is_denied(&mut bob, "queue.stats", json!({ "queue_name": "q" })).await);
        assert!(is_denied(&mut ann, "roles.list", json!({ "namespace": "shop" })).await);
        assert!(!is_denied(&mut ann, "roles.list", json!({ "namespace": "bar" })).await);
        // A role in another namespace does not grant a permission that is checked in `_system`.
        assert!(is_denied(&mut ann, "users.list", json!({})).await);
        assert!(is_denied(&mut ann, "roles.list", json!({})).await, "an empty namespace is `_system`");
    });
}

#[test]
fn a_put_that_completes_an_item_needs_a_permission_in_both_queues() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        namespace(&mut anonymous, "bar").await;
        anonymous.create("letters", json!({ "namespace": "bar" })).await;
        let claim = json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m" });
        let held = anonymous.ok("/v1/queue.claim", claim).await["items"][0]["id"].clone();
        let put = json!({
            "queue_name": "letters", "request_timeout": "1m", "items": [{}],
            "completes": { "queue_name": "q", "id": held },
        });
        role(&mut anonymous, "shop", "completes", &["queue.complete"]).await;
        role(&mut anonymous, "shop", "others", &["queue.produce", "queue.lease", "queue.retry"]).await;
        role(&mut anonymous, "bar", "produces", &["queue.produce"]).await;
        for (roles, is_allowed) in [
            (vec![("bar", "produces")], false),
            (vec![("shop", "completes")], false),
            (vec![("bar", "produces"), ("shop", "others")], false),
            (vec![("bar", "produces"), ("shop", "completes")], true),
        ] {
            let ann = user(&mut anonymous, &format!("{roles:?}")).await;
            for (namespace, role) in &roles {
                bind(&mut anonymous, namespace, role, &ann).await;
            }
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
            assert_eq!(!is_denied(&mut caller, "queue.put", put.clone()).await, is_allowed, "{roles:?}");
        }
        assert_eq!(anonymous.counts("letters").await, [(1, 0, 0)], "a denied request stores nothing");
        assert_eq!(anonymous.counts("q").await, [(2, 0, 0)]);
    });
}

/// A caller with a key whose scope is the namespace `bar`, and whose user is an administrator of all namespaces.
async fn scoped_admin(server: &TestServer, anonymous: &mut Caller) -> Caller {
    shop(anonymous).await;
    namespace(anonymous, "bar").await;
    let root = user(anonymous, "root").await;
    bind(anonymous, "_system", "Admin", &root).await;
    let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": root, "namespace_scope": "bar" })).await;
    let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
    assert!(is_denied(&mut caller, "queue.stats", json!({ "queue_name": "q" })).await);
    assert!(is_denied(&mut caller, "roles.list", json!({ "namespace": "shop" })).await);
    assert!(!is_denied(&mut caller, "roles.list", json!({ "namespace": "bar" })).await);
    let unscoped = json!({ "user_id": root });
    assert!(is_denied(&mut caller, "apikeys.create", unscoped).await, "a scoped key cannot create an unscoped one");
    caller
}

#[test]
fn a_scoped_key_is_denied_outside_its_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let mut caller = scoped_admin(&server, &mut anonymous).await;
        for path in ["users.list", "apikeys.list", "namespaces.list"] {
            assert!(is_denied(&mut caller, path, json!({})).await, "{path}");
        }
    });
}

#[test]
fn a_scoped_key_is_valid_in_the_system_namespace_with_querators_key_scope() {
    let settings = Settings { key_scope: KeyScope::Querator, ..anonymous_settings() };
    with_settings(settings, async |server, mut anonymous| {
        let mut caller = scoped_admin(&server, &mut anonymous).await;
        assert!(!is_denied(&mut caller, "users.list", json!({})).await);
    });
}

#[test]
fn a_caller_cannot_grant_permissions_it_does_not_hold() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        role(&mut anonymous, "shop", "keeper", &["role.create", "role.update", "rolebinding.create", "queue.stats"])
            .await;
        role(&mut anonymous, "shop", "all", &["role.create", "queue.stats", "queue.clear"]).await;
        role(&mut anonymous, "_system", "keys", &["apikey.create"]).await;
        let (keeper, other) = (user(&mut anonymous, "keeper").await, user(&mut anonymous, "other").await);
        bind(&mut anonymous, "shop", "keeper", &keeper).await;
        bind(&mut anonymous, "_system", "keys", &keeper).await;
        bind(&mut anonymous, "shop", "all", &other).await;
        let (_, key) = key_of(&mut anonymous, &keeper).await;
        let mut caller = server.caller().await.with_key(&key);
        let who = format!("user 'keeper' with the API key '{}'", prefix(&key));
        let beyond = (403, format!("access denied; {who} lacks 'queue.clear' in 'shop', and cannot grant it"));
        let wish =
            |name: &str, permissions: &[&str]| json!({ "namespace": "shop", "name": name, "permissions": permissions });
        assert_eq!(caller.rejection("/v1/roles.create", wish("more", &["queue.stats", "queue.clear"])).await, beyond);
        caller.ok("/v1/roles.create", wish("less", &["queue.stats"])).await;
        assert_eq!(caller.rejection("/v1/roles.update", wish("less", &["queue.clear"])).await, beyond);
        let binding = |role: &str| json!({ "namespace": "shop", "role_name": role, "user_id": keeper });
        assert_eq!(caller.rejection("/v1/rolebindings.create", binding("all")).await, beyond);
        caller.ok("/v1/rolebindings.create", binding("less")).await;
        // With a key of a user with more permissions, the caller would gain those permissions.
        for scope in ["", "shop"] {
            let key = json!({ "user_id": other, "namespace_scope": scope });
            let lacking = (403, format!("access denied; {who} lacks 'queue.clear', which the new key would have"));
            assert_eq!(caller.rejection("/v1/apikeys.create", key).await, lacking, "scope '{scope}'");
        }
        caller.ok("/v1/apikeys.create", json!({ "user_id": other, "namespace_scope": "elsewhere" })).await;
        caller.ok("/v1/apikeys.create", json!({ "user_id": keeper })).await;
    });
}

#[test]
fn a_missing_queue_is_reported_before_a_missing_permission_and_a_missing_role_after_it() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop(&mut anonymous).await;
        let ann = user(&mut anonymous, "ann").await;
        let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
        let missing = (400, "queue does not exist; no such queue named 'gone'".to_owned());
        assert_eq!(caller.json("/v1/queue.stats", json!({ "queue_name": "gone" })).await.rejection(), missing);
        assert_eq!(caller.json("/v1/queues.delete", json!({ "queue_name": "gone" })).await.rejection(), missing);
        for path in ["/v1/roles.delete", "/v1/roles.update"] {
            let role = json!({ "namespace": "gone", "name": "gone" });
            assert_eq!(caller.json(path, role).await.stable_rejection(), denied());
        }
        let standard = json!({ "namespace": "_system", "name": "Admin" });
        assert_eq!(caller.json("/v1/roles.delete", standard.clone()).await.stable_rejection(), denied());
        assert_eq!(caller.json("/v1/roles.create", standard).await.stable_rejection(), denied());
        let binding = json!({ "namespace": "gone", "role_name": "gone", "user_id": "gone" });
        assert_eq!(caller.json("/v1/rolebindings.create", binding).await.stable_rejection(), denied());
        // The request is validated before the permission is checked.
        let bad = caller.json("/v1/roles.create", json!({})).await.rejection();
        assert_eq!(bad, (400, "namespace is invalid; cannot be empty".to_owned()));
        let bad = caller.json("/v1/namespaces.create", json!({ "name": "_x" })).await.stable_rejection();
        assert_eq!(bad, denied(), "reserved names are checked after the permission");
        let bad = caller.json("/v1/users.list", json!({ "limit": -1 })).await.stable_rejection();
        assert_eq!(bad, denied());
    });
}
