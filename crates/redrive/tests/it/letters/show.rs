use serde_json::json;

use super::{UNKNOWN, capture, captured, show, with_dead};
use crate::file;

#[test]
fn people_see_where_it_came_from_what_was_tried_and_what_was_noted() {
    let bed = with_dead();
    let origin = ["--transport", "kafka", "--origin", "orders", "--offset", "42", "--metadata", "tenant=acme"];
    let id = captured(&bed, &[&["secret", "--source-id", "order-17", "--error", "timed out"][..], &origin].concat());
    bed.done(&["letters", "capture", "dead", "secret", "--source-id", "order-17", "--error", "two\nlines \u{1b}[2J"]);
    bed.done(&["letters", "note", "dead", &id, "asked the bank", "--tag", "bank", "--tag", "waiting"]);
    let shown = bed.done(&["letters", "show", "dead", &id]);
    let lines: Vec<String> = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        &format!("id {id}"),
        "status pending",
        "policy exponential (default)",
        "retries 0/3",
        "next retry 2026-11-15T12:01:00Z",
        "origin kafka, orders, offset 42",
        "metadata tenant acme",
        "payload 6 bytes",
        "ATTEMPT ENDED TRIGGER OUTCOME CATEGORY RULE BY ERROR",
        "2026-11-15T12:00:00Z automatic failure network phrase:timed out - timed out",
        "2026-11-15T12:00:00Z automatic failure permanent default - two\\nlines \\u{1b}[2J",
        "NOTED AUTHOR TAGS TEXT",
        "2026-11-15T12:00:00Z anonymous bank, waiting asked the bank",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line:?} is not in\n{shown}");
    }
    assert!(!shown.contains("secret"));
    let as_json = bed.done(&["letters", "show", "dead", &id, "--output", "json"]);
    assert!(as_json.contains("\"payload_bytes\":6") && !as_json.contains("secret"), "{as_json}");
}

#[test]
fn a_payload_is_shown_to_whoever_says_why() {
    let bed = with_dead();
    let id = captured(&bed, &["{\"b\": [1, 2],\"a\":\"x\\u001b[2J\"}", "--header", "h=v", "--key", "k"]);
    let reveal = ["letters", "show", "dead", &id, "--reveal"];
    let unsaid = bed.run(&reveal);
    assert_eq!((unsaid.code, unsaid.stdout.as_str()), (2, ""));
    assert!(unsaid.stderr.contains("--reason TEXT"), "{}", unsaid.stderr);
    assert_eq!(bed.run(&[&reveal[..], &["--reason", "für dich"]].concat()).code, 2, "no header can carry it");
    assert_eq!(bed.run(&["letters", "show", "dead", &id, "--as", "hex"]).code, 2, "there is nothing to show");

    let payload = |form: &[&str]| {
        let shown = bed.done(&[&reveal[..], &["--reason", "support case 9"], form].concat());
        shown.split_once("\nPAYLOAD\n").unwrap().1.to_owned()
    };
    assert_eq!(payload(&[]), "{\"b\": [1, 2],\"a\":\"x\\u001b[2J\"}\n");
    assert_eq!(payload(&["--as", "json"]), "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": \"x\\u001b[2J\"\n}\n");
    let hex = payload(&["--as", "hex"]);
    assert_eq!(
        hex.lines().next().unwrap(),
        "00000000  7b 22 62 22 3a 20 5b 31 2c 20 32 5d 2c 22 61 22  {\"b\": [1, 2],\"a\""
    );
    let shown = bed.done(&["letters", "--reason", "support case 9", "show", "dead", &id, "--reveal"]);
    assert!(shown.contains("header h") && shown.contains("key"), "{shown}");
}

#[test]
fn a_payload_that_is_no_text_is_shown_in_bytes() {
    let bed = with_dead();
    let path = file("bytes.bin", "");
    std::fs::write(&path, [0xFF, 0, b'a', b'\n']).unwrap();
    let id = captured(&bed, &["--file", path.to_str().unwrap()]);
    let reveal = ["letters", "show", "dead", &id, "--reveal", "--reason", "a test"];
    assert!(bed.done(&reveal).ends_with("PAYLOAD\n00000000  ff 00 61 0a                                      ..a.\n"));
    for form in ["text", "json"] {
        let ran = bed.run(&[&reveal[..], &["--as", form]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("--as hex"), "{}", ran.stderr);
    }
    let line = bed.objects(&reveal).remove(0);
    assert_eq!((&line["content"]["payload_base64"], line["content"].get("payload")), (&json!("/wBhCg=="), None));
}

#[test]
fn an_item_that_died_in_its_queue_tells_how() {
    let bed = with_dead();
    bed.done(&["queue", "create", "orders", "--dead-queue", "dead"]);
    bed.done(&["produce", "orders", "one book"]);
    let leased = bed.objects(&["lease", "orders"]).remove(0);
    bed.done(&["retry", "orders", leased["id"].as_str().unwrap(), "--dead"]);
    let letter = bed.objects(&["letters", "list", "dead"]).remove(0);
    let id = letter["id"].as_str().unwrap();
    let death = show(&bed, id)["death"].clone();
    assert_eq!(
        (&death["queue_name"], &death["reason"], &death["attempts"]),
        (&json!("orders"), &json!("given_up"), &json!(1))
    );
    let shown = bed.done(&["letters", "show", "dead", id]);
    assert!(shown.contains("in 'orders', partition 0, after 1 attempts: given_up"), "{shown}");
}

#[test]
fn a_letter_that_is_not_there_is_told_in_the_words_of_before() {
    let bed = with_dead();
    capture(&bed, "order-17");
    let ran = bed.run(&["letters", "show", "dead", UNKNOWN]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(
        ran.stderr.starts_with(&format!("error: Task {UNKNOWN} not found in dead letter queue\n")),
        "{}",
        ran.stderr
    );
    assert_eq!(bed.run(&["letters", "show", "nobody", UNKNOWN]).code, 3);
    assert_eq!(bed.run(&["letters", "show", "dead", "nonsense"]).code, 3);
    assert_eq!(bed.objects(&["letters", "show", "dead", "order-17"])[0]["source_id"], "order-17");
}
