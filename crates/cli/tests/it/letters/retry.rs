use serde_json::{Value, json};

use super::{UNKNOWN, captured, show, with_dead};
use crate::retries::{serve, target};

const NEVER: &[&str] = &["--retry-policy", "never"];

#[test]
fn a_manual_retry_reports_its_outcome() {
    let (url, _seen) = target(&[500, 200, 500, 200]);
    let server = serve("letters-retry", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let id = captured(&server, &[&["order 17", "--source-id", "a"][..], NEVER].concat());
    let failed = server.run(&["letters", "retry", "dead", &id, "--output", "json"]);
    assert_eq!(failed.code, 1);
    assert!(failed.stderr.starts_with("{\"error\":\"Task retry failed\","), "{}", failed.stderr);
    let line: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!((&line["id"], &line["success"]), (&json!(id), &json!(false)));
    assert_eq!((&line["message"], &line["status"]), (&json!("Task retry failed"), &json!("pending")));
    assert!(line["error"].as_str().is_some_and(|error| !error.is_empty()) && line["total_attempts"] == 2, "{line}");

    let ran = server.run(&["dlq", "retry", "dead", &id, "--reason", "the bank is back"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(ran.stderr, format!("{id}: Task successfully retried; status completed\n"));
    assert_eq!(show(&server, &id)["status"], "completed");
    assert_eq!(server.run(&["letters", "retry", "dead", &id]).code, 4, "a completed letter cannot be retried");
    assert_eq!(server.run(&["letters", "retry", "dead", UNKNOWN]).code, 3);

    for source_id in ["b", "c"] {
        captured(&server, &[&["order 18", "--source-id", source_id][..], NEVER].concat());
    }
    let waiting = server.run_ok(&["letters", "list", "dead", "-s", "pending", "--sort", "id", "-j"]);
    let ran = server.run_with(&["letters", "retry", "dead", "-", "-j"], waiting.as_bytes());
    let outcomes: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let successes: Vec<&Value> = outcomes.iter().map(|line| &line["success"]).collect();
    assert_eq!((ran.code, successes), (1, vec![&json!(false), &json!(true)]), "a failed retry does not end it");
    assert!(ran.stderr.starts_with("{\"error\":\"1 of 2 retries failed\","), "{}", ran.stderr);
}

#[test]
fn the_processor_is_paused_stopped_and_started() {
    let server = serve("letters-process", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    let state = |arguments: &[&str]| {
        let process = server.objects(&[&["letters"], arguments].concat()).remove(0);
        process["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(&["process", "dead"]), "running");
    assert_eq!(state(&["process", "dead", "pause"]), "paused");
    assert_eq!(state(&["process", "dead", "resume"]), "running");
    let stopped = server.objects(&["dlq", "stop-processor", "dead"]).remove(0);
    assert_eq!(
        stopped,
        json!({ "queue_name": "dead", "state": "stopped", "running": 0, "held": [], "trouble": null,
            "retry_interval_seconds": null, "destinations": [], "report": { "finished": 0, "deferred": 0, "aborted": 0 } })
    );
    assert_eq!(state(&["start-processor", "dead"]), "running");
    assert_eq!(server.run(&["letters", "process", "dead", "start"]).code, 4, "the processor is already running");
    let table = server.run_ok(&["letters", "process", "dead"]);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[..2], [vec!["queue", "dead"], vec!["state", "running"]]);
    assert_eq!(server.run(&["letters", "process", "dead", "dance"]).code, 2);
}

#[test]
fn the_processor_is_started_with_another_interval() {
    let server = serve("letters-interval", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    let object = |arguments: &[&str]| server.objects(&[&["dlq"], arguments].concat()).remove(0);
    assert_eq!(object(&["process", "dead"])["retry_interval_seconds"], 60);
    assert_eq!(object(&["stop-processor", "dead"])["retry_interval_seconds"], json!(null));
    assert_eq!(object(&["start-processor", "dead", "-i", "10"])["retry_interval_seconds"], 10);
    assert_eq!(object(&["status", "dead"])["retry_interval_seconds"], 10);
    let table = server.run_ok(&["letters", "process", "dead"]);
    assert!(table.lines().any(|line| line.split_whitespace().eq(["poll", "interval", "10", "s"])), "{table}");
    object(&["stop-processor", "dead"]);
    assert_eq!(object(&["process", "dead", "start"])["retry_interval_seconds"], 60, "the configured interval");
    assert_eq!(server.run(&["dlq", "start-processor", "dead", "--interval", "9"]).code, 2);
    assert_eq!(server.run(&["dlq", "process", "dead", "pause", "--interval", "60"]).code, 4, "only start takes it");
}

#[test]
fn retries_of_a_queue_without_a_target_are_rejected() {
    let server = with_dead();
    let id = captured(&server, &["x"]);
    for (arguments, error) in [
        (&["letters", "retry", "dead", &id][..], "error: the letter cannot be handed back to its origin"),
        (&["letters", "process", "dead", "start"], "error: No retry callback configured"),
    ] {
        let ran = server.run(arguments);
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
        assert!(ran.stderr.contains("dlq.targets"), "{}", ran.stderr);
    }
    assert_eq!(show(&server, &id)["total_attempts"], 1);
}
