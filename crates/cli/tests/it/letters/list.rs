use serde_json::{Value, json};

use super::{capture, captured, with_dead};
use crate::test_server::TestServer;

fn sources(server: &TestServer, arguments: &[&str]) -> Vec<String> {
    let listed = server.objects(&[&["letters", "list", "dead"], arguments].concat());
    listed.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn letters_are_selected_by_status_filter_and_limit() {
    let server = with_dead();
    let first = capture(&server, "a");
    captured(&server, &["x", "--source-id", "b", "--error", "permission denied", "--metadata", "tenant=acme"]);
    captured(&server, &["x", "--source-id", "c", "--max-retries", "0"]);
    server.run_ok(&["letters", "archive", "dead", &first]);
    assert_eq!(sources(&server, &[]), ["a", "b", "c"]);
    assert_eq!(sources(&server, &["--status", "archived"]), ["a"]);
    assert_eq!(sources(&server, &["-s", "pending,exhausted"]), ["b", "c"]);
    assert_eq!(sources(&server, &["-s", "pending", "-s", "ARCHIVED"]), ["a", "b"]);
    assert_eq!(sources(&server, &["--filter", "category == 'permission'"]), ["b"]);
    assert_eq!(sources(&server, &["--filter", "'tenant' in metadata && metadata.tenant == 'acme'"]), ["b"]);
    assert_eq!(sources(&server, &["-l", "2"]), ["a", "b"]);
}

#[test]
fn a_table_is_limited_to_fifty_letters_and_json_is_not() {
    let server = with_dead();
    let lines = "x\n".repeat(1_200);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let ran = server.run(&["letters", "list", "dead"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 51));
    assert_eq!(ran.stderr, "only the first 50 letters are listed; list more with --limit COUNT\n");
    let all = server.run_ok(&["letters", "list", "dead", "--json"]);
    assert_eq!(all.lines().count(), 1_200, "more than one page");
    assert_eq!(server.run_ok(&["letters", "list", "dead", "-l", "1100", "-j"]).lines().count(), 1_100);
    let long = server.run(&["letters", "list", "dead", "--limit", "2000"]);
    assert_eq!((long.stdout.lines().count(), long.stderr.as_str()), (1_201, ""));
}

#[test]
fn a_line_has_every_field_and_no_payload() {
    let server = with_dead();
    let id = capture(&server, "order-17");
    let line: Value = serde_json::from_str(&server.run_ok(&["dlq", "list", "dead", "-j"])).unwrap();
    let mut line = line.as_object().unwrap().clone();
    assert!(line.remove("revision").unwrap().as_u64().unwrap() > 0);
    assert_eq!(line.remove("fingerprint").unwrap().as_str().unwrap().len(), 32);
    assert_eq!(
        Value::Object(line),
        json!({ "id": id, "queue_name": "dead", "source_id": "order-17", "generation": 1, 
            "status": "pending", "category": "transient", "retry_policy": "exponential", "policy_source": "default",
            "retry_count": 0, "max_retries": 3, "total_attempts": 1, "priority": "medium", "destination": null,
            "next_retry_at": "2026-11-15T12:01:00Z", "first_failed_at": "2026-11-15T12:00:00Z",
            "last_failed_at": "2026-11-15T12:00:00Z", "ended_at": null, "lease_deadline": null,
            "expire_deadline": null, "outcome_unknown": false, "overflow": false, "blocked": false,
            "damaged": false, "before": null,
            "task_id": "order-17", "failed_at": "2026-11-15T12:00:00Z", "error_category": "transient",
            "exhausted_at": null, "completed_at": null, "archived_at": null, "archived_from": null,
            "updated_at": "2026-11-15T12:00:00Z" })
    );
    let table = server.run_ok(&["letters", "list", "dead"]);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(
        row[1..],
        ["pending", "transient", "exponential", "0/3", "2026-11-15T12:01:00Z", "2026-11-15T12:00:00Z", "order-17"]
    );
}

#[test]
fn letters_are_grouped_by_fingerprint() {
    let server = with_dead();
    for (source_id, error) in [("a", "order 1 not found"), ("b", "order 2 not found"), ("c", "timed out")] {
        captured(&server, &["x", "--source-id", source_id, "--error", error]);
    }
    let groups = server.objects(&["letters", "groups", "dead"]);
    let mut counts: Vec<i64> = groups.iter().map(|group| group["count"].as_i64().unwrap()).collect();
    counts.sort_unstable();
    assert_eq!((counts, &groups[0]["first_seen"]), (vec![1, 2], &json!("2026-11-15T12:00:00Z")));
    let fingerprint = groups.iter().find(|group| group["count"] == 2).unwrap()["fingerprint"].as_str().unwrap();
    assert_eq!(sources(&server, &["--filter", &format!("fingerprint == '{fingerprint}'")]), ["a", "b"]);
    let table = server.run_ok(&["letters", "groups", "dead"]);
    assert!(table.starts_with("FINGERPRINT") && table.lines().count() == 3, "{table}");
}

#[test]
fn invalid_arguments_are_rejected() {
    let server = with_dead();
    for (arguments, code, words) in [
        (&["letters", "list", "deed"][..], 3, "there is one named 'dead'"),
        (&["letters", "groups", "missing"], 3, "no such queue named 'missing'"),
        (&["letters", "list", "dead", "--filter", "category =="], 4, "filter"),
        (&["letters", "list", "dead", "--status", "asleep"], 2, "asleep"),
        (&["letters", "list", "dead", "--limit", "0"], 2, "0"),
    ] {
        let ran = server.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}
