use serde_json::{Value, json};

use super::{capture, captured, show, with_dead};
use crate::file;

#[test]
fn a_failure_is_kept_with_all_that_is_said_of_it() {
    let bed = with_dead();
    let first = capture(&bed, "order-16");
    let id = captured(
        &bed,
        &[
            "one book",
            "--source-id",
            "order-17",
            "--error",
            "no such customer",
            "--type",
            "ValidationError",
            "--kind",
            "order",
            "--encoding",
            "json",
            "--reference",
            "r",
            "--key",
            "k",
            "--header",
            "h=v",
            "--part",
            "eu",
            "--metadata",
            "tenant=acme",
            "--trace-id",
            "t-1",
            "--request-id",
            "q-1",
            "--reply-to",
            "replies",
            "--transport",
            "kafka",
            "--origin",
            "orders",
            "--consumer",
            "billing",
            "--partition",
            "3",
            "--offset",
            "42",
            "--retry-policy",
            "linear",
            "--max-retries",
            "5",
            "--priority",
            "high",
            "--depends-on",
            &first,
            "--failed-at",
            "2026-11-15T11:00:00Z",
            "--destination",
            "the bank",
        ],
    );
    let shown = bed.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    let expected = [
        ("status", json!("pending")),
        ("category", json!("validation")),
        ("retry_policy", json!("linear")),
        ("policy_source", json!("explicit")),
        ("max_retries", json!(5)),
        ("priority", json!("high")),
        ("destination", json!("the bank")),
        ("next_retry_at", json!(null)),
        ("blocked", json!(true)),
        ("first_failed_at", json!("2026-11-15T11:00:00Z")),
        ("parts", json!(["eu"])),
        ("depends_on", json!([first])),
        ("reply_to", json!("replies")),
        ("trace_id", json!("t-1")),
        ("request_id", json!("q-1")),
    ];
    for (field, value) in expected {
        assert_eq!(shown[field], value, "{field}");
    }
    assert_eq!(
        shown["content"],
        json!({ "kind": "order", "encoding": "json", "reference": "r", "payload_bytes": 8, "key": "k",
            "headers": [{ "name": "h", "value": "v" }], "payload": "one book" })
    );
    let origin = &shown["origin"];
    assert_eq!((&origin["name"], &origin["partition"], &origin["offset"]), (&json!("orders"), &json!(3), &json!(42)));
    assert_eq!(shown["metadata"]["tenant"], "acme");
    let attempt = &shown["attempts"][0];
    assert_eq!((&attempt["error"], &attempt["error_type"]), (&json!("no such customer"), &json!("ValidationError")));
}

#[test]
fn a_second_failure_of_the_same_work_is_the_same_letter() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let again = bed.objects(&["dlq", "capture", "dead", "payload of it", "--source-id", "order-17", "--http", "500"]);
    assert_eq!(
        (&again[0]["id"], &again[0]["reason"], &again[0]["created"]),
        (&json!(id), &json!("merged"), &json!(false))
    );
    assert_eq!(again[0]["rule"], "http:500");
    let other = bed.run(&["letters", "capture", "dead", "another payload", "--source-id", "order-17"]);
    assert_eq!((other.code, other.stdout.as_str()), (4, ""));
    assert!(other.stderr.contains("has the same source_id and another payload"), "{}", other.stderr);
    let unnamed = bed.objects(&["letters", "capture", "dead", "x"]);
    assert!(unnamed[0]["source_id"].as_str().unwrap().starts_with("redrive-"));
}

#[test]
fn each_line_of_stdin_is_a_letter_and_the_same_lines_make_no_second_ones() {
    let bed = with_dead();
    let lines: String = (0..2_500).map(|number| format!("line {number}\n")).collect();
    let arguments = ["letters", "capture", "dead", "--source-id", "import-7", "--error", "boom", "--output", "json"];
    for reason in ["enqueued", "merged"] {
        let ran = bed.run_with(&arguments, lines.as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let made: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((made.len(), &made[2_499]["source_id"]), (2_500, &json!("import-7-2500")));
        assert!(made.iter().all(|letter| letter["reason"] == reason), "{reason}");
    }
    let one = ["letters", "capture", "dead", "--message-id", "m-1"];
    assert_eq!(bed.run_with(&one, b"a\nb\n").code, 2, "lines are not one message");
}

#[test]
fn a_file_is_a_payload_byte_for_byte() {
    let bed = with_dead();
    let path = file("captured.bin", "two\nlines\n");
    let id = captured(&bed, &["--file", path.to_str().unwrap(), "--grpc", "unavailable"]);
    let shown = bed.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!(
        (&shown["content"]["payload"], &shown["attempts"][0]["rule"]),
        (&json!("two\nlines\n"), &json!("grpc:14"))
    );
    assert_eq!(bed.run(&["letters", "capture", "dead", "--file", "no-such-file"]).code, 1);
}

#[test]
fn people_see_what_became_of_it() {
    let bed = with_dead();
    let table = bed.done(&["letters", "capture", "dead", "x", "--source-id", "order-17", "--sqlstate", "40P01"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ID", "STATUS", "REASON", "CATEGORY", "RULE", "POLICY", "RETRIES", "SOURCE", "ID"]);
    assert_eq!(rows[1][1..], ["pending", "enqueued", "transient", "sqlstate:40P01", "exponential", "3", "order-17"]);
}

#[test]
fn what_is_wrong_is_refused_and_nothing_is_kept() {
    let bed = with_dead();
    for (arguments, code) in [
        (&["letters", "capture", "nobody", "x"][..], 3),
        (&["letters", "capture", "dead", "x", "--source-id", ""], 4),
        (&["letters", "capture", "dead", "x", "--retry-policy", "custom"], 4),
        (&["letters", "capture", "dead", "x", "--depends-on", "nonsense"], 4),
        (&["letters", "capture", "dead", "x", "--max-retries", "101"], 2),
        (&["letters", "capture", "dead", "x", "--category", "odd"], 2),
        (&["letters", "capture", "dead", "x", "--http", "500", "--grpc", "14"], 2),
        (&["letters", "capture", "dead", "x", "--header", "nothing"], 2),
    ] {
        let ran = bed.run(arguments);
        assert_eq!((ran.code, ran.stdout.lines().count() <= 1), (code, true), "{arguments:?}: {}", ran.stderr);
    }
    assert!(bed.objects(&["letters", "list", "dead"]).is_empty());
    assert_eq!(show(&bed, &capture(&bed, "good"))["status"], "pending");
}
