//! `redrive namespace`.

use serde_json::json;

use super::SecuredServer;

#[test]
fn a_namespace_is_created_shown_changed_listed_and_deleted() {
    let server = SecuredServer::new("namespace-life");
    let created = server.run(&["namespace", "create", "shop", "--description", "the web shop", "--key-tag", "shop"]);
    assert_eq!((created.code, created.stderr.as_str()), (0, "created namespace 'shop'\n"));
    let shop = server.objects(&["namespace", "show", "shop"]).remove(0);
    assert_eq!(
        (&shop["name"], &shop["description"], &shop["key_tag"]),
        (&json!("shop"), &json!("the web shop"), &json!("shop"))
    );
    assert!(shop["created_at"].is_string());
    server.ok(&["namespace", "update", "shop", "--description", ""]);
    let shop = server.objects(&["namespace", "get", "shop"]).remove(0);
    assert_eq!((&shop["description"], &shop["key_tag"]), (&json!(null), &json!("shop")), "the tag is kept");
    server.ok(&["namespace", "create", "bar"]);
    let names: Vec<_> = server.objects(&["namespace", "list"]).into_iter().map(|line| line["name"].clone()).collect();
    assert_eq!(names, ["_system", "bar", "shop"]);
    let table = server.ok(&["namespace", "list"]);
    assert!(table.starts_with("NAME     KEY TAG  CREATED AT"), "{table}");
    let ran = server.run(&["namespace", "delete", "bar", "--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "deleted namespace 'bar'\n"));
    server.fails(
        &["namespace", "show", "bar"],
        3,
        "no such namespace: 'bar'\n  list all with: redrive namespace list\n",
    );
}

#[test]
fn a_namespace_in_use_is_not_deleted_and_the_error_says_what_uses_it() {
    let server = SecuredServer::new("namespace-in-use");
    server.ok(&["namespace", "create", "shop"]);
    server.ok(&["queue", "create", "orders", "--namespace", "shop"]);
    let error = "namespace has queues; 'shop' has queues, delete queues first\n  list them with: redrive queue list \
                 --namespace shop\n";
    server.fails(&["namespace", "delete", "shop", "--yes"], 4, error);
}

#[test]
fn a_wrong_namespace_is_reported_in_one_sentence() {
    let server = SecuredServer::new("namespace-wrong");
    let again = &["namespace", "create", "_system"];
    server.fails(again, 4, "namespace name is reserved; '_system' names starting with '_' are reserved\n");
    server.fails(&["namespace", "create", "two words"], 4, "namespace name is invalid; ");
    server.fails(&["namespace", "create", "shop", "--key-tag", "UP"], 4, "api_key_tag is invalid; must be lowercase");
    server.fails(&["namespace", "update", "none", "--key-tag", "x"], 3, "no such namespace: 'none'");
    server.fails(&["namespace", "delete", "none", "--yes"], 3, "namespace does not exist; 'none' was not found\n");
    server.fails(&["namespace", "update", "shop"], 2, "the following required arguments");
    server.fails(
        &["namespace", "delete", "shop"],
        2,
        "this would delete the namespace 'shop', which needs a confirmation",
    );
}

#[test]
fn namespaces_need_their_permissions() {
    let server = SecuredServer::new("namespace-denied");
    server.user("ann", &[]);
    server.denied("ann", &["namespace", "list"], "namespace.list");
    server.denied("ann", &["namespace", "show", "shop"], "namespace.list");
    server.denied("ann", &["namespace", "create", "shop"], "namespace.create");
    server.denied("ann", &["namespace", "delete", "shop", "--yes"], "namespace.delete");
}
