//! `whoami.get`: every caller can read its own identity.

use serde_json::{Value, json};

use super::on_each_store_with_auth;
use super::permissions::prefix;
use crate::harness::on_each_store;
use crate::tenancy::{bind, key_of, namespace, role, user};

const GET: &str = "/v1/whoami.get";

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
