use serde_json::{Value, json};

use super::{capture, captured, show, with_dead, with_target};
use crate::file;
use crate::test_server::{folder, words};

#[test]
fn a_letter_is_captured_with_all_options() {
    let server = with_dead();
    let first = capture(&server, "order-16");
    let options = words(
        "--source-id order-17 --type ValidationError --kind order --encoding json --reference r --key k --header h=v \
         --part eu --metadata tenant=acme --trace-id t-1 --request-id q-1 --reply-to replies --transport kafka \
         --origin orders --consumer billing --partition 3 --offset 42 --retry-policy linear --max-retries 5 \
         --priority high --failed-at 2026-11-15T11:00:00Z",
    );
    let more = ["one book", "--error", "no such customer", "--destination", "the bank", "--depends-on", &first];
    let id = captured(&server, &[&more[..], &options].concat());
    let shown = server.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
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
fn a_capture_is_classified_as_explain_shows() {
    let server = with_target("letters-a-capture-is-classified-as-explain-shows");
    for options in [
        &["--error", "no", "--io", "TimedOut"][..],
        &["--error", "no", "--code", "RATE_LIMIT_EXCEEDED"],
        &["--error", "no", "--cause", "hm", "--cause", "connection reset by peer"],
        &["--error", "no", "--http", "403", "--rate-limited"],
    ] {
        let line = server.objects(&[&["letters", "capture", "dead", "x"], options].concat()).remove(0);
        let explained = server.objects(&[&["letters", "explain", "dead"], &options[1..]].concat()).remove(0);
        assert_eq!((&line["category"], &line["rule"]), (&explained["category"], &explained["rule"]), "{options:?}");
        assert_ne!(line["rule"], "default", "{options:?}");
    }
    let id = captured(&server, &["x", "--error", "HTTP 429 Too Many Requests", "--retry-after", "5m"]);
    assert_eq!(show(&server, &id)["next_retry_at"], "2026-11-15T12:05:00Z");
    let both = server.run(&["letters", "capture", "dead", "x", "--io", "TimedOut", "--http", "503"]);
    assert_eq!((both.code, both.stdout.as_str()), (2, ""));
}

#[test]
fn a_second_failure_with_the_same_source_id_is_merged() {
    let server = with_dead();
    let id = capture(&server, "order-17");
    let again = server.objects(&["dlq", "capture", "dead", "the payload", "--source-id", "order-17", "--http", "500"]);
    assert_eq!(
        (&again[0]["id"], &again[0]["reason"], &again[0]["created"]),
        (&json!(id), &json!("merged"), &json!(false))
    );
    assert_eq!(again[0]["rule"], "http:500");
    let other = server.run(&["letters", "capture", "dead", "another payload", "--source-id", "order-17"]);
    assert_eq!((other.code, other.stdout.as_str()), (4, ""));
    assert!(other.stderr.contains("has the same source_id and another payload"), "{}", other.stderr);
    let unnamed = server.objects(&["letters", "capture", "dead", "x"]);
    assert!(unnamed[0]["source_id"].as_str().unwrap().starts_with("redrive-"));
}

#[test]
fn each_line_of_stdin_is_a_letter_and_the_same_lines_are_merged() {
    let server = with_dead();
    let lines: String = (0..2_500).map(|number| format!("line {number}\n")).collect();
    let arguments = ["letters", "capture", "dead", "--source-id", "import-7", "--error", "boom", "--output", "json"];
    for reason in ["enqueued", "merged"] {
        let ran = server.run_with(&arguments, lines.as_bytes()).succeeded();
        let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[2_499]["source_id"]), (2_500, &json!("import-7-2500")));
        assert!(lines.iter().all(|letter| letter["reason"] == reason), "{reason}");
    }
    let one = ["letters", "capture", "dead", "--message-id", "m-1"];
    assert_eq!(server.run_with(&one, b"a\nb\n").code, 2, "the lines are several messages");
}

