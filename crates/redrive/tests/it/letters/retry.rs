use serde_json::{Value, json};

use super::{UNKNOWN, captured, show, with_dead};
use crate::retries::{serve, target};

const NEVER: &[&str] = &["--retry-policy", "never"];

#[test]
fn a_letter_is_retried_now_and_its_outcome_told() {
    let (url, _seen) = target(&[500, 200, 500, 200]);
    let bed = serve("letters-retry", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let id = captured(&bed, &[&["order 17", "--source-id", "a"][..], NEVER].concat());
    let failed = bed.run(&["letters", "retry", "dead", &id, "--output", "json"]);
    assert_eq!(failed.code, 1);
    assert!(failed.stderr.starts_with("error: Task retry failed\n"), "{}", failed.stderr);
    let told: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!((&told["id"], &told["success"]), (&json!(id), &json!(false)));
    assert_eq!((&told["message"], &told["status"]), (&json!("Task retry failed"), &json!("pending")));
    assert!(told["error"].as_str().is_some_and(|error| !error.is_empty()) && told["total_attempts"] == 2, "{told}");

    let ran = bed.run(&["dlq", "retry", "dead", &id, "--reason", "the bank is back"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(ran.stderr, format!("{id}: Task successfully retried; it is completed\n"));
    assert_eq!(show(&bed, &id)["status"], "completed");
    assert_eq!(bed.run(&["letters", "retry", "dead", &id]).code, 4, "it is done");
    assert_eq!(bed.run(&["letters", "retry", "dead", UNKNOWN]).code, 3);

    for source_id in ["b", "c"] {
        captured(&bed, &[&["order 18", "--source-id", source_id][..], NEVER].concat());
    }
    let waiting = bed.done(&["letters", "list", "dead", "-s", "pending", "-j"]);
    let ran = bed.run_with(&["letters", "retry", "dead", "-", "-j"], waiting.as_bytes());
    let outcomes: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let successes: Vec<&Value> = outcomes.iter().map(|told| &told["success"]).collect();
    assert_eq!((ran.code, successes), (1, vec![&json!(false), &json!(true)]), "one that fails does not end it");
    assert!(ran.stderr.starts_with("error: 1 of 2 retries failed\n"), "{}", ran.stderr);
}

#[test]
fn what_retries_letters_is_looked_at_paused_stopped_and_started() {
    let bed = serve("letters-process", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    let state = |arguments: &[&str]| {
        let told = bed.objects(&[&["letters"], arguments].concat()).remove(0);
        told["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(&["process", "dead"]), "running");
    assert_eq!(state(&["process", "dead", "pause"]), "paused");
    assert_eq!(state(&["process", "dead", "resume"]), "running");
    let stopped = bed.objects(&["dlq", "stop-processor", "dead"]).remove(0);
    assert_eq!(
        stopped,
        json!({ "queue_name": "dead", "state": "stopped", "running": 0, "held": [], "trouble": null,
            "retry_interval_seconds": null, "report": { "finished": 0, "deferred": 0, "aborted": 0 } })
    );
    assert_eq!(state(&["start-processor", "dead"]), "running");
    assert_eq!(bed.run(&["letters", "process", "dead", "start"]).code, 4, "it runs already");
    let table = bed.done(&["letters", "process", "dead"]);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[..2], [vec!["queue", "dead"], vec!["state", "running"]]);
    assert_eq!(bed.run(&["letters", "process", "dead", "dance"]).code, 2);
}

#[test]
fn the_processor_is_started_with_an_interval_of_its_own() {
    let bed = serve("letters-interval", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    let told = |arguments: &[&str]| bed.objects(&[&["dlq"], arguments].concat()).remove(0);
    assert_eq!(told(&["process", "dead"])["retry_interval_seconds"], 60);
    assert_eq!(told(&["stop-processor", "dead"])["retry_interval_seconds"], json!(null));
    assert_eq!(told(&["start-processor", "dead", "-i", "10"])["retry_interval_seconds"], 10);
    assert_eq!(told(&["status", "dead"])["retry_interval_seconds"], 10);
    let table = bed.done(&["letters", "process", "dead"]);
    assert!(table.lines().any(|line| line.split_whitespace().eq(["looks", "every", "10", "s"])), "{table}");
    told(&["stop-processor", "dead"]);
    assert_eq!(told(&["process", "dead", "start"])["retry_interval_seconds"], 60, "as the server is configured");
    assert_eq!(bed.run(&["dlq", "start-processor", "dead", "--interval", "9"]).code, 2);
    assert_eq!(bed.run(&["dlq", "process", "dead", "pause", "--interval", "60"]).code, 4, "only start takes it");
}

#[test]
fn a_queue_without_a_target_says_so() {
    let bed = with_dead();
    let id = captured(&bed, &["x"]);
    for arguments in [&["letters", "retry", "dead", &id][..], &["letters", "process", "dead", "start"]] {
        let ran = bed.run(arguments);
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("error: No retry callback configured"), "{}", ran.stderr);
        assert!(ran.stderr.contains("dlq.targets"), "{}", ran.stderr);
    }
    assert_eq!(show(&bed, &id)["total_attempts"], 1);
}
