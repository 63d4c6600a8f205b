//! The line that the server logs for each act.

use crate::identity::SecuredServer;
use crate::test_server::{TestServer, folder};

#[test]
fn the_log_line_of_an_act_has_actor_target_and_reason() {
    let folder = folder("audit-log-line");
    let log = folder.path().join("log");
    let serve = SecuredServer::serve(folder.path(), &["--memory"]);
    let server = TestServer::logging(serve, std::fs::File::create(&log).unwrap().into());
    let server = SecuredServer { server, folder };
    server.user("ann", &[("_system", "Admin")]);
    let pause = ["queue", "create", "orders"];
    assert_eq!(server.run_as("ann", &pause).code, 0);
    server.ok(&["namespace", "create", "shop", "--reason", "a \"new\" team"]);
    server.user("eve", &[]);
    server.denied("eve", &["queue", "delete", "orders", "--yes", "--reason", "a test"], "queue.delete");
    let text = std::fs::read_to_string(&log).unwrap();
    let line = |action: &str| {
        let action = format!("action=\"{action}\"");
        text.lines().rfind(|line| line.contains(&action)).unwrap_or_else(|| panic!("{action}: {text}"))
    };
    for (action, expected) in [
        ("queues.create", &[r#"actor="ann""#, r#"targets="queue=orders""#, r#"namespace="_system""#, "code=200"][..]),
        ("namespaces.create", &[r#"actor="admin""#, r#"targets="namespace=shop""#, r#"reason="a \"new\" team""#]),
        ("queues.delete", &[r#"actor="eve""#, r#"targets="queue=orders""#, "code=403", "sequence=", "hash="]),
    ] {
        let line = line(action);
        for expected in expected {
            assert!(line.contains(expected), "{expected}: {line}");
        }
    }
    assert!(!line("queues.create").contains("reason="), "an act without a reason has none");
}