#[test]
fn a_file_is_a_payload_byte_for_byte() {
    let server = with_dead();
    let folder = folder("capture");
    let path = file(&folder, "captured.bin", "two\nlines\n");
    let id = captured(&server, &["--file", path.to_str().unwrap(), "--grpc", "unavailable"]);
    let shown = server.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!(
        (&shown["content"]["payload"], &shown["attempts"][0]["rule"]),
        (&json!("two\nlines\n"), &json!("grpc:14"))
    );
    assert_eq!(server.run(&["letters", "capture", "dead", "--file", "no-such-file"]).code, 2);
}

#[test]
fn the_result_is_printed_as_a_table() {
    let server = with_dead();
    let table = server.run_ok(&["letters", "capture", "dead", "x", "--source-id", "order-17", "--sqlstate", "40P01"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ID", "STATUS", "REASON", "CATEGORY", "RULE", "POLICY", "RETRIES", "SOURCE", "ID"]);
    assert_eq!(rows[1][1..], ["pending", "enqueued", "transient", "sqlstate:40P01", "exponential", "3", "order-17"]);
}

#[test]
fn an_invalid_capture_is_rejected_and_nothing_is_stored() {
    let server = with_dead();
    for (arguments, code) in [
        (&["letters", "capture", "missing", "x"][..], 3),
        (&["letters", "capture", "dead", "x", "--source-id", ""], 4),
        (&["letters", "capture", "dead", "x", "--retry-policy", "custom"], 4),
        (&["letters", "capture", "dead", "x", "--depends-on", "nonsense"], 4),
        (&["letters", "capture", "dead", "x", "--max-retries", "101"], 2),
        (&["letters", "capture", "dead", "x", "--category", "odd"], 2),
        (&["letters", "capture", "dead", "x", "--http", "500", "--grpc", "14"], 2),
        (&["letters", "capture", "dead", "x", "--header", "nothing"], 2),
    ] {
        let ran = server.run(arguments);
        assert_eq!((ran.code, ran.stdout.lines().count() <= 1), (code, true), "{arguments:?}: {}", ran.stderr);
    }
    assert!(server.objects(&["letters", "list", "dead"]).is_empty());
    assert_eq!(show(&server, &capture(&server, "good"))["status"], "pending");
}

#[test]
fn metadata_has_texts_or_json_values() {
    let server = with_dead();
    let json = r#"{"amount": 250, "rate": 0.5, "order": {"lines": [{"sku": "x"}]}, "tenant": "zeta", "gone": null}"#;
    let more = r#"{"amount": 251, "priority": "High"}"#;
    let id = captured(
        &server,
        &["x", "--metadata", "tenant=acme", "--metadata-json", json, "--metadata-json", more, "--metadata", "text=3"],
    );
    let shown = show(&server, &id);
    for (name, value) in [
        ("tenant", json!("acme")),
        ("text", json!("3")),
        ("amount", json!(251)),
        ("rate", json!(0.5)),
        ("order", json!({ "lines": [{ "sku": "x" }] })),
        ("gone", json!(null)),
    ] {
        assert_eq!(shown["metadata"][name], value, "{name}");
    }
    assert_eq!(shown["priority"], "high", "the priority of the metadata");
    let filter = "metadata.order.lines[0].sku == 'x' && metadata.amount > 250";
    assert_eq!(server.objects(&["letters", "list", "dead", "--filter", filter]).len(), 1);
    let text = server.run_ok(&["letters", "show", "dead", &id]);
    for entry in ["amount=251, ", "gone=null, ", "order={\"lines\":[{\"sku\":\"x\"}]}, ", "tenant=acme, ", "text=3"] {
        assert!(text.lines().any(|line| line.starts_with("metadata") && line.contains(entry)), "{entry}: {text}");
    }
    for wrong in ["[1]", "tenant=acme", "{", "3"] {
        let ran = server.run(&["letters", "capture", "dead", "x", "--metadata-json", wrong]);
        assert_eq!(ran.code, 2, "{wrong}");
        assert!(ran.stderr.contains("expected a JSON object"), "{}", ran.stderr);
    }
    let long = format!("a={}", "x".repeat(70_000));
    let ran = server.run(&["letters", "capture", "dead", "x", "--metadata", &long]);
    assert!(ran.code != 0 && ran.stderr.contains("metadata is invalid; it takes"), "{}", ran.stderr);
}
