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
    let no_way = "you cannot hand it back to its origin; a target of 'dead' in dlq.targets would retry it";
    let nothing = "nothing retries it: 'dead' has no entry in dlq.targets of the server";
    assert_eq!(next(&server, &pending), format!("{nothing}; {no_way}"));
    let never = letter("b", &["--retry-policy", "never"]);
    let waits = "waits for an operator: the policy never does not retry it";
    assert_eq!(next(&server, &never), format!("{waits}; {no_way}"));
    let exhausted = letter("c", &["--max-retries", "0"]);
    assert_eq!(next(&server, &exhausted), format!("waits for an operator: it has no retries; {no_way}"));
    let blocked = letter("d", &["--depends-on", &pending]);
    assert_eq!(next(&server, &blocked), format!("waits until these letters are completed: {pending}"));
    server.run_ok(&["lease", "dead"]);
    let leased = [&never, &exhausted].into_iter().find(|id| show(&server, id)["status"] == "retrying").unwrap();
    assert_eq!(next(&server, leased), "is being retried; its claim ends in 1m (2026-11-15T12:01:00Z)");
    server.run_ok(&["letters", "archive", "dead", &pending]);
    let restore = format!("redrive letters restore dead {pending}");
    assert_eq!(next(&server, &pending), format!("nothing: it is archived; restore it with: {restore}"));
}

/// The command at the end of a line `next`.
fn advised(next: &str) -> Vec<&str> {
    let (_, command) = next.rsplit_once("with: redrive ").unwrap_or_else(|| panic!("no command: {next}"));
    command.split(' ').collect()
}

#[test]
fn the_advised_command_hands_a_letter_back() {
    let server = with_dead();
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead", "--max-attempts", "1"]);
    server.run_ok(&["produce", "orders", "a book"]);
    let leased = server.run_ok(&["lease", "orders", "--output", "json"]);
    server.run_with(&["retry", "orders", "-"], leased.as_bytes()).succeeded();
    let id = server.objects(&["letters", "list", "dead"])[0]["id"].as_str().unwrap().to_owned();

    let retry = format!("hand it back to 'orders' with: redrive letters retry dead {id}");
    let waits = next(&server, &id);
    assert_eq!(waits, format!("waits for an operator: the policy never does not retry it; {retry}"));
    let ran = server.run(&advised(&waits)).succeeded();
    assert_eq!(ran.stderr, format!("{id}: Task handed back to 'orders'; status completed\n"));
    let back = "nothing: handed back to 'orders' at 2026-11-15T12:00:00Z; it is removed when its retention ends";
    assert_eq!(next(&server, &id), back);
    let last = show(&server, &id)["attempts"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["handed_back_to"], &last["outcome"]), (&json!("orders"), &json!("success")));
    let leased = server.run_ok(&["lease", "orders", "--output", "json"]);
    server.run_with(&["retry", "orders", "-"], leased.as_bytes()).succeeded();
    assert_eq!(next(&server, &id), waits, "it is the same letter, open again");

    // The processor and the resume say what to do instead, and that works.
    for arguments in [&["letters", "process", "dead", "start"][..], &["letters", "resume", "dead", &id]] {
        let ran = server.run(arguments);
        assert_eq!(ran.code, 4, "{arguments:?}");
        assert!(ran.stderr.contains("redrive letters retry dead --all"), "{}", ran.stderr);
    }
    let ran =
        server.run(&["letters", "retry", "dead", "--all", "--yes", "--reason", "the printer is back"]).succeeded();
    let plan = "1 letter of 'dead' to retry (1 pending)\nretried 1 letter of 'dead', skipped 0, failed 0\n";
    assert_eq!(ran.stderr, plan);
    server.run_ok(&["lease", "orders"]);
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
