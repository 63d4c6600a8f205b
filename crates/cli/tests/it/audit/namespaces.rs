//! Two namespaces do not see each other's audit records.

use serde_json::Value;

use crate::identity::SecuredServer;

fn queues(records: &[Value]) -> Vec<&str> {
    records.iter().filter_map(|record| record["targets"][0]["name"].as_str()).collect()
}

#[test]
fn an_auditor_of_one_namespace_sees_nothing_of_another() {
    let server = SecuredServer::new("audit-namespaces");
    for (namespace, user) in [("shop", "ann"), ("bank", "bob")] {
        server.ok(&["namespace", "create", namespace]);
        let permissions = "audit.read,queue.create,queue.delete";
        server.ok(&["role", "create", "auditor", "--permission", permissions, "--namespace", namespace]);
        server.user(user, &[(namespace, "auditor")]);
        assert_eq!(
            server.run_as(user, &["queue", "create", &format!("{namespace}-orders"), "--namespace", namespace]).code,
            0
        );
    }
    for (user, own, other) in [("ann", "shop", "bank"), ("bob", "bank", "shop")] {
        let seen = server.objects_as(user, &["audit", "list", "--namespace", own, "--action", "queues"]);
        assert_eq!(queues(&seen), [format!("{own}-orders")]);
        let all = server.run_as(user, &["audit", "export", "--namespace", own]).stdout;
        assert!(!all.contains(other), "{all}");
        server.denied(user, &["audit", "list", "--namespace", other], "audit.read");
        server.denied(user, &["audit", "list"], "audit.read");
        server.denied(user, &["audit", "verify"], "audit.read");
    }
    let of_bank = server.objects(&["audit", "list", "--namespace", "bank", "--limit", "1"]).remove(0);
    let id = of_bank["id"].as_str().unwrap();
    let hidden = server.run_as("ann", &["audit", "show", id, "--namespace", "shop"]);
    assert_eq!(hidden.code, 3, "{}", hidden.stderr);
    assert!(hidden.stderr.starts_with(&format!("error: no such audit record: '{id}'\n")), "{}", hidden.stderr);
    assert_eq!(server.run_as("bob", &["audit", "show", id, "--namespace", "bank"]).code, 0);
    assert_eq!(server.objects(&["audit", "show", id]), [of_bank]);
}

#[test]
fn the_namespace_of_the_context_is_the_default_of_the_log() {
    let server = SecuredServer::new("audit-context");
    server.ok(&["namespace", "create", "shop"]);
    server.ok(&["queue", "create", "orders", "--namespace", "shop"]);
    let config = server.folder.path().join("config");
    let run = |arguments: &[&str]| {
        let mut command = server.server.command(arguments);
        let ran = crate::outcome(command.env("XDG_CONFIG_HOME", &config).spawn().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    };
    let (url, key) = (server.url(), server.key_file("admin"));
    run(&["context", "set", "prod", "--server", &url, "--key-file", &key, "--namespace", "shop"]);
    run(&["context", "use", "prod"]);
    assert_eq!(run(&["audit", "list", "--output", "json"]).lines().count(), 1);
    assert_eq!(run(&["audit", "list", "--all-namespaces", "--output", "json"]).lines().count(), 4);
    assert_eq!(run(&["audit", "export", "--all-namespaces"]).lines().count(), 4);
    run(&["audit", "verify"]);
}
