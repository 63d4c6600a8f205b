//! `whoami.*`: every caller can read its own identity, and what it may know of others.

use serde_json::{Value, json};

use super::on_each_store_with_auth;
use super::permissions::prefix;
use crate::harness::{Caller, on_each_store};
use crate::tenancy::{bind, key_of, namespace, role, user};

const GET: &str = "/v1/whoami.get";
const NAMESPACES: &str = "/v1/whoami.namespaces";
const NAMES: &str = "/v1/whoami.names";

fn names(list: &Value) -> Vec<&str> {
    list.as_array().map(|list| list.iter().map(|name| name.as_str().unwrap()).collect()).unwrap_or_default()
}

#[test]
fn without_authentication_every_caller_has_all_permissions() {
    on_each_store(async |server| {
        let answer = server.caller().await.ok(GET, json!({})).await;
        assert_eq!((&answer["auth"], &answer["username"]), (&json!("none"), &json!("anonymous")));
        assert_eq!(answer["namespace"], "_system");
        let permissions = names(&answer["permissions"]);
        assert!(
            ["queue.create", "letters.reveal", "audit.read", "user.delete"].iter().all(|p| permissions.contains(p))
        );
    });
}

#[test]
fn a_user_without_roles_learns_its_names_and_that_it_may_do_nothing() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        let (key_id, key) = key_of(&mut anonymous, &ann).await;
        let answer = server.caller().await.with_key(&key).ok(GET, json!({})).await;
        let expected = json!({ "auth": "internal", "user_id": ann, "username": "ann", "key_id": key_id,
            "key_prefix": prefix(&key), "namespace": "_system" });
        assert_eq!(answer, expected);
    });
}

#[test]
fn roles_and_permissions_are_those_of_the_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        for (name, permission) in [("shop", "queue.lease"), ("bar", "queue.clear"), ("_system", "user.list")] {
            if name != "_system" {
                namespace(&mut anonymous, name).await;
            }
            role(&mut anonymous, name, "clerk", &[permission]).await;
            bind(&mut anonymous, name, "clerk", &ann).await;
        }
        let body = json!({ "user_id": ann, "name": "ci", "expires_at": "2027-01-01T00:00:00Z" });
        let made = anonymous.ok("/v1/apikeys.create", body).await;
        let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
        let everywhere = caller.ok(GET, json!({})).await;
        assert_eq!(
            (&everywhere["key_name"], &everywhere["expires_at"]),
            (&json!("ci"), &json!("2027-01-01T00:00:00Z"))
        );
        assert_eq!(names(&everywhere["permissions"]), ["user.list"]);
        let roles = everywhere["roles"].as_array().unwrap();
        let roles: Vec<_> =
            roles.iter().map(|role| (role["namespace"].as_str().unwrap(), names(&role["permissions"]))).collect();
        assert_eq!(
            roles,
            [("_system", vec!["user.list"]), ("bar", vec!["queue.clear"]), ("shop", vec!["queue.lease"])]
        );
        let shop = caller.ok(GET, json!({ "namespace": "shop" })).await;
        assert_eq!(
            (&shop["namespace"], names(&shop["permissions"])),
            (&json!("shop"), vec!["queue.lease", "user.list"])
        );
        let unknown = caller.ok(GET, json!({ "namespace": "none" })).await;
        assert_eq!(names(&unknown["permissions"]), ["user.list"], "as in any namespace in which no role is bound");
    });
}

#[test]
fn a_limited_key_shows_only_the_roles_that_apply_in_its_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        for name in ["shop", "bar"] {
            namespace(&mut anonymous, name).await;
            role(&mut anonymous, name, name, &["queue.lease"]).await;
            bind(&mut anonymous, name, name, &ann).await;
        }
        bind(&mut anonymous, "_system", "PublicViewer", &ann).await;
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": ann, "namespace_scope": "shop" })).await;
        let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
        let answer = caller.ok(GET, json!({})).await;
        assert_eq!((&answer["namespace_scope"], &answer["namespace"]), (&json!("shop"), &json!("shop")));
        let roles: Vec<&Value> = answer["roles"].as_array().unwrap().iter().map(|role| &role["name"]).collect();
        assert_eq!(roles, ["PublicViewer", "shop"]);
        assert_eq!(names(&answer["permissions"]), ["queue.lease", "system.health", "system.metrics"]);
        let elsewhere = caller.ok(GET, json!({ "namespace": "bar" })).await;
        assert_eq!(names(&elsewhere["permissions"]), Vec::<&str>::new());
    });
}

#[test]
fn an_unknown_key_has_no_identity() {
    on_each_store_with_auth(async |server, _anonymous| {
        let mut caller = server.caller().await.with_key(&format!("rdr-live-{}", "a".repeat(43)));
        assert_eq!(caller.rejection(GET, json!({})).await, (401, "api key does not exist".to_owned()));
    });
}

