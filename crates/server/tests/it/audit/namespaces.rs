//! Callers of one namespace see its audit records and no others.

use redrive_core::Span;
use serde_json::{Value, json};

use super::list::{LIST, actions, listed};
use super::records;
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, TestServer, on_each_store_with_caller, queue_settings};
use crate::tenancy::{bind, key_of, namespace, role, user};

fn queue(name: &str, namespace: &str) -> Value {
    queue_settings(name, json!({ "namespace": namespace }))
}

/// Creates the namespaces `a` and `b`, and a user of each that may create queues and read the audit log there.
async fn two_auditors(server: &TestServer, admin: &mut Caller) -> (Caller, Caller) {
    let mut auditors = Vec::new();
    for name in ["a", "b"] {
        namespace(admin, name).await;
        auditors.push(auditor(server, admin, name).await);
    }
    let b = auditors.pop().unwrap();
    (auditors.pop().unwrap(), b)
}

async fn auditor(server: &TestServer, admin: &mut Caller, namespace: &str) -> Caller {
    let id = user(admin, &format!("auditor of {namespace}")).await;
    role(admin, namespace, "auditor", &["audit.read", "queue.create", "queue.delete"]).await;
    bind(admin, namespace, "auditor", &id).await;
    server.caller().await.with_key(&key_of(admin, &id).await.1)
}

fn in_namespace(name: &str) -> Value {
    json!({ "namespace": name })
}

#[test]
fn a_namespace_sees_its_own_records_only() {
    on_each_store_with_auth(async |server, mut admin| {
        let (mut a, mut b) = two_auditors(&server, &mut admin).await;
        a.ok("/v1/queues.create", queue("orders-a", "a")).await;
        b.ok("/v1/queues.create", queue("orders-b", "b")).await;
        let setup = ["roles.create", "rolebindings.create"];
        for (caller, own, name) in [(&mut a, "a", "orders-a"), (&mut b, "b", "orders-b")] {
            let mut seen = listed(caller, in_namespace(own)).await;
            seen.reverse();
            assert_eq!(actions(&seen), [&setup[..], &["queues.create"]].concat(), "{own}");
            assert_eq!(seen[2]["targets"], json!([{ "kind": "queue", "name": name }]));
            assert!(seen.iter().all(|record| record["namespace"] == own), "{seen:?}");
        }
        let whole = actions(&listed(&mut admin, json!({})).await).len();
        assert!(whole > 10, "the whole log has the records of both: {whole}");
        assert_eq!(listed(&mut admin, in_namespace("a")).await.len(), 3);
    });
}

#[test]
fn the_log_of_another_namespace_and_the_whole_log_are_denied() {
    on_each_store_with_auth(async |server, mut admin| {
        let (mut a, _) = two_auditors(&server, &mut admin).await;
        let denied = a.rejection(LIST, in_namespace("b")).await;
        assert!(denied.1.contains("lacks the permission 'audit.read' for this request"), "{}", denied.1);
        assert_eq!(denied.0, 403);
        assert_eq!(a.rejection(LIST, in_namespace("none")).await, denied, "whether it exists is not revealed");
        assert_eq!(a.rejection(LIST, in_namespace("_system")).await, denied);
        assert_eq!(a.rejection(LIST, json!({})).await, denied);
        let stored = json!({ "namespace": "a", "stored": true });
        assert_eq!(a.rejection(LIST, stored).await, denied, "a stored record has a hash of another namespace's");
    });
}

