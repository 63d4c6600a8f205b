use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::gate::Gate;
use super::{capture, captured, show, with_dead};
use crate::outcome;
use crate::retries::{serve, target};
use crate::terminal;
use crate::test_server::TestServer;

/// A server with this many letters in `dead`.
fn with_letters(count: usize) -> TestServer {
    let server = with_dead();
    let lines = "x\n".repeat(count);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes()).succeeded();
    server
}

/// A command that calls a server through a gate.
fn through(gate: &Gate, server: &TestServer, arguments: &[&str]) -> Command {
    let mut command = server.command(arguments);
    command.env("REDRIVE_SERVER", &gate.url);
    command
}

#[test]
fn matching_letters_are_archived_after_a_plan() {
    let server = with_dead();
    capture(&server, "a");
    capture(&server, "b");
    captured(&server, &["x", "--source-id", "c", "--error", "permission denied"]);
    let bulk = |more: &[&str]| server.run(&[&["letters", "bulk", "archive", "dead"], more].concat());
    bulk(&["--status", "pending", "--yes"]).fails(2, "--reason");
    bulk(&["--yes", "--reason", "why"]).fails(2, "--filter");
    let ran =
        bulk(&["--filter", "category == 'transient'", "--yes", "--reason", "why", "--output", "json"]).succeeded();
    assert!(ran.stderr.contains("2 letters of 'dead' to archive (2 pending)"), "{}", ran.stderr);
    let data: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        data,
        json!({ "queue_name": "dead", "planned": 2, "archived": 2, "skipped": 0, "failed": 0, "remaining": 0,
            "more": false, "skips": [], "failures": [] })
    );
    server.run_ok(&["dlq", "clear", "dead", "--all", "--include-archived", "-f", "--reason", "all"]);
    assert_eq!(server.objects(&["letters", "stats", "dead"])[0]["lifetime_stats"]["cleared"], 3);
}

#[test]
fn a_dry_run_shows_the_plan_and_changes_nothing() {
    let server = with_dead();
    let id = capture(&server, "a");
    for action in ["archive", "purge"] {
        let ran = server.run(&["letters", "bulk", action, "dead", "--all", "--dry-run"]);
        let plan = format!("1 letter of 'dead' to {action} (1 pending); nothing was changed\n");
        assert_eq!((ran.code, ran.stderr), (0, plan), "it needs neither a reason nor a confirmation");
    }
    let plan = server.objects(&["letters", "bulk", "restore", "dead", "--all", "--dry-run"]).remove(0);
    assert_eq!((&plan["planned"], &plan["ineligible"]), (&json!(0), &json!(1)));
    assert_eq!(show(&server, &id)["status"], "pending");
}

