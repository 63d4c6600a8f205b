//! Attempts, notes and audit records have ids of users. A reader sees the names of those whom it may know.

use http::HeaderValue;
use serde_json::{Value, json};

use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, TestServer};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// A user with a role in a namespace: its id, and a caller that gives a reason.
async fn member(server: &TestServer, admin: &mut Caller, name: &str, place: &str, role: &str) -> (String, Caller) {
    let id = user(admin, name).await;
    bind(admin, place, role, &id).await;
    let mut caller = server.caller().await.with_key(&key_of(admin, &id).await.1);
    caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
    (id, caller)
}

/// Creates the namespaces `shop` and `bar`, each with the dead queue `<namespace>-dead` of the queue `<namespace>`, and a
/// role `reader` that may read letters.
async fn two_namespaces(admin: &mut Caller) {
    for place in ["shop", "bar"] {
        namespace(admin, place).await;
        let dead = format!("{place}-dead");
        admin.create(&dead, json!({ "namespace": place })).await;
        admin.create(place, json!({ "namespace": place, "dead_queue": dead })).await;
        role(admin, place, "reader", &["letters.read"]).await;
    }
}

/// A letter of `shop-dead` that a caller has annotated and then handed back: its id.
async fn letter_of(admin: &mut Caller, author: &mut Caller) -> Value {
    admin.produce("shop", &["a book"]).await;
    let item = admin.lease_one("shop").await;
    admin.retry("shop", &item, json!({ "dead": true })).await;
    let list = admin.ok("/v1/letters.list", json!({ "queue_name": "shop-dead", "statuses": ["pending"] })).await;
    let id = list["letters"][0]["id"].clone();
    let letter = json!({ "queue_name": "shop-dead", "id": id });
    let note = json!({ "queue_name": "shop-dead", "id": id, "text": "the printer is repaired" });
    author.ok("/v1/letters.annotate", note).await;
    author.ok("/v1/letters.retry", letter).await;
    // Else it would die again, with the next letter.
    let item = admin.lease_one("shop").await;
    admin.complete("shop", &[item]).await;
    id
}

/// The id and the name of the user of the note and of the last attempt.
async fn names(caller: &mut Caller, queue: &str, id: &Value) -> [(String, String); 2] {
    let letter = caller.ok("/v1/letters.get", json!({ "queue_name": queue, "id": id })).await;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let (note, attempt) = (&letter["notes"][0], letter["attempts"].as_array().unwrap().last().unwrap());
    [
        (text(note.get("author")), text(note.get("author_name"))),
        (text(attempt.get("actor")), text(attempt.get("actor_name"))),
    ]
}

#[test]
fn notes_and_attempts_name_their_user_for_readers_who_may_know_it() {
    on_each_store_with_auth(async |server, mut admin| {
        two_namespaces(&mut admin).await;
        let (ann, mut of_ann) = member(&server, &mut admin, "ann", "shop", "NamespaceOwner").await;
        let (root, mut of_root) = member(&server, &mut admin, "root", "_system", "Admin").await;
        let (_, mut reader) = member(&server, &mut admin, "lena", "shop", "reader").await;
        let by_ann = letter_of(&mut admin, &mut of_ann).await;
        let by_root = letter_of(&mut admin, &mut of_root).await;
        let both = |id: &str, name: &str| [(id.to_owned(), name.to_owned()), (id.to_owned(), name.to_owned())];
        for caller in [&mut reader, &mut of_ann, &mut of_root, &mut admin] {
            assert_eq!(names(caller, "shop-dead", &by_ann).await, both(&ann, "ann"));
        }
        // The administrator has no role in the namespace itself: only those who may list users know it.
        assert_eq!(names(&mut admin, "shop-dead", &by_root).await, both(&root, "root"));
        assert_eq!(names(&mut of_root, "shop-dead", &by_root).await, both(&root, "root"), "its own name");
        assert_eq!(names(&mut reader, "shop-dead", &by_root).await, both(&root, ""));
        // A deleted user stays as its id, which the audit log has with the name at that time.
        admin.ok("/v1/users.delete", json!({ "id": ann })).await;
        for caller in [&mut reader, &mut admin] {
            assert_eq!(names(caller, "shop-dead", &by_ann).await, both(&ann, ""));
        }
        let records = admin.ok("/v1/audit.list", json!({ "actor": ann, "action": "letters.annotate" })).await;
        assert_eq!(records["records"][0]["username"], "ann");
    });
}

#[test]
fn a_forged_id_in_an_imported_letter_does_not_reveal_the_name_of_its_user() {
    on_each_store_with_auth(async |server, mut admin| {
        two_namespaces(&mut admin).await;
        let (ann, mut of_ann) = member(&server, &mut admin, "ann", "shop", "NamespaceOwner").await;
        let (eve, _) = member(&server, &mut admin, "eve", "bar", "NamespaceOwner").await;
        let id = letter_of(&mut admin, &mut of_ann).await;
        let exported = of_ann.ok("/v1/letters.export", json!({ "queue_name": "shop-dead" })).await;
        let line = exported["lines"][0].as_str().unwrap();
        assert!(line.contains(&ann), "{line}");
        of_ann.ok("/v1/letters.purge", json!({ "queue_name": "shop-dead", "ids": [id] })).await;
        let import = json!({ "queue_name": "shop-dead", "lines": [line.replace(&ann, &eve)] });
        assert_eq!(of_ann.ok("/v1/letters.import", import).await, json!({ "imported": "1" }));
        assert_eq!(names(&mut of_ann, "shop-dead", &id).await[1], (eve.clone(), String::new()));
        assert_eq!(names(&mut admin, "shop-dead", &id).await[1], (eve, "eve".to_owned()));
    });
}

#[test]
fn audit_records_name_the_users_among_their_targets() {
    on_each_store_with_auth(async |server, mut admin| {
        two_namespaces(&mut admin).await;
        role(&mut admin, "shop", "auditor", &["audit.read"]).await;
        let (ann, _) = member(&server, &mut admin, "ann", "shop", "NamespaceOwner").await;
        let (_, mut auditor) = member(&server, &mut admin, "lena", "shop", "auditor").await;
        let gone = user(&mut admin, "gone").await;
        bind(&mut admin, "shop", "reader", &gone).await;
        admin.ok("/v1/users.delete", json!({ "id": gone })).await;
        let asked = json!({ "namespace": "shop", "action": "rolebindings.create", "oldest_first": true });
        for caller in [&mut auditor, &mut admin] {
            let records = caller.ok("/v1/audit.list", asked.clone()).await;
            let users: Vec<(&Value, Option<&Value>)> = records["records"]
                .as_array()
                .unwrap()
                .iter()
                .map(|record| &record["targets"][2])
                .map(|target| (&target["name"], target.get("username")))
                .collect();
            assert_eq!(users[0], (&json!(ann), Some(&json!("ann"))));
            assert_eq!(users[1].1, Some(&json!("lena")));
            assert_eq!(users[2], (&json!(gone), None), "a deleted user stays as its id");
        }
    });
}
