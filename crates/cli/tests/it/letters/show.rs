use serde_json::json;

use super::{UNKNOWN, capture, captured, show, with_dead};
use crate::test_server::folder;

#[test]
fn the_text_output_has_origin_attempts_and_notes() {
    let server = with_dead();
    let origin = ["--transport", "kafka", "--origin", "orders", "--offset", "42", "--metadata", "tenant=acme"];
    let id = captured(&server, &[&["secret", "--source-id", "order-17", "--error", "timed out"][..], &origin].concat());
    let second = ["--source-id", "order-17", "--error", "two\nlines \u{1b}[2J"];
    server.run_ok(&[&["letters", "capture", "dead", "secret"][..], &second].concat());
    server.run_ok(&["letters", "note", "dead", &id, "asked the bank", "--tag", "bank", "--tag", "waiting"]);
    let shown = server.run_ok(&["letters", "show", "dead", &id]);
    let lines: Vec<String> = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        &format!("id {id}"),
        "status pending",
        "error two\\nlines \\u{1b}[2J",
        "category permanent, rule default",
        "attempts 1, failed retries 0/3, policy exponential (default)",
        "origin kafka, orders, offset 42",
        "payload 6 bytes",
        "ATTEMPT TOOK TRIGGER OUTCOME CATEGORY RULE BY ERROR",
        "now - automatic failure network phrase:timed out - timed out",
        "now - automatic failure permanent default - two\\nlines \\u{1b}[2J",
        "NOTED AUTHOR TAGS TEXT",
        "now anonymous bank, waiting asked the bank",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line:?} is not in\n{shown}");
    }
    assert!(!shown.contains("secret"));
    assert!(shown.lines().any(|line| line.starts_with("metadata") && line.contains("tenant=acme")), "{shown}");
    assert!(shown.lines().count() < 24, "it fits on one screen: {shown}");
    let as_json = server.run_ok(&["letters", "show", "dead", &id, "--output", "json"]);
    assert!(as_json.contains("\"payload_bytes\":6") && !as_json.contains("secret"), "{as_json}");
}

#[test]
fn the_hand_backs_of_a_message_are_shown_unless_there_were_none() {
    let server = with_dead();
    let failure =
        ["one book", "--transport", "kafka", "--origin", "orders", "--offset", "42", "--error", "no such book"];
    let id = captured(&server, &failure);
    let origin = || {
        let shown = server.run_ok(&["letters", "show", "dead", &id]);
        let origin = shown.lines().find_map(|line| line.strip_prefix("origin ")).unwrap().trim().to_owned();
        (origin, show(&server, &id)["origin"]["replays"].as_i64().unwrap())
    };
    assert_eq!(origin(), ("kafka, orders, offset 42".to_owned(), 0));
    assert_eq!(captured(&server, &[&failure[..], &["--replays", "1"]].concat()), id, "it is the same letter");
    assert_eq!(origin(), ("kafka, orders, offset 42, replays 1".to_owned(), 1));
    server
        .run(&[&["letters", "capture", "dead"], &failure[..], &["--replays", "3"]].concat())
        .fails(4, "at most 2 follows");
}

#[test]
fn a_payload_is_revealed_with_a_reason_only() {
    let server = with_dead();
    let id = captured(&server, &["{\"b\": [1, 2],\"a\":\"x\\u001b[2J\"}", "--header", "h=v", "--key", "k"]);
    let reveal = ["letters", "show", "dead", &id, "--reveal"];
    let without_reason = server.run(&reveal);
    assert_eq!((without_reason.code, without_reason.stdout.as_str()), (2, ""));
    assert!(without_reason.stderr.contains("--reason TEXT"), "{}", without_reason.stderr);
    assert_eq!(server.run(&[&reveal[..], &["--reason", "two\nlines"]].concat()).code, 2, "a reason is one line");
    assert_eq!(server.run(&["letters", "show", "dead", &id, "--as", "hex"]).code, 2, "--as needs --reveal");

    let payload = |format: &[&str]| {
        let shown = server.run_ok(&[&reveal[..], &["--reason", "support case 9"], format].concat());
        shown.split_once("\nPAYLOAD\n").unwrap().1.to_owned()
    };
    assert_eq!(payload(&[]), "{\"b\": [1, 2],\"a\":\"x\\u001b[2J\"}\n");
    assert_eq!(payload(&["--as", "json"]), "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": \"x\\u001b[2J\"\n}\n");
    let hex = payload(&["--as", "hex"]);
    assert_eq!(
        hex.lines().next().unwrap(),
        "00000000  7b 22 62 22 3a 20 5b 31 2c 20 32 5d 2c 22 61 22  {\"b\": [1, 2],\"a\""
    );
    let shown = server.run_ok(&["letters", "--reason", "support case 9", "show", "dead", &id, "--reveal"]);
    assert!(shown.contains("header h") && shown.contains("key"), "{shown}");
}

#[test]
fn a_payload_that_is_not_utf_8_is_printed_as_a_hex_dump() {
    let server = with_dead();
    let folder = folder("show");
    let path = folder.path().join("bytes.bin");
    std::fs::write(&path, [0xFF, 0, b'a', b'\n']).unwrap();
    let id = captured(&server, &["--file", path.to_str().unwrap()]);
    let reveal = ["letters", "show", "dead", &id, "--reveal", "--reason", "a test"];
    let dump = "PAYLOAD\n00000000  ff 00 61 0a                                      ..a.\n";
    assert!(server.run_ok(&reveal).ends_with(dump));
    for format in ["text", "json"] {
        let ran = server.run(&[&reveal[..], &["--as", format]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("--as hex"), "{}", ran.stderr);
    }
    let line = server.objects(&reveal).remove(0);
    assert_eq!((&line["content"]["payload_base64"], line["content"].get("payload")), (&json!("/wBhCg=="), None));
}

#[test]
fn the_letter_of_a_dead_item_has_the_cause_of_its_death() {
    let server = with_dead();
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    server.run_ok(&["produce", "orders", "one book"]);
    let leased = server.objects(&["lease", "orders"]).remove(0);
    server.run_ok(&["retry", "orders", leased["id"].as_str().unwrap(), "--dead"]);
    let letter = server.objects(&["letters", "list", "dead"]).remove(0);
    let id = letter["id"].as_str().unwrap();
    let death = show(&server, id)["death"].clone();
    assert_eq!(
        (&death["queue_name"], &death["reason"], &death["attempts"]),
        (&json!("orders"), &json!("given_up"), &json!(1))
    );
    let shown = server.run_ok(&["letters", "show", "dead", id]);
    assert!(shown.contains("in 'orders', partition 0, after 1 attempts: given_up"), "{shown}");
}

#[test]
fn an_unknown_letter_has_the_message_of_the_original_dead_letter_queue() {
    let server = with_dead();
    capture(&server, "order-17");
    let ran = server.run(&["letters", "show", "dead", UNKNOWN]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(
        ran.stderr.starts_with(&format!("error: Task {UNKNOWN} not found in dead letter queue\n")),
        "{}",
        ran.stderr
    );
    assert_eq!(server.run(&["letters", "show", "missing", UNKNOWN]).code, 3);
    assert_eq!(server.run(&["letters", "show", "dead", "nonsense"]).code, 3);
    assert_eq!(server.objects(&["letters", "show", "dead", "order-17"])[0]["source_id"], "order-17");
}