#[test]
fn the_log_of_all_namespaces_has_those_in_which_the_caller_may_read_it() {
    on_each_store_with_auth(async |server, mut admin| {
        let (mut a, mut b) = two_auditors(&server, &mut admin).await;
        namespace(&mut admin, "c").await;
        let both = user(&mut admin, "auditor of both").await;
        bind(&mut admin, "a", "auditor", &both).await;
        bind(&mut admin, "b", "Admin", &both).await;
        bind(&mut admin, "c", "NamespaceOwner", &both).await;
        let mut both = server.caller().await.with_key(&key_of(&mut admin, &both).await.1);
        a.ok("/v1/queues.create", queue("orders-a", "a")).await;
        b.ok("/v1/queues.create", queue("orders-b", "b")).await;
        let all = json!({ "all_namespaces": true });
        for (caller, expected) in [(&mut a, &["a"][..]), (&mut b, &["b"]), (&mut both, &["a", "b"])] {
            let seen = listed(caller, all.clone()).await;
            let mut of: Vec<&str> = seen.iter().map(|record| record["namespace"].as_str().unwrap()).collect();
            of.sort_unstable();
            of.dedup();
            assert_eq!(of, expected);
            assert!(seen.iter().all(|record| record.get("previous").is_none()), "{seen:?}");
        }
        let (whole, seen) = (listed(&mut admin, json!({})).await, listed(&mut admin, all.clone()).await);
        assert_eq!(seen, whole, "with the permission in `_system`");
        let none = user(&mut admin, "nobody").await;
        let mut none = server.caller().await.with_key(&key_of(&mut admin, &none).await.1);
        assert_eq!(none.rejection(LIST, all).await.0, 403);
        let contradiction = json!({ "all_namespaces": true, "namespace": "a" });
        let message = "namespace is invalid; must be empty with all_namespaces";
        assert_eq!(a.rejection(LIST, contradiction).await, (400, message.to_owned()));
        let stored = json!({ "all_namespaces": true, "stored": true });
        assert_eq!(both.rejection(LIST, stored).await.0, 403, "a stored record has a hash of another namespace's");
        let newest = admin.ok(LIST, json!({ "limit": 1 })).await["records"][0]["id"].clone();
        let by_id = json!({ "all_namespaces": true, "id": newest });
        assert_eq!(a.ok(LIST, by_id).await, json!({}), "it is of another namespace");
    });
}

#[test]
fn a_record_of_another_namespace_cannot_be_read_by_its_id() {
    on_each_store_with_auth(async |server, mut admin| {
        let (mut a, mut b) = two_auditors(&server, &mut admin).await;
        b.ok("/v1/queues.create", queue("orders-b", "b")).await;
        let newest = admin.ok(LIST, json!({ "limit": 1 })).await["records"][0].clone();
        assert_eq!(newest["namespace"], "b");
        let by_id = json!({ "namespace": "a", "id": newest["id"] });
        assert_eq!(a.ok(LIST, by_id.clone()).await, json!({}));
        let missing = json!({ "namespace": "a", "id": "3M928yx0UrfVbDwCKPpjAHbKnmG-1" });
        assert_eq!(a.ok(LIST, missing).await, json!({}), "as if it did not exist");
        let own = json!({ "namespace": "b", "id": newest["id"] });
        let own = b.ok(LIST, own).await["records"][0].clone();
        assert_eq!(own["action"], "queues.create");
        assert_eq!(own.get("previous"), None, "the previous record is of another namespace");
        assert!(newest["previous"].as_str().is_some_and(|hash| hash.len() == 64));
    });
}

#[test]
fn a_denied_act_is_in_the_log_of_the_namespace_that_it_was_about() {
    on_each_store_with_auth(async |server, mut admin| {
        let (mut a, mut b) = two_auditors(&server, &mut admin).await;
        b.ok("/v1/queues.create", queue("orders-b", "b")).await;
        assert_eq!(a.rejection("/v1/queues.delete", json!({ "queue_name": "orders-b" })).await.0, 403);
        assert_eq!(a.rejection("/v1/queues.create", queue("orders-b", "a")).await.0, 400, "the name is taken");
        assert_eq!(a.rejection("/v1/queues.delete", json!({ "queue_name": "none" })).await.0, 400);
        let newest = |seen: &[Value]| (seen[0]["action"].clone(), seen[0]["code"].clone(), seen[0]["username"].clone());
        let seen = listed(&mut b, in_namespace("b")).await;
        assert_eq!(newest(&seen), (json!("queues.delete"), json!(403), json!("auditor of a")));
        let seen = listed(&mut a, in_namespace("a")).await;
        assert_eq!(newest(&seen), (json!("queues.create"), json!(400), json!("auditor of a")));
        let record = records(&server).await.pop().unwrap();
        assert_eq!((record.action.as_str(), record.namespace), ("queues.delete", None), "of no existing queue");
    });
}

