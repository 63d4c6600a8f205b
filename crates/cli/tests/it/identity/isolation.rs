//! Two namespaces with a user each, against each other.

use super::SecuredServer;

/// Two namespaces, each with a queue and a user that may manage queues, roles and bindings there.
fn two_namespaces(name: &str) -> SecuredServer {
    let server = SecuredServer::new(name);
    for (namespace, user) in [("shop", "ann"), ("bank", "bob")] {
        server.ok(&["namespace", "create", namespace]);
        server.ok(&["queue", "create", &format!("{namespace}-orders"), "--namespace", namespace]);
        let permissions =
            "queue.list,queue.stats,queue.clear,role.list,role.create,rolebinding.list,rolebinding.create";
        server.ok(&["role", "create", "owner", "--permission", permissions, "--namespace", namespace]);
        server.user(user, &[(namespace, "owner")]);
    }
    server
}

#[test]
fn a_user_of_one_namespace_sees_and_changes_nothing_of_the_other() {
    let server = two_namespaces("isolation");
    for (user, own, other) in [("ann", "shop", "bank"), ("bob", "bank", "shop")] {
        assert_eq!(server.objects_as(user, &["queue", "list", "--namespace", own]).len(), 1);
        assert_eq!(server.objects_as(user, &["role", "list", "--namespace", own]).len(), 1);
        assert_eq!(server.objects_as(user, &["binding", "list", "--namespace", own]).len(), 1);
        server.denied(user, &["queue", "list", "--namespace", other], "queue.list");
        server.denied(user, &["role", "list", "--namespace", other], "role.list");
        server.denied(user, &["binding", "list", "--namespace", other], "rolebinding.list");
        server.denied(
            user,
            &["role", "create", "x", "--permission", "queue.list", "--namespace", other],
            "role.create",
        );
        let queue = format!("{other}-orders");
        let clear = ["queue", "clear", &queue, "--yes"];
        server.run_as(user, &clear).fails(2, "you may not read whether");
        server.denied(user, &[&clear[..], &["--reason", "a test"]].concat(), "queue.clear");
        server.denied(user, &["queue", "list"], "queue.list");
        server.denied(user, &["namespace", "list"], "namespace.list");
        server.denied(user, &["user", "list"], "user.list");
        server.denied(user, &["key", "list"], "apikey.list");
    }
}

#[test]
fn an_owner_cannot_give_more_than_it_has() {
    let server = two_namespaces("isolation-grant");
    let create = ["role", "create", "more", "--permission", "queue.delete", "--namespace", "shop"];
    let ran = server.run_as("ann", &create);
    let expected = "error: access denied; user 'ann' with the API key 'test' lacks 'queue.delete' in 'shop', and cannot \
                    grant it\n";
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}