#[test]
fn every_failed_retry_and_every_skipped_letter_is_named_with_its_reason() {
    let (url, _seen) = target(&[200, 500]);
    let server = serve("letters-bulk", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    for source_id in ["a", "b"] {
        captured(&server, &["order", "--source-id", source_id, "--retry-policy", "never"]);
    }
    let ran = server.run(&["letters", "bulk", "retry", "dead", "-s", "pending", "--yes", "--reason", "it is back"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    let failed = server.objects(&["letters", "list", "dead", "-s", "pending"]).remove(0);
    let id = failed["id"].as_str().unwrap();
    let named = ran.stderr.lines().find(|line| line.starts_with(id)).unwrap_or_else(|| panic!("{}", ran.stderr));
    assert!(named.contains(": failed: ") && named.contains("500") && named.ends_with("; status pending"), "{named}");
    assert!(ran.stderr.contains("retried 2 letters of 'dead', skipped 0, failed 1\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: 1 of 2 retries failed\n"), "{}", ran.stderr);
    let stats = server.objects(&["letters", "stats", "dead"]).remove(0);
    assert_eq!(stats["by_trigger"]["manual"], json!({ "success": 1, "failed": 1 }));
    assert_eq!((&stats["is_processor_running"], &stats["retry_success_percent"]), (&true.into(), &50.0.into()));
}

#[test]
fn archived_letters_are_restored_and_one_whose_work_has_a_live_letter_is_not() {
    let server = with_dead();
    let (first, second) = (capture(&server, "a"), capture(&server, "b"));
    server.run_ok(&["letters", "archive", "dead", &first, &second]);
    let live = capture(&server, "b");
    let restore = ["letters", "bulk", "restore", "dead", "--all", "--yes", "--reason", "too early"];
    let data = server.objects(&restore).remove(0);
    assert_eq!((&data["planned"], &data["restored"], &data["skipped"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(data["skips"], json!([{ "id": second, "reason": "held" }]));
    assert_eq!(show(&server, &first)["status"], "pending");
    let ran = server.run(&restore);
    let skipped = format!("{second}: skipped: a live letter has its source id or its message\n");
    assert!(ran.code == 0 && ran.stderr.contains(&skipped), "{}", ran.stderr);
    server.run_ok(&["letters", "archive", "dead", &live]);
}

#[test]
fn an_interrupted_purge_stops_between_two_requests_and_reports_what_was_done() {
    let server = with_letters(5_500);
    let gate = Gate::before(&server, "/v1/letters.confirm");
    let arguments = ["letters", "bulk", "purge", "dead", "--all", "--yes", "--reason", "cleanup", "-j"];
    let child = through(&gate, &server, &arguments).spawn().unwrap();
    assert!(gate.wait(), "the first request");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    gate.release();
    let waiter = std::thread::spawn(move || outcome(child));
    // A request may have begun before the signal arrived.
    while !waiter.is_finished() {
        if gate.is_waiting() {
            gate.release();
        }
        std::thread::yield_now();
    }
    let ran = waiter.join().unwrap();
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    let data: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (purged, remaining) = (data["purged"].as_u64().unwrap(), data["remaining"].as_u64().unwrap());
    assert!(purged >= 1_000 && remaining >= 500 && purged + remaining == 5_500, "{data}");
    let error: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(error["error"], format!("interrupted; {remaining} letters of the plan are unchanged"));
    let stats = server.objects(&["letters", "stats", "dead"]).remove(0);
    assert_eq!(
        (stats["queue_size"].as_u64(), stats["lifetime_stats"]["cleared"].as_u64()),
        (Some(remaining), Some(purged))
    );
}

#[test]
fn a_declined_question_changes_nothing_and_is_no_error() {
    let server = with_dead();
    let id = capture(&server, "a");
    let bulk = ["letters", "bulk", "purge", "dead", "--all", "--reason", "cleanup"];
    for arguments in [&bulk[..], &["letters", "purge", "dead", &id]] {
        let mut asked = terminal::start(server.command(arguments));
        asked.wait_for("Continue? [y/N] ");
        asked.answer("n");
        let (code, printed) = asked.end();
        assert_eq!(code, 0, "{printed}");
        assert!(printed.ends_with("nothing was changed\r\n"), "{printed}");
        assert_eq!(show(&server, &id)["status"], "pending");
    }
    let mut asked = terminal::start(server.command(&bulk));
    asked.wait_for("This will purge 1 letter of 'dead'. Continue? [y/N] ");
    kill_process(Pid::from_child(&asked.child), Signal::INT).unwrap();
    assert_eq!(asked.end().0, 130);
    assert_eq!(show(&server, &id)["status"], "pending");
    let mut asked = terminal::start(server.command(&bulk));
    asked.wait_for("Continue? [y/N] ");
    asked.answer("Y");
    assert_eq!(asked.end().0, 0);
    assert_eq!(server.run(&["letters", "show", "dead", &id]).code, 3);
    assert_eq!(server.run(&["letters", "bulk", "purge", "dead", "--all", "--reason", "r"]).code, 0, "nothing to ask");
}

#[test]
fn progress_with_rate_and_rest_is_shown_on_a_terminal() {
    let server = with_letters(1_500);
    let gate = Gate::before(&server, "/v1/letters.confirm");
    let arguments = ["letters", "bulk", "archive", "dead", "--all", "--yes", "--reason", "cleanup"];
    let mut shown = terminal::start(through(&gate, &server, &arguments));
    assert!(gate.wait());
    gate.release();
    assert!(gate.wait(), "the second request waits");
    shown.wait_for("1000/1500 letters, ");
    shown.wait_for("/s, ");
    shown.wait_for(" left");
    gate.release();
    let (code, printed) = shown.end();
    assert!(code == 0 && printed.contains("archived 1500 letters of 'dead', skipped 0, failed 0"), "{printed}");
}
