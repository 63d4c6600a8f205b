use serde_json::{Value, json};

use super::{capture, captured, with_dead};
use crate::bed::Bed;

fn sources(bed: &Bed, arguments: &[&str]) -> Vec<String> {
    let listed = bed.objects(&[&["letters", "list", "dead"], arguments].concat());
    listed.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn letters_are_chosen_by_status_filter_and_count() {
    let bed = with_dead();
    let first = capture(&bed, "a");
    captured(&bed, &["x", "--source-id", "b", "--error", "permission denied", "--metadata", "tenant=acme"]);
    captured(&bed, &["x", "--source-id", "c", "--max-retries", "0"]);
    bed.done(&["letters", "archive", "dead", &first]);
    assert_eq!(sources(&bed, &[]), ["a", "b", "c"]);
    assert_eq!(sources(&bed, &["--status", "archived"]), ["a"]);
    assert_eq!(sources(&bed, &["-s", "pending,exhausted"]), ["b", "c"]);
    assert_eq!(sources(&bed, &["-s", "pending", "-s", "ARCHIVED"]), ["a", "b"]);
    assert_eq!(sources(&bed, &["--filter", "category == 'permission'"]), ["b"]);
    assert_eq!(sources(&bed, &["--filter", "'tenant' in metadata && metadata.tenant == 'acme'"]), ["b"]);
    assert_eq!(sources(&bed, &["-l", "2"]), ["a", "b"]);
}

#[test]
fn a_table_has_fifty_and_says_that_there_may_be_more_and_json_has_all() {
    let bed = with_dead();
    let lines = "x\n".repeat(1_200);
    bed.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let ran = bed.run(&["letters", "list", "dead"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 51));
    assert_eq!(ran.stderr, "these are the first 50, and there may be more: --limit COUNT shows them\n");
    let all = bed.done(&["letters", "list", "dead", "--json"]);
    assert_eq!(all.lines().count(), 1_200, "more than one page");
    assert_eq!(bed.done(&["letters", "list", "dead", "-l", "1100", "-j"]).lines().count(), 1_100);
    let long = bed.run(&["letters", "list", "dead", "--limit", "2000"]);
    assert_eq!((long.stdout.lines().count(), long.stderr.as_str()), (1_201, ""));
}

#[test]
fn a_line_has_every_field_and_no_payload() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let line: Value = serde_json::from_str(&bed.done(&["dlq", "list", "dead", "-j"])).unwrap();
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
            "damaged": false, "before": null })
    );
    let table = bed.done(&["letters", "list", "dead"]);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(
        row[1..],
        ["pending", "transient", "exponential", "0/3", "2026-11-15T12:01:00Z", "2026-11-15T12:00:00Z", "order-17"]
    );
}

#[test]
fn faults_are_counted() {
    let bed = with_dead();
    for (source_id, error) in [("a", "order 1 not found"), ("b", "order 2 not found"), ("c", "timed out")] {
        captured(&bed, &["x", "--source-id", source_id, "--error", error]);
    }
    let groups = bed.objects(&["letters", "groups", "dead"]);
    let mut counts: Vec<i64> = groups.iter().map(|group| group["count"].as_i64().unwrap()).collect();
    counts.sort_unstable();
    assert_eq!((counts, &groups[0]["first_seen"]), (vec![1, 2], &json!("2026-11-15T12:00:00Z")));
    let fingerprint = groups.iter().find(|group| group["count"] == 2).unwrap()["fingerprint"].as_str().unwrap();
    assert_eq!(sources(&bed, &["--filter", &format!("fingerprint == '{fingerprint}'")]), ["a", "b"]);
    let table = bed.done(&["letters", "groups", "dead"]);
    assert!(table.starts_with("FINGERPRINT") && table.lines().count() == 3, "{table}");
}

#[test]
fn what_is_wrong_is_said() {
    let bed = with_dead();
    for (arguments, code, words) in [
        (&["letters", "list", "deed"][..], 3, "there is one named 'dead'"),
        (&["letters", "groups", "nobody"], 3, "no such queue named 'nobody'"),
        (&["letters", "list", "dead", "--filter", "category =="], 4, "filter"),
        (&["letters", "list", "dead", "--status", "asleep"], 2, "asleep"),
        (&["letters", "list", "dead", "--limit", "0"], 2, "0"),
    ] {
        let ran = bed.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}
