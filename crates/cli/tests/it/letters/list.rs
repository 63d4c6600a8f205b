use serde_json::{Value, json};

use super::{capture, captured, with_dead, with_target};
use crate::test_server::{TestServer, words};

fn sources(server: &TestServer, arguments: &[&str]) -> Vec<String> {
    let listed = server.objects(&[&["letters", "list", "dead"], arguments].concat());
    listed.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn live_letters_are_listed_the_newest_first() {
    let server = with_dead();
    let first = capture(&server, "a");
    captured(&server, &["x", "--source-id", "b", "--error", "permission denied", "--metadata", "tenant=acme"]);
    captured(&server, &["x", "--source-id", "c", "--max-retries", "0"]);
    server.run_ok(&["letters", "archive", "dead", &first]);
    assert_eq!(sources(&server, &[]), ["c", "b"]);
    assert_eq!(sources(&server, &["--all"]), ["c", "b", "a"]);
    assert_eq!(sources(&server, &["--sort", "id", "-a"]), ["a", "b", "c"]);
    assert_eq!(sources(&server, &["--status", "archived"]), ["a"]);
    assert_eq!(sources(&server, &["-s", "pending,exhausted"]), ["c", "b"]);
    assert_eq!(sources(&server, &["-s", "pending", "-s", "ARCHIVED"]), ["b", "a"]);
    assert_eq!(sources(&server, &["--filter", "category == 'permission'"]), ["b"]);
    assert_eq!(sources(&server, &["-l", "1"]), ["c"]);
    server.run_ok(&["letters", "archive", "dead", "b", "c"]);
    let none = server.run(&["letters", "list", "dead"]);
    assert_eq!((none.code, none.stdout.lines().count()), (0, 1), "a header only");
    assert_eq!(none.stderr, "no live letters; include completed and archived ones with --all\n");
}

#[test]
fn letters_are_sorted_by_their_next_retry_in_both_directions() {
    let server = with_target("letters-letters-are-sorted-by-their-next-retry-in-both-directions");
    for (source_id, policy) in [("never", "never"), ("later", "linear"), ("soon", "exponential"), ("now", "immediate")]
    {
        captured(&server, &["x", "--source-id", source_id, "--error", "timed out", "--retry-policy", policy]);
    }
    assert_eq!(sources(&server, &["--sort", "due"]), ["now", "soon", "later", "never"]);
    assert_eq!(sources(&server, &["--sort", "-due"]), ["later", "soon", "now", "never"]);
    assert_eq!(sources(&server, &["--sort=-due", "-l", "2"]), ["later", "soon"]);
}

#[test]
fn a_sorted_list_is_complete_over_many_pages() {
    let server = with_target("letters-a-sorted-list-is-complete-over-many-pages");
    let lines = "x\n".repeat(1_100);
    let capture = |policy: &str| {
        let arguments =
            ["letters", "capture", "dead", "--source-id", policy, "--error", "timed out", "--retry-policy", policy];
        assert_eq!(server.run_with(&arguments, lines.as_bytes()).code, 0);
    };
    capture("linear");
    capture("never");
    for sort in ["id", "-id", "due", "-due"] {
        let mut listed = sources(&server, &["--sort", sort]);
        assert_eq!(listed.len(), 2_200, "{sort}");
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), 2_200, "{sort}: each letter once");
    }
    assert!(sources(&server, &["--sort", "due"])[..1_100].iter().all(|source_id| source_id.starts_with("linear")));
}

#[test]
fn letters_are_selected_by_the_time_of_their_capture() {
    let server = with_target("letters-letters-are-selected-by-the-time-of-their-capture");
    for source_id in ["a", "b", "c"] {
        capture(&server, source_id);
        server.advance("1h");
    }
    assert_eq!(sources(&server, &["--since", "2h"]), ["c", "b"], "the time of the server counts");
    assert_eq!(sources(&server, &["--since", "1d"]), ["c", "b", "a"]);
    assert_eq!(sources(&server, &["--until", "2h"]), ["a"], "the end is exclusive");
    assert_eq!(sources(&server, &["--since", "3h", "--until", "1h"]), ["b", "a"]);
    assert_eq!(sources(&server, &["--since", "2026-11-15T13:00:00Z", "--sort", "due"]), ["b", "c"]);
    assert_eq!(sources(&server, &["--since", "2026-11-15T15:00:00+01:00"]), ["c"]);
    let one = server.run(&["letters", "list", "dead", "--since", "2h", "-l", "1"]);
    assert_eq!(one.stderr, "1 of 2 live letters; list more with --limit COUNT\n");
}

