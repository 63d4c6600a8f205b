//! `redrive whoami`.

use serde_json::json;

use super::SecuredServer;
use crate::test_server::TestServer;

#[test]
fn the_caller_sees_its_user_key_roles_and_permissions() {
    let server = SecuredServer::new("whoami");
    server.ok(&["namespace", "create", "shop"]);
    server.ok(&["role", "create", "clerk", "--permission", "queue.lease,queue.complete", "--namespace", "shop"]);
    server.user("ann", &[("shop", "clerk"), ("_system", "PublicViewer")]);
    let who = server.objects_as("ann", &["whoami", "--namespace", "shop"]).remove(0);
    for (field, expected) in [
        ("username", json!("ann")),
        ("auth", json!("internal")),
        ("key_name", json!("test")),
        ("namespace_scope", json!(null)),
        ("expires_at", json!(null)),
        ("context", json!(null)),
        ("server", json!(server.url())),
        ("namespace", json!("shop")),
        ("permissions", json!(["queue.lease", "queue.complete", "system.health", "system.metrics"])),
    ] {
        assert_eq!(who[field], expected, "{field}");
    }
    let roles = json!([
        { "namespace": "_system", "name": "PublicViewer", "permissions": ["system.health", "system.metrics"] },
        { "namespace": "shop", "name": "clerk", "permissions": ["queue.lease", "queue.complete"] },
    ]);
    assert_eq!(who["roles"], roles);
    let table = server.run_as("ann", &["whoami", "--namespace", "shop"]).stdout;
    let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
    assert!(lines[0].starts_with("user            ann ("), "{table}");
    assert!(lines[1].starts_with("key             test (rdr-live-"), "{table}");
    let end = [
        "roles           PublicViewer in _system",
        "                clerk in shop",
        "permissions     queue.lease, queue.complete",
        "                system.health, system.metrics",
    ];
    assert_eq!(lines[lines.len() - 4..], end, "{table}");
}

#[test]
fn a_caller_without_permissions_or_without_a_key_is_told_so() {
    let server = SecuredServer::new("whoami-nobody");
    server.user("ann", &[]);
    let table = server.run_as("ann", &["whoami"]).stdout;
    assert!(table.trim_end().ends_with("permissions     none"), "{table}");
    let without_key = server.server.run(&["whoami"]);
    assert!(
        without_key.stdout.starts_with("user            anonymous\nkey             none\n"),
        "{}",
        without_key.stdout
    );
}

#[test]
fn a_server_without_authentication_says_that_everyone_may_do_everything() {
    let server = TestServer::new();
    let who = server.objects(&["whoami"]).remove(0);
    assert_eq!((&who["auth"], &who["roles"]), (&json!("none"), &json!([])));
    assert!(who["permissions"].as_array().unwrap().contains(&json!("audit.read")));
    assert!(server.run_ok(&["whoami"]).contains("authentication  none: every caller may do everything"));
}

#[test]
fn an_unknown_key_is_rejected_and_not_printed() {
    let server = SecuredServer::new("whoami-unknown");
    let key = format!("rdr-live-{}", "u".repeat(43));
    std::fs::write(server.key_file("unknown"), &key).unwrap();
    let ran = server.run_as("unknown", &["whoami"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    let file = server.key_file("unknown");
    assert!(
        ran.stderr.starts_with(&format!("error: api key does not exist\n  the API key is that of {file};")),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains(&key));
}
