//! Lists say which namespace they show, and show all in which the caller may list, and no others.

use serde_json::{Value, json};

use super::SecuredServer;

/// Three namespaces with a queue each. Ann owns `shop` and `bank`, bob owns `shop`, and nobody else sees `secret`.
fn three_namespaces(name: &str) -> SecuredServer {
    let server = SecuredServer::new(name);
    for namespace in ["shop", "bank", "secret"] {
        server.ok(&["namespace", "create", namespace]);
        server.ok(&["queue", "create", &format!("{namespace}-orders"), "--namespace", namespace]);
    }
    server.user("ann", &[("shop", "NamespaceOwner"), ("bank", "NamespaceOwner")]);
    server.user("bob", &[("shop", "NamespaceOwner")]);
    server.user("eve", &[]);
    server
}

fn fields<'l>(listed: &'l [Value], field: &str) -> Vec<&'l str> {
    listed.iter().map(|line| line[field].as_str().unwrap()).collect()
}

#[test]
fn a_list_names_its_namespace_and_the_others_that_the_caller_may_list() {
    let server = three_namespaces("namespaces-named");
    let note = |user: &str, arguments: &[&str]| server.run_as(user, arguments).succeeded().stderr;
    for noun in ["queue", "role", "binding", "route"] {
        let all = "namespace: _system; others: bank, secret, shop; list all with --all-namespaces\n";
        assert_eq!(note("admin", &[noun, "list"]), all);
        let one = "namespace: shop; others: bank; list all with --all-namespaces\n";
        assert_eq!(note("ann", &[noun, "list", "--namespace", "shop"]), one);
        assert_eq!(note("bob", &[noun, "list", "--namespace", "shop"]), "", "{noun}: there is no other");
        assert_eq!(note("admin", &[noun, "list", "--all-namespaces"]), "", "{noun}");
        assert_eq!(note("admin", &[noun, "list", "--json"]), "", "{noun}");
    }
    let misspelled = server.run(&["queue", "list", "--namespace", "shp"]).succeeded();
    assert!(
        misspelled.stderr.starts_with("namespace: shp; others: _system, bank, secret, shop;"),
        "{}",
        misspelled.stderr
    );
    for number in 1..=3 {
        server.ok(&["namespace", "create", &format!("n{number}")]);
    }
    let many = "namespace: _system; others: bank, n1, n2, n3, secret, …; list all with --all-namespaces\n";
    assert_eq!(note("admin", &["queue", "list"]), many);
}

#[test]
fn all_namespaces_are_those_in_which_the_caller_may_list() {
    let server = three_namespaces("namespaces-all");
    let all = ["queue", "list", "--all-namespaces"];
    let table = server.run_as("ann", &all).succeeded().stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("NAMESPACE  NAME "), "{table}");
    assert!(
        lines[1].starts_with("bank       bank-orders ") && lines[2].starts_with("shop       shop-orders "),
        "{table}"
    );
    assert_eq!(lines.len(), 3, "{table}");
    for (user, expected) in [("admin", &["bank", "secret", "shop"][..]), ("ann", &["bank", "shop"]), ("bob", &["shop"])]
    {
        let listed = server.objects_as(user, &all);
        assert_eq!(fields(&listed, "namespace"), expected, "{user}");
    }
    server.denied("eve", &all, "queue.list");
    let one = server.run_as("ann", &["queue", "list", "--namespace", "shop"]).succeeded().stdout;
    assert!(one.starts_with("NAME "), "a list of one namespace has no such column: {one}");
    for noun in ["queue", "role", "binding", "route"] {
        let both = server.run(&[noun, "list", "--namespace", "shop", "--all-namespaces"]);
        both.fails(2, "cannot be used with");
    }

    server.ok(&["role", "create", "clerk", "--permission", "queue.list", "--namespace", "secret"]);
    server.ok(&["role", "create", "clerk", "--permission", "queue.list", "--namespace", "shop"]);
    assert_eq!(fields(&server.objects_as("ann", &["role", "list", "--all-namespaces"]), "namespace"), ["shop"]);
    let roles = server.objects(&["role", "list", "--all-namespaces"]);
    assert_eq!(fields(&roles, "namespace"), ["_system", "_system", "_system", "secret", "shop"]);
    let bindings = server.objects_as("ann", &["binding", "list", "--all-namespaces"]);
    assert_eq!(fields(&bindings, "namespace"), ["bank", "shop", "shop"]);
    assert_eq!(server.objects(&["binding", "list", "--all-namespaces"]).len(), 4, "with the administrator's");
    assert_eq!(server.objects_as("ann", &["route", "list", "--all-namespaces"]), [Value::Null; 0]);
}

