//! `redrive role`.

use serde_json::json;

use super::SecuredServer;

#[test]
fn a_role_is_created_shown_changed_listed_and_deleted() {
    let server = SecuredServer::new("role-life");
    server.ok(&["namespace", "create", "shop"]);
    let shop = ["--namespace", "shop"];
    let create =
        ["role", "create", "operator", "--permission", "letters.read,letters.retry", "--permission", "queue.stats"];
    let ran = server.run(&[&create[..], &shop].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "created role 'operator' in the namespace 'shop'\n"));
    let permissions = |expected: &[&str]| {
        let shown = server.objects(&[&["role", "show", "operator"], &shop[..]].concat()).remove(0);
        assert_eq!((&shown["namespace"], &shown["permissions"]), (&json!("shop"), &json!(expected)));
    };
    permissions(&["letters.read", "letters.retry", "queue.stats"]);
    server.ok(&[
        &["role", "update", "operator", "--add", "queue.list", "--remove", "queue.stats,letters.retry"],
        &shop[..],
    ]
    .concat());
    permissions(&["letters.read", "queue.list"]);
    server.ok(&[&["role", "update", "operator", "--permission", "queue.clear"], &shop[..]].concat());
    permissions(&["queue.clear"]);
    let names = |arguments: &[&str]| -> Vec<String> {
        let listed = server.objects(&[&["role", "list"], arguments].concat());
        listed.iter().map(|role| role["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&shop), ["operator"]);
    assert_eq!(names(&[]), ["Admin", "NamespaceOwner", "PublicViewer"]);
    let table = server.ok(&["role", "list"]);
    assert!(table.starts_with("NAME            NAMESPACE  ID"), "{table}");
    assert_eq!(
        server.run(&[&["role", "delete", "operator", "--yes"], &shop[..]].concat()).stderr,
        "deleted role 'operator' of the namespace 'shop'\n"
    );
    assert_eq!(names(&shop), Vec::<String>::new());
}

#[test]
fn a_wrong_role_is_reported_in_one_sentence() {
    let server = SecuredServer::new("role-wrong");
    server.user("ann", &[]);
    server.ok(&["role", "create", "clerk", "--permission", "queue.list"]);
    let unknown = "permission is invalid; 'queue.fly' is not a recognized permission\n  an administrator sees the names of \
                   all permissions with: redrive whoami\n";
    server.fails(&["role", "create", "x", "--permission", "queue.fly"], 4, unknown);
    server.fails(
        &["role", "create", "clerk", "--permission", "queue.list"],
        4,
        "role already exists; '_system:clerk' already exists\n",
    );
    server.fails(&["role", "create", "x"], 2, "the following required arguments");
    server.fails(&["role", "update", "clerk"], 2, "the following required arguments");
    server.fails(
        &["role", "update", "clerk", "--permission", "a", "--add", "b"],
        2,
        "the argument '--permission <NAMES>' cannot be used with",
    );
    let missing = "role 'clerk' does not have the permission 'queue.clear'; nothing was changed\n";
    server.fails(&["role", "update", "clerk", "--remove", "queue.clear"], 4, missing);
    server.fails(
        &["role", "update", "Admin", "--permission", "queue.list"],
        4,
        "cannot modify or delete standard role",
    );
    server.fails(&["role", "show", "none"], 3, "no such role: 'none' in the namespace '_system'\n");
    server.fails(&["role", "delete", "none", "--yes"], 3, "role does not exist; '_system:none' was not found\n");
    server.fails(
        &["role", "delete", "clerk"],
        2,
        "this would delete the role 'clerk' of the namespace '_system', which needs",
    );
    server.ok(&["binding", "create", "--role", "clerk", "--user", "ann"]);
    server.fails(&["role", "delete", "clerk", "--yes"], 4, "role has active bindings; ");
}

#[test]
fn roles_need_their_permissions() {
    let server = SecuredServer::new("role-denied");
    server.user("ann", &[]);
    server.denied("ann", &["role", "list"], "role.list");
    server.denied("ann", &["role", "show", "Admin"], "role.list");
    server.denied("ann", &["role", "create", "x", "--permission", "queue.list"], "role.create");
    server.denied("ann", &["role", "update", "x", "--permission", "queue.list"], "role.update");
    server.denied("ann", &["role", "delete", "x", "--yes"], "role.delete");
}
