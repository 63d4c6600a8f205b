//! Letters whose dependency is exhausted or archived.

use serde_json::{Value, json};

use super::{capture, get, letter, parked, serve, serve_unstarted, stats};
use crate::retries::ok;
use crate::test_server::TestServer;

/// A failure that depends on a letter.
fn dependent(source_id: &str, dependency: &Value) -> Value {
    json!({ "source_id": source_id, "retry_policy": "exponential", "depends_on": [dependency], "fault": { "error": "timed out" } })
}

/// A chain of three letters, of which the first is archived.
fn archived_chain(server: &TestServer) -> [Value; 3] {
    let first = capture(server, &[parked("a")]).remove(0);
    let second = capture(server, &[dependent("b", &first)]).remove(0);
    let third = capture(server, &[dependent("c", &second)]).remove(0);
    assert_eq!(stats(server)["blocked"], 2);
    server.run_ok(&["letters", "archive", "dead", first.as_str().unwrap()]);
    [first, second, third]
}

#[test]
fn dlq_on_lost_dependency_exhausts_a_chain() {
    let server = serve(&[("REDRIVE_DLQ_ON_LOST_DEPENDENCY", "exhaust")]);
    let [first, second, third] = archived_chain(&server);
    for (id, lost, became) in [(&second, &first, "archived"), (&third, &second, "exhausted")] {
        assert_eq!(letter(&server, id)["status"], "exhausted");
        let attempts = get(&server, id)["attempts"].clone();
        let newest = &attempts.as_array().unwrap().last().unwrap()["attempt"];
        let why = format!("letter {}, which it waited for, is {became}", lost.as_str().unwrap());
        assert_eq!((&newest["cause"], &newest["error"]), (&json!("lost_dependency"), &json!(why)));
    }
    assert_eq!(stats(&server)["blocked"], 0);
    let shown = server.run_ok(&["letters", "show", "dead", second.as_str().unwrap()]);
    assert!(shown.contains("lost_dependency"), "{shown}");
}

#[test]
fn dlq_on_lost_dependency_releases_the_next_letter() {
    let server = serve_unstarted("environment-release", &[("REDRIVE_DLQ_ON_LOST_DEPENDENCY", "release")]);
    let [_, second, third] = archived_chain(&server);
    assert_eq!(letter(&server, &second)["next_retry_at"], "2026-11-15T12:01:00Z");
    assert_eq!(letter(&server, &third)["blocked"], true, "its dependency is not lost");
}

#[test]
fn a_queue_overrides_on_lost_dependency() {
    let server = serve(&[]);
    let [_, second, _] = archived_chain(&server);
    assert_eq!(letter(&server, &second)["blocked"], true, "by default it waits");
    let list = ok(&server, "letters.list", &json!({ "queue_name": "dead", "filter": "blocked == true" }));
    assert_eq!(list["letters"].as_array().unwrap().len(), 2);
    server.run_ok(&["letters", "configure", "dead", "on_lost_dependency=exhaust"]);
    assert_eq!(letter(&server, &second)["status"], "exhausted", "the change applies to waiting letters, too");
}