#[test]
fn a_new_namespace_does_not_see_the_records_of_an_earlier_one_with_its_name() {
    on_each_store_with_auth(async |server, mut admin| {
        namespace(&mut admin, "shop").await;
        admin.ok("/v1/queues.create", queue("secret-project", "shop")).await;
        admin.ok("/v1/queues.delete", json!({ "queue_name": "secret-project" })).await;
        admin.ok("/v1/namespaces.delete", json!({ "name": "shop" })).await;
        server.advance(Span::from_secs(1));
        namespace(&mut admin, "shop").await;
        let mut new_owner = auditor(&server, &mut admin, "shop").await;
        let seen = listed(&mut new_owner, in_namespace("shop")).await;
        assert_eq!(actions(&seen), ["rolebindings.create", "roles.create"]);
        assert_eq!(listed(&mut admin, in_namespace("shop")).await.len(), 4, "an administrator sees both");
    });
}

#[test]
fn a_limited_key_of_an_administrator_sees_its_namespace_only() {
    on_each_store_with_auth(async |server, mut admin| {
        let (_, mut b) = two_auditors(&server, &mut admin).await;
        b.ok("/v1/queues.create", queue("orders-b", "b")).await;
        let root = user(&mut admin, "root").await;
        bind(&mut admin, "_system", "Admin", &root).await;
        let made = admin.ok("/v1/apikeys.create", json!({ "user_id": root, "namespace_scope": "b" })).await;
        let mut limited = server.caller().await.with_key(made["key"].as_str().unwrap());
        let seen = listed(&mut limited, in_namespace("b")).await;
        assert_eq!(actions(&seen), ["queues.create", "rolebindings.create", "roles.create"]);
        assert_eq!(limited.rejection(LIST, in_namespace("a")).await.0, 403);
        assert_eq!(limited.rejection(LIST, json!({})).await.0, 403);
    });
}

#[test]
fn of_the_standard_roles_only_the_administrator_reads_the_log() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for (name, code) in [("Admin", 200), ("NamespaceOwner", 403), ("PublicViewer", 403)] {
            let ann = user(&mut anonymous, name).await;
            bind(&mut anonymous, "_system", name, &ann).await;
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
            assert_eq!(caller.json(LIST, json!({})).await.status.as_u16(), code, "{name}");
        }
        let roles = anonymous.ok("/v1/roles.list", json!({ "namespace": "_system" })).await;
        assert!(!roles.to_string().contains("audit.read"), "it is granted without being listed");
    });
}

/// Without authentication the queue of an act is not looked up before, and its namespace must still be known.
#[test]
fn acts_on_queues_have_their_namespace_without_authentication() {
    on_each_store_with_caller(async |server, mut caller| {
        namespace(&mut caller, "shop").await;
        caller.ok("/v1/queues.create", queue("orders", "shop")).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        caller.ok("/v1/letters.configure", json!({ "queue_name": "orders", "set": { "max_size": "500" } })).await;
        caller.ok("/v1/queue.clear", json!({ "queue_name": "orders", "queue": true })).await;
        caller.json("/v1/queue.pause", json!({ "queue_name": "none" })).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "orders" })).await;
        caller.ok("/v1/queues.create", queue("orders", "")).await;
        let namespaces: Vec<_> =
            records(&server).await.into_iter().map(|record| (record.action, record.namespace)).collect();
        let namespaces: Vec<_> = namespaces.iter().map(|(action, name)| (action.as_str(), name.as_deref())).collect();
        let expected = [
            ("namespaces.create", Some("_system")),
            ("queues.create", Some("shop")),
            ("queue.pause", Some("shop")),
            ("letters.configure", Some("shop")),
            ("queue.clear", Some("shop")),
            ("queue.pause", None),
            ("queues.delete", Some("shop")),
            ("queues.create", Some("_system")),
        ];
        assert_eq!(namespaces, expected);
    });
}
