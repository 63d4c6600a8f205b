use super::{captured, show, with_dead};
use crate::retries::{ok, until};
use crate::test_server::TestServer;
use serde_json::json;

/// The line `next` of a letter.
fn next(server: &TestServer, id: &str) -> String {
    let shown = server.run_ok(&["letters", "show", "dead", id]);
    let line = shown.lines().find_map(|line| line.strip_prefix("next ")).unwrap_or_else(|| panic!("{shown}"));
    line.trim().to_owned()
}

#[test]
fn the_next_step_of_a_letter_is_explained() {
    let server = with_dead();
    let letter = |source_id: &str, more: &[&str]| {
        captured(&server, &[&["x", "--source-id", source_id, "--error", "timed out"][..], more].concat())
    };
    let pending = letter("a", &[]);
    assert_eq!(next(&server, &pending), "nothing retries it: 'dead' has no entry in dlq.targets of the server");
    let never = letter("b", &["--retry-policy", "never"]);
    assert_eq!(
        next(&server, &never),
        "waits for an operator: the policy never does not retry it; retry it with: redrive letters retry dead ID"
    );
    let exhausted = letter("c", &["--max-retries", "0"]);
    assert_eq!(
        next(&server, &exhausted),
        "waits for an operator: it has no retries; retry it with: redrive letters retry dead ID"
    );
    let blocked = letter("d", &["--depends-on", &pending]);
    assert_eq!(next(&server, &blocked), format!("waits until these letters are completed: {pending}"));
    server.run_ok(&["lease", "dead"]);
    let leased = [&never, &exhausted].into_iter().find(|id| show(&server, id)["status"] == "retrying").unwrap();
    assert_eq!(next(&server, leased), "is being retried; its claim ends in 1m (2026-11-15T12:01:00Z)");
    server.run_ok(&["letters", "archive", "dead", &pending]);
    assert_eq!(next(&server, &pending), "nothing: it is archived; restore it with: redrive letters restore dead ID");
}

#[test]
fn a_paused_processor_and_an_open_breaker_are_named() {
    // Nothing listens there.
    let targets = "targets = [{ queue = \"dead\", http = \"http://127.0.0.1:9/\" }]";
    let server = TestServer::frozen_with("letters-outlook", &format!("[dlq]\nbreaker_threshold = 1\n{targets}\n"));
    let arguments = ["x", "--source-id", "a", "--error", "timed out", "--destination", "bank"];
    let id = captured(&server, &arguments);
    let planned = "retry 1 of 3 in 1m (2026-11-15T12:01:00Z), policy exponential (default)";
    assert_eq!(next(&server, &id), planned);
    server.run_ok(&["letters", "process", "dead", "pause"]);
    assert_eq!(
        next(&server, &id),
        format!("{planned}; but the processor is paused: redrive letters process dead resume")
    );
    server.run_ok(&["letters", "process", "dead", "resume"]);
    let now = captured(&server, &["x", "--source-id", "b", "--retry-policy", "immediate", "--destination", "bank"]);
    let held = || ok(&server, "letters.process", &json!({ "queue_name": "dead" }))["held"] == json!(["bank"]);
    until("an open circuit breaker", held);
    assert_eq!(next(&server, &id), format!("{planned}; but the circuit breaker of its destination 'bank' is open"));
    assert_eq!(show(&server, &now)["status"], "pending");
}