/// A user, its roles by namespace, and the namespaces that it sees for a permission.
type UserCase = (&'static str, &'static [(&'static str, &'static str)], &'static [SeenCase]);
type SeenCase = (&'static str, &'static [&'static str]);

/// The namespaces in which a caller has a permission.
async fn namespaces(caller: &mut Caller, permission: &str) -> Vec<String> {
    let found = caller.ok(NAMESPACES, json!({ "permission": permission })).await;
    names(&found["namespaces"]).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_namespace_is_shown_to_callers_with_a_permission_in_it() {
    const ALL: [&str; 5] = ["_system", "bar", "sho", "shop", "shop2"];
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["bar", "sho", "shop", "shop2"] {
            namespace(&mut anonymous, name).await;
        }
        assert_eq!(namespaces(&mut anonymous, "queue.list").await, ALL);
        role(&mut anonymous, "shop", "lister", &["queue.list"]).await;
        role(&mut anonymous, "_system", "auditor", &["audit.read"]).await;
        let users: [UserCase; 5] = [
            ("nobody", &[], &[("", &[]), ("queue.list", &[])]),
            ("viewer", &[("_system", "PublicViewer")], &[("", &[]), ("queue.list", &[])]),
            (
                "one",
                &[("shop", "lister"), ("bar", "PublicViewer")],
                &[("", &["shop"]), ("queue.list", &["shop"]), ("audit.read", &[])],
            ),
            (
                "two",
                &[("shop", "lister"), ("sho", "Admin")],
                &[("queue.list", &["sho", "shop"]), ("user.list", &["sho"])],
            ),
            ("auditor", &[("_system", "auditor")], &[("audit.read", &ALL), ("queue.list", &[])]),
        ];
        for (name, roles, cases) in users {
            let id = user(&mut anonymous, name).await;
            for (place, role) in roles {
                bind(&mut anonymous, place, role, &id).await;
            }
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &id).await.1);
            for (permission, expected) in cases {
                assert_eq!(namespaces(&mut caller, permission).await, *expected, "{name}: {permission}");
            }
        }
        let unknown = anonymous.rejection(NAMESPACES, json!({ "permission": "queue.fly" })).await;
        assert_eq!(unknown, (400, "permission is invalid; 'queue.fly' is not a recognized permission".to_owned()));
        // Whoever has no key and no role learns nothing.
        let binding = json!({ "namespace": "_system", "role_name": "Admin", "user_id": "anonymous" });
        anonymous.ok("/v1/rolebindings.delete", binding).await;
        assert_eq!(namespaces(&mut anonymous, "").await, Vec::<String>::new());
    });
}

#[test]
fn a_limited_key_shows_only_its_namespace() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["bar", "shop"] {
            namespace(&mut anonymous, name).await;
        }
        let root = user(&mut anonymous, "root").await;
        bind(&mut anonymous, "_system", "Admin", &root).await;
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": root, "namespace_scope": "shop" })).await;
        let mut limited = server.caller().await.with_key(made["key"].as_str().unwrap());
        assert_eq!(namespaces(&mut limited, "queue.list").await, ["shop"]);
        assert_eq!(namespaces(&mut limited, "").await, ["shop"]);
        // Only who may list users knows one without a role in the namespace, and the key ends at its namespace.
        let asked = json!({ "namespace": "shop", "user_ids": ["anonymous", root] });
        assert_eq!(limited.ok(NAMES, asked).await, json!({ "users": { root: "root" } }), "it is the caller itself");
    });
}

#[test]
fn namespaces_are_listed_in_pages() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        for name in ["a", "b", "c", "d"] {
            namespace(&mut anonymous, name).await;
            bind(&mut anonymous, name, "NamespaceOwner", &ann).await;
        }
        let mut ann = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
        let page = json!({ "pivot": "b", "limit": 2 });
        assert_eq!(names(&anonymous.ok(NAMESPACES, json!({ "limit": 2 })).await["namespaces"]), ["_system", "a"]);
        assert_eq!(names(&anonymous.ok(NAMESPACES, page.clone()).await["namespaces"]), ["b", "c"]);
        assert_eq!(names(&ann.ok(NAMESPACES, page).await["namespaces"]), ["b", "c"]);
        assert_eq!(names(&ann.ok(NAMESPACES, json!({ "pivot": "bb" })).await["namespaces"]), ["c", "d"]);
    });
}

#[test]
fn names_of_users_and_roles_are_shown_to_those_who_may_know_them() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["sho", "shop"] {
            namespace(&mut anonymous, name).await;
        }
        let mut ids = Vec::new();
        for (name, place, role) in
            [("ann", "shop", "NamespaceOwner"), ("bob", "shop", "PublicViewer"), ("eve", "sho", "Admin")]
        {
            let id = user(&mut anonymous, name).await;
            bind(&mut anonymous, place, role, &id).await;
            ids.push(id);
        }
        let [ann, bob, eve] = &ids[..] else { unreachable!() };
        let clerk = role(&mut anonymous, "shop", "clerk", &[]).await;
        let of_sho = role(&mut anonymous, "sho", "clerk", &[]).await;
        let of_system = role(&mut anonymous, "_system", "secret", &[]).await;
        let bindings = anonymous.ok("/v1/rolebindings.list", json!({ "namespace": "shop" })).await;
        let owner = bindings["items"][0]["role_id"].clone();
        let long = "x".repeat(5_000);
        let asked = json!({ "namespace": "shop", "user_ids": [ann, bob, eve, "anonymous", "gone", long],
            "role_ids": [clerk, of_sho, of_system, owner, "gone"] });
        let roles = json!({ clerk.as_str(): "clerk", owner.as_str().unwrap(): "NamespaceOwner" });
        let everyone = json!({ ann.as_str(): "ann", bob.as_str(): "bob", eve.as_str(): "eve" });
        assert_eq!(anonymous.ok(NAMES, asked.clone()).await, json!({ "users": everyone, "roles": roles }));
        let colleagues = json!({ ann.as_str(): "ann", bob.as_str(): "bob" });
        for (id, expected) in [
            (ann, json!({ "users": colleagues, "roles": roles })),
            (bob, json!({ "users": { bob.as_str(): "bob" } })),
            (eve, json!({ "users": { eve.as_str(): "eve" } })),
        ] {
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, id).await.1);
            assert_eq!(caller.ok(NAMES, asked.clone()).await, expected, "{id}");
        }
        let many = json!({ "user_ids": vec!["x"; 501] });
        assert_eq!(anonymous.rejection(NAMES, many).await.0, 400);
    });
}
