//! A paused queue says so.

use serde_json::json;

use crate::identity::SecuredServer;
use crate::test_server::TestServer;

fn paused() -> TestServer {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["queue", "create", "other"]);
    server.run_ok(&["queue", "pause", "orders"]);
    server
}

#[test]
fn info_list_and_stats_say_that_a_queue_is_paused() {
    let server = paused();
    for (name, is_paused) in [("orders", true), ("other", false)] {
        for command in ["info", "stats"] {
            let object = server.objects(&["queue", command, name]).remove(0);
            assert_eq!(object["paused"], json!(is_paused), "{command} {name}");
        }
        let info = server.run_ok(&["queue", "info", name]);
        let expected = if is_paused { "\npaused          yes\n" } else { "\npaused          no\n" };
        assert!(info.contains(expected), "{info}");
        let stats = server.run(&["queue", "stats", name]).stderr;
        let expected =
            if is_paused { "the queue is paused; resume it with: redrive queue resume orders\n" } else { "" };
        assert_eq!(stats, expected);
    }
    let listed: Vec<_> = server.objects(&["queue", "list"]).iter().map(|queue| queue["paused"].clone()).collect();
    assert_eq!(listed, [json!(true), json!(false)]);
    server.run_ok(&["queue", "resume", "orders"]);
    assert_eq!(server.objects(&["queue", "info", "orders"])[0]["paused"], false);
}

#[test]
fn a_lease_that_a_pause_prevents_says_so() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "x"]);
    server.run_ok(&["queue", "pause", "orders"]);
    let ran = server.run(&["lease", "orders", "--wait", "10ms"]);
    let expected = "error: no item became available in time: queue 'orders' is paused\n  resume it with: redrive queue \
                    resume orders\n";
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (6, expected, ""));
    server.run_ok(&["queue", "resume", "orders"]);
    server.run_ok(&["lease", "orders", "--wait", "10ms"]);
    let ran = server.run(&["lease", "orders", "--wait", "10ms"]);
    assert_eq!(ran.code, 6);
    assert!(ran.stderr.starts_with("error: no item became available in time\n"), "{}", ran.stderr);
}

#[test]
fn a_caller_that_may_not_read_statistics_sees_no_pause() {
    let server = SecuredServer::new("paused-denied");
    server.ok(&["queue", "create", "orders"]);
    server.ok(&["role", "create", "lister", "--permission", "queue.list", "--namespace", "_system"]);
    server.user("ann", &[("_system", "lister")]);
    let queue = server.objects_as("ann", &["queue", "list"]).remove(0);
    assert_eq!((&queue["queue_name"], &queue["paused"]), (&json!("orders"), &json!(null)));
}