#[test]
fn an_owner_of_a_namespace_sees_the_names_of_its_users_and_roles() {
    let server = three_namespaces("namespaces-names");
    let listed = server.objects_as("ann", &["binding", "list", "--namespace", "shop"]);
    let bound: Vec<_> = listed.iter().map(|binding| (&binding["role"], &binding["username"])).collect();
    let owner = json!("NamespaceOwner");
    assert_eq!(bound, [(&owner, &json!("ann")), (&owner, &json!("bob"))]);
    let id = listed[0]["id"].as_str().unwrap();
    let shown = server.run_as("bob", &["binding", "show", id, "--namespace", "shop"]).succeeded().stdout;
    assert!(shown.contains("NamespaceOwner") && shown.contains("ann"), "{shown}");
    // Ann may bind the role further, and nothing that she does not have.
    let bob = listed[1]["user_id"].as_str().unwrap();
    let bind = |role: &str, namespace: &str| {
        server.run_as("ann", &["binding", "create", "--role", role, "--user", bob, "--namespace", namespace])
    };
    bind("NamespaceOwner", "bank").succeeded();
    bind("Admin", "bank").fails(4, "cannot grant it");
    bind("NamespaceOwner", "secret").fails(4, "lacks the permission 'rolebinding.create'");
    assert_eq!(
        fields(&server.objects_as("bob", &["queue", "list", "--all-namespaces"]), "namespace"),
        ["bank", "shop"]
    );
}

#[test]
fn a_denied_list_says_where_the_caller_may_list() {
    let server = three_namespaces("namespaces-denied");
    let remedy =
        |user: &str| server.run_as(user, &["queue", "list"]).stderr.lines().nth(1).unwrap_or_default().to_owned();
    let whoami = "show your roles with: redrive whoami; an administrator can bind another with: redrive binding create";
    assert_eq!(remedy("ann"), format!("  you have it in: bank, shop; {whoami}"));
    assert_eq!(remedy("bob"), format!("  you have it in: shop; {whoami}"));
    assert_eq!(remedy("eve"), format!("  {whoami}"));
}

#[test]
fn whoami_names_the_other_namespaces_of_the_caller() {
    let server = three_namespaces("namespaces-whoami");
    for (user, expected) in [
        ("admin", json!(["_system", "bank", "secret", "shop"])),
        ("ann", json!(["bank", "shop"])),
        ("bob", json!(["shop"])),
        ("eve", json!([])),
    ] {
        assert_eq!(server.objects_as(user, &["whoami"])[0]["namespaces"], expected, "{user}");
    }
    let table = server.run_as("ann", &["whoami", "--namespace", "shop"]).stdout;
    assert!(table.contains("namespace       shop\nalso visible    bank\n"), "{table}");
    let table = server.run_as("bob", &["whoami", "--namespace", "shop"]).stdout;
    assert!(!table.contains("also visible"), "{table}");
}

#[test]
fn an_auditor_of_some_namespaces_lists_the_records_of_all_of_them() {
    let server = three_namespaces("namespaces-audit");
    server.user("kim", &[("shop", "Admin"), ("bank", "Admin")]);
    let listed = server.objects_as("kim", &["audit", "list", "--all-namespaces", "--action", "queues.create"]);
    assert_eq!(fields(&listed, "namespace"), ["bank", "shop"]);
    let id = listed[0]["id"].as_str().unwrap();
    server.run_as("kim", &["audit", "show", id, "--all-namespaces"]).succeeded();
    let of_secret = server.objects(&["audit", "list", "--namespace", "secret", "--limit", "1"]).remove(0);
    let hidden = server.run_as("kim", &["audit", "show", of_secret["id"].as_str().unwrap(), "--all-namespaces"]);
    assert_eq!(hidden.code, 3, "{}", hidden.stderr);
    let one = server.run_as("kim", &["audit", "list", "--namespace", "shop"]).succeeded();
    assert_eq!(one.stderr, "namespace: shop; others: bank; list all with --all-namespaces\n");
    assert!(one.stdout.contains("user=bob") && one.stdout.contains("kim"), "{}", one.stdout);
    server.denied("kim", &["audit", "verify"], "audit.read");
    server.denied("bob", &["audit", "list", "--all-namespaces"], "audit.read");
}

#[test]
fn notes_show_the_name_of_their_author() {
    let server = three_namespaces("namespaces-notes");
    server.ok(&["letters", "capture", "shop-orders", "a book", "--error", "no paper", "--source-id", "b-1"]);
    let note = ["letters", "note", "shop-orders", "b-1", "asked the printer"];
    server.run_as("ann", &note).succeeded();
    let shown = server.run_as("bob", &["letters", "show", "shop-orders", "b-1"]).succeeded().stdout;
    let line = shown.lines().find(|line| line.contains("asked the printer")).unwrap();
    assert!(line.contains(" ann "), "{shown}");
    let letter = server.objects_as("bob", &["letters", "show", "shop-orders", "b-1"]).remove(0);
    let ann = server.objects(&["user", "show", "ann"])[0]["id"].clone();
    assert_eq!((&letter["notes"][0]["author"], &letter["notes"][0]["author_name"]), (&ann, &json!("ann")));
    server.ok(&["user", "delete", "ann", "--yes"]);
    let letter = server.objects_as("bob", &["letters", "show", "shop-orders", "b-1"]).remove(0);
    assert_eq!((&letter["notes"][0]["author"], &letter["notes"][0]["author_name"]), (&ann, &Value::Null));
}
