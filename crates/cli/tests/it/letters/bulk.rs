use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{capture, captured, show, with_dead};
use crate::outcome;
use crate::retries::{serve, target};
use crate::terminal;
use crate::test_server::TestServer;

/// A server with this many letters in `dead`. Its clock runs: a run waits by it.
fn with_letters(count: usize) -> TestServer {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    let lines = "x\n".repeat(count);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes()).succeeded();
    server
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
    let mut data: Value = serde_json::from_str(&ran.stdout).unwrap();
    let id = data.as_object_mut().unwrap().remove("id").unwrap();
    assert_eq!(
        data,
        json!({ "queue_name": "dead", "action": "archive", "state": "finished", "cause": "", "planned": 2, "archived": 2,
            "skipped": 0, "failed": 0, "remaining": 0, "causes": [], "skips": [], "failures": [] })
    );
    let runs = server.objects(&["letters", "runs", "dead"]);
    assert_eq!((runs.len(), &runs[0]["id"], &runs[0]["archived"]), (1, &id, &json!(2)));
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
fn failed_retries_are_summed_up_by_cause_and_named_in_json() {
    let (url, _seen) = target(&[200, 500]);
    let server = serve("letters-bulk", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    for source_id in ["a", "b"] {
        captured(&server, &["order", "--source-id", source_id, "--retry-policy", "never"]);
    }
    let ran = server.run(&["letters", "bulk", "retry", "dead", "-s", "pending", "--yes", "--reason", "it is back"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  1 failed: transient\n"), "one line a cause: {}", ran.stderr);
    assert!(ran.stderr.contains("retried 2 letters of 'dead', skipped 0, failed 1\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: 1 of 2 retries failed\n"), "{}", ran.stderr);
    let run = server.objects(&["letters", "runs", "dead"])[0]["id"].clone();
    let run = server.objects(&["letters", "run", "dead", run.as_str().unwrap()]).remove(0);
    let failed = server.objects(&["letters", "list", "dead", "-s", "pending"]).remove(0);
    let failure = &run["failures"][0];
    assert_eq!((&failure["id"], &failure["status"]), (&failed["id"], &json!("pending")), "JSON names all of them");
    assert!(failure["error"].as_str().unwrap().contains("500"), "{failure}");
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
    let skipped = "\n  1 skipped: a live letter has the source id or the message\n";
    assert!(ran.code == 0 && ran.stderr.contains(skipped), "{}", ran.stderr);
    server.run_ok(&["letters", "archive", "dead", &live]);
}

#[test]
fn an_interrupt_ends_the_command_and_not_the_run() {
    let server = with_letters(600);
    let arguments = ["letters", "bulk", "purge", "dead", "--all", "--yes", "--rate", "60", "--reason", "cleanup", "-j"];
    let child = server.command(&arguments).spawn().unwrap();
    let run = loop {
        if let Some(run) = server.objects(&["letters", "runs", "dead"]).first().filter(|run| run["state"] == "running")
        {
            break run["id"].as_str().unwrap().to_owned();
        }
    };
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ran = outcome(child);
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    let data: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&data["id"], &data["planned"]), (&json!(run), &json!(600)), "{data}");
    let error: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
    assert!(error["error"].as_str().unwrap().starts_with("interrupted; the server goes on with "), "{error}");
    assert!(error["remedy"].as_str().unwrap().contains(&format!("redrive letters cancel dead {run}")), "{error}");
    let done = server.objects(&["letters", "run", "dead", &run]).remove(0);
    assert_eq!((&done["state"], &done["purged"]), (&json!("finished"), &json!(600)), "the server went on");
}

#[test]
fn a_detached_run_is_followed_and_cancelled_by_its_id() {
    let server = with_letters(50);
    let bulk = ["letters", "bulk", "archive", "dead", "--all", "--yes", "--rate", "1", "--detach", "--reason", "r"];
    let started = server.run(&bulk).succeeded();
    let ran = server.objects(&["letters", "runs", "dead"]).remove(0);
    let id = ran["id"].as_str().unwrap();
    assert!(started.stderr.contains(&format!("redrive letters run dead {id}")), "{}", started.stderr);
    let cancelled = server.objects(&["letters", "cancel", "dead", id]).remove(0);
    assert_eq!(cancelled["state"], "cancelled");
    let (archived, remaining) = (cancelled["archived"].as_u64().unwrap(), cancelled["remaining"].as_u64().unwrap());
    assert!(archived + remaining == 50 && remaining > 0, "{cancelled}");
    let again = server.run(&["letters", "continue", "dead", id, "--reason", "again"]);
    assert!(again.code == 1 && again.stderr.contains("cancelled by 'anonymous'"), "{}", again.stderr);
    assert_eq!(server.run(&["letters", "cancel", "dead", "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz"]).code, 3);
}

#[test]
fn a_declined_question_changes_nothing_and_is_no_error() {
    let server = with_dead();
    let id = capture(&server, "a");
    let bulk = ["letters", "bulk", "purge", "dead", "--all", "--reason", "cleanup"];
    for arguments in [&bulk[..], &["letters", "purge", "dead", &id, "--reason", "cleanup"]] {
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
    let arguments = ["letters", "bulk", "archive", "dead", "--all", "--yes", "--rate", "500", "--reason", "cleanup"];
    let mut shown = terminal::start(server.command(&arguments));
    shown.wait_for("/1500 letters, ");
    shown.wait_for("/s, ");
    shown.wait_for(" left");
    let (code, printed) = shown.end();
    assert!(code == 0 && printed.contains("archived 1500 letters of 'dead', skipped 0, failed 0"), "{printed}");
}