#[test]
fn a_filter_knows_the_time_durations_and_missing_keys() {
    let server = with_target("letters-a-filter-knows-the-time-durations-and-missing-keys");
    captured(&server, &["x", "--source-id", "old", "--error", "timed out", "--metadata", "tenant=acme"]);
    server.advance("3h");
    captured(&server, &["x", "--source-id", "new", "--error", "timed out"]);
    for (filter, expected) in [
        ("last_failed_at > now() - duration('2h')", &["new"][..]),
        ("now() - last_failed_at >= duration('3h')", &["old"]),
        ("updated_at < now() - duration('1h30m') && category == 'network'", &["old"]),
        ("next_retry_at != null && next_retry_at < now() + duration('1d')", &["new", "old"]),
        ("metadata.tenant == 'acme'", &["old"]),
        ("metadata.tenant != 'acme'", &["new"]),
        ("metadata.tenant == null", &["new"]),
        ("!has(metadata.tenant)", &["new"]),
    ] {
        assert_eq!(sources(&server, &["--filter", filter]), expected, "{filter}");
    }
    server
        .run(&["letters", "list", "dead", "--filter", "last_failed_at > duration('2h')"])
        .fails(4, "last_failed_at > now() - duration('2h')");
}

#[test]
fn a_table_is_limited_to_fifty_letters_and_names_the_total() {
    let server = with_dead();
    let lines = "x\n".repeat(1_200);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let ran = server.run(&["letters", "list", "dead"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 51));
    assert_eq!(ran.stderr, "50 of 1200 live letters; list more with --limit COUNT\n");
    let all = server.run_ok(&["letters", "list", "dead", "--json"]);
    assert_eq!(all.lines().count(), 1_200, "more than one page");
    assert_eq!(server.run_ok(&["letters", "list", "dead", "-l", "1100", "-j"]).lines().count(), 1_100);
    let long = server.run(&["letters", "list", "dead", "--limit", "2000"]);
    assert_eq!((long.stdout.lines().count(), long.stderr.as_str()), (1_201, "1200 live letters\n"));
    let exact = server.run(&["letters", "list", "dead", "--limit", "1200", "--all"]);
    assert_eq!(exact.stderr, "1200 letters\n");
    let of_index = server.run(&["letters", "list", "dead", "-l", "1", "--filter", "category == 'permanent'"]);
    assert_eq!(of_index.stderr, "1 of 1200 live letters; list more with --limit COUNT\n");
    let examined = server.run(&["letters", "list", "dead", "-l", "1", "--filter", "retry_count < 9"]);
    assert_eq!(examined.stderr, "the first 1 letter; list more with --limit COUNT\n", "the others are not examined");
}

#[test]
fn a_line_has_every_field_and_no_payload() {
    let server = with_target("letters-a-line-has-every-field-and-no-payload");
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
            "updated_at": "2026-11-15T12:00:00Z", "last_error": "HTTP 503 Service Unavailable" })
    );
    let table = server.run_ok(&["letters", "list", "dead"]);
    let row = words(table.lines().nth(1).unwrap());
    let expected = "pending transient now in 1m 0/3 exponential - order-17 HTTP 503 Service Unavailable";
    assert_eq!(row[1..], words(expected), "a pipe has all columns");
}

#[test]
fn invalid_arguments_are_rejected() {
    let server = with_dead();
    for (arguments, code, words) in [
        (&["letters", "list", "deed"][..], 3, "there is one named 'dead'"),
        (&["letters", "groups", "missing"], 3, "no such queue named 'missing'"),
        (&["letters", "list", "dead", "--filter", "category =="], 2, "expected a CEL expression that compiles"),
        (&["letters", "list", "dead", "--filter", "colour == 'red'"], 4, "filter is invalid"),
        (&["letters", "list", "dead", "--all", "--status", "pending"], 2, "--all"),
        (&["letters", "list", "dead", "--filter", "headers.a == 'b'"], 2, "--reason"),
        (&["letters", "bulk", "archive", "dead", "--filter", "key == 'b'", "--dry-run"], 2, "--reason"),
    ] {
        let ran = server.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}
