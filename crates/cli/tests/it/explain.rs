use serde_json::{Value, json};

use crate::test_server::{TestServer, folder};
use crate::{file, redrive};

fn explain(arguments: &[&str]) -> Value {
    let ran = redrive(&[&["explain", "--output", "json"], arguments].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The delays before the retries, in minutes.
fn minutes(explained: &Value) -> Vec<f64> {
    let retries = explained["schedule"].as_array().unwrap();
    retries.iter().map(|retry| retry["delay_seconds"].as_f64().unwrap() / 60.0).collect()
}

#[test]
fn a_transient_failure_has_the_schedule_of_its_category() {
    let explained = explain(&["HTTP 429 Too Many Requests"]);
    assert_eq!((&explained["category"], &explained["rule"]), (&json!("transient"), &json!("http-text:429")));
    assert_eq!((&explained["policy"], &explained["policy_source"]), (&json!("exponential"), &json!("derived")));
    assert_eq!((&explained["begins"], &explained["ends"]), (&json!("pending"), &json!("exhausted")));
    assert_eq!(minutes(&explained), [1.0, 2.0, 4.0]);
    assert_eq!(explained["schedule"][2]["after_seconds"], 420.0);
    assert_eq!(explained["fingerprint"].as_str().unwrap().len(), 32);
}

#[test]
fn a_validation_failure_is_not_retried_automatically() {
    let explained = explain(&["Field is required", "--type", "ValidationError"]);
    assert_eq!((&explained["category"], &explained["policy"]), (&json!("validation"), &json!("never")));
    assert_eq!((&explained["schedule"], &explained["ends"]), (&json!([]), &json!("pending")));
}

#[test]
fn options_take_precedence_over_the_category() {
    let explicit = explain(&["boom", "--retry-policy", "linear", "--max-retries", "2"]);
    assert_eq!((&explicit["policy"], &explicit["policy_source"]), (&json!("linear"), &json!("explicit")));
    assert_eq!(minutes(&explicit), [5.0, 10.0]);
    let none = explain(&["--grpc", "14", "--max-retries", "0"]);
    assert_eq!(
        (&none["begins"], &none["ends"], &none["rule"]),
        (&json!("exhausted"), &json!("exhausted"), &json!("grpc:14"))
    );
}

#[test]
fn rules_of_a_policy_file_are_evaluated_first() {
    let rules = "[[rules]]\nname = 'ours'\nregex = '^billing'\ncategory = 'resource'\nmax_retries = 1\n";
    let folder = folder("explain");
    let policy = file(&folder, "explain.toml", rules);
    let explained = explain(&["billing is down", "--policy", policy.to_str().unwrap()]);
    assert_eq!((&explained["rule"], &explained["max_retries"]), (&json!("user:ours"), &json!(1)));
    assert_eq!(minutes(&explained).len(), 1);
}

#[test]
fn the_text_output_has_one_fact_per_line() {
    let ran = redrive(&["explain", "HTTP 503 Service Unavailable", "--max-retries", "1"]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim_end).collect();
    assert_eq!(lines[0], "category     transient");
    assert_eq!(lines[4], "policy       exponential (derived)");
    assert_eq!(lines[6], "  retry 1    after 1m0s, 1m0s after the first failure");
    assert_eq!(lines[7], "final status exhausted");
}

#[test]
fn invalid_usage_is_rejected() {
    for wrong in
        [&["explain"][..], &["explain", "x", "--max-retries", "101"], &["explain", "x", "--retry-policy", "often"]]
    {
        let ran = redrive(wrong);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{wrong:?}");
        assert!(!ran.stderr.is_empty());
    }
}

#[test]
fn the_server_gives_the_same_explanation_as_the_command() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    for question in [
        &["HTTP 429 Too Many Requests"][..],
        &["Field is required", "--type", "ValidationError", "--max-retries", "4"],
        &["boom", "--retry-policy", "linear", "--max-retries", "2"],
        &["--grpc", "14", "--max-retries", "0"],
        &["x", "--sqlstate", "40P01"],
        &["x", "--io", "TimedOut", "--retry-after", "3m"],
        &["x", "--http", "403", "--rate-limited"],
        &["--code", "RATE_LIMIT_EXCEEDED"],
        &["x", "--cause", "y", "--cause", "connection reset by peer"],
    ] {
        for form in ["json", "table"] {
            let local = redrive(&[&["explain", "--output", form], question].concat()).stdout;
            assert!(!local.is_empty());
            assert_eq!(server.run_ok(&[&["explain", "--queue", "dead", "--output", form], question].concat()), local);
            assert_eq!(server.run_ok(&[&["letters", "explain", "dead", "--output", form], question].concat()), local);
        }
    }
    let unknown = server.objects(&["explain", "permission denied", "--queue", "dead"]).remove(0);
    assert_eq!(
        (&unknown["policy"], &unknown["max_retries"]),
        (&json!("never"), &Value::Null),
        "the response does not have the default of the server"
    );
    assert_eq!(server.run(&["explain", "x", "--queue", "missing"]).code, 3);
    for wrong in [&["--part", "a"][..], &["--metadata", "a=b"], &["--metadata-json", "{}"], &["--policy", "default"]] {
        assert_eq!(server.run(&[&["explain", "x", "--queue", "dead"], wrong].concat()).code, 2, "{wrong:?}");
    }
}
