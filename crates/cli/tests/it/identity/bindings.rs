//! `redrive binding`.

use serde_json::json;

use super::SecuredServer;

#[test]
fn a_binding_gives_a_role_until_it_is_deleted() {
    let server = SecuredServer::new("binding-life");
    server.ok(&["namespace", "create", "shop"]);
    server.ok(&["role", "create", "viewer", "--permission", "queue.list", "--namespace", "shop"]);
    server.user("ann", &[]);
    let list = ["queue", "list", "--namespace", "shop"];
    server.denied("ann", &list, "queue.list");
    let binding = ["--role", "viewer", "--user", "ann", "--namespace", "shop"];
    let ran = server.run(&[&["binding", "create"], &binding[..]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "bound role 'viewer' to user 'ann' in the namespace 'shop'\n"));
    assert_eq!(server.run_as("ann", &list).code, 0);
    let listed = server.objects(&["binding", "list", "--namespace", "shop", "--user", "ann"]).remove(0);
    assert_eq!((&listed["role"], &listed["username"]), (&json!("viewer"), &json!("ann")));
    let shown = server.objects(&["binding", "show", listed["id"].as_str().unwrap(), "--namespace", "shop"]).remove(0);
    assert_eq!(shown, listed);
    let table = server.ok(&["binding", "list", "--namespace", "shop"]);
    assert!(table.contains("shop       viewer  ann"), "{table}");
    let ran = server.run(&[&["binding", "delete", "--yes"], &binding[..]].concat());
    assert_eq!(ran.stderr, "took role 'viewer' away from user 'ann' in the namespace 'shop'\n");
    server.denied("ann", &list, "queue.list");
    assert_eq!(server.objects(&["binding", "list", "--namespace", "shop"]).len(), 0);
}

#[test]
fn a_wrong_binding_is_reported_in_one_sentence() {
    let server = SecuredServer::new("binding-wrong");
    server.user("ann", &[]);
    let create = |role: &'static str, user: &'static str| ["binding", "create", "--role", role, "--user", user];
    server.fails(&create("none", "ann"), 3, "role does not exist; '_system:none' was not found\n");
    server.fails(&create("Admin", "nobody"), 3, "no such user: 'nobody'\n");
    server.fails(&["binding", "create", "--role", "Admin"], 2, "the following required arguments");
    server.ok(&create("PublicViewer", "ann"));
    server.fails(&create("PublicViewer", "ann"), 4, "role binding already exists; ");
    server.fails(&["binding", "show", "none"], 3, "no such binding: 'none' in the namespace '_system'\n");
    let delete = ["binding", "delete", "--role", "Admin", "--user", "ann"];
    server.fails(&[&delete[..], &["--yes"]].concat(), 3, "role binding does not exist; ");
    server.fails(
        &delete,
        2,
        "this would take the role 'Admin' away from user 'ann' in the namespace '_system', which needs",
    );
}

#[test]
fn bindings_need_their_permissions() {
    let server = SecuredServer::new("binding-denied");
    server.user("ann", &[]);
    let ann = server.objects(&["user", "show", "ann"])[0]["id"].as_str().unwrap().to_owned();
    server.denied("ann", &["binding", "list"], "rolebinding.list");
    server.denied("ann", &["binding", "show", "x"], "rolebinding.list");
    server.denied("ann", &["binding", "create", "--role", "Admin", "--user", &ann], "rolebinding.create");
    server.denied("ann", &["binding", "delete", "--role", "Admin", "--user", &ann, "--yes"], "rolebinding.delete");
    server.ok(&["role", "create", "binder", "--permission", "rolebinding.list"]);
    server.user("bob", &[("_system", "binder")]);
    let listed = server.objects_as("bob", &["binding", "list"]);
    assert_eq!(listed.len(), 2, "of the administrator and of bob");
    assert!(listed.iter().all(|binding| binding["role"].is_null() && binding["role_id"].is_string()), "{listed:?}");
}
