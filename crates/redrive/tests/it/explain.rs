use serde_json::{Value, json};

use crate::bed::Bed;
use crate::{file, redrive};

fn told(arguments: &[&str]) -> Value {
    let ran = redrive(&[&["explain", "--output", "json"], arguments].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The minutes between the retries.
fn minutes(told: &Value) -> Vec<f64> {
    let retries = told["schedule"].as_array().unwrap();
    retries.iter().map(|retry| retry["delay_seconds"].as_f64().unwrap() / 60.0).collect()
}

#[test]
fn a_passing_fault_is_retried_as_its_category_suggests() {
    let told = told(&["HTTP 429 Too Many Requests"]);
    assert_eq!((&told["category"], &told["rule"]), (&json!("transient"), &json!("http-text:429")));
    assert_eq!((&told["policy"], &told["policy_source"]), (&json!("exponential"), &json!("derived")));
    assert_eq!((&told["begins"], &told["ends"]), (&json!("pending"), &json!("exhausted")));
    assert_eq!(minutes(&told), [1.0, 2.0, 4.0]);
    assert_eq!(told["schedule"][2]["after_seconds"], 420.0);
    assert_eq!(told["fingerprint"].as_str().unwrap().len(), 32);
}

#[test]
fn a_fault_of_the_work_waits_for_a_person() {
    let told = told(&["Field is required", "--type", "ValidationError"]);
    assert_eq!((&told["category"], &told["policy"]), (&json!("validation"), &json!("never")));
    assert_eq!((&told["schedule"], &told["ends"]), (&json!([]), &json!("pending")));
}

#[test]
fn what_is_asked_for_goes_before_what_the_category_suggests() {
    let told_so = told(&["boom", "--retry-policy", "linear", "--max-retries", "2"]);
    assert_eq!((&told_so["policy"], &told_so["policy_source"]), (&json!("linear"), &json!("explicit")));
    assert_eq!(minutes(&told_so), [5.0, 10.0]);
    let none = told(&["--grpc", "14", "--max-retries", "0"]);
    assert_eq!(
        (&none["begins"], &none["ends"], &none["rule"]),
        (&json!("exhausted"), &json!("exhausted"), &json!("grpc:14"))
    );
}

#[test]
fn rules_of_a_policy_file_are_asked_first() {
    let rules = "[[rules]]\nname = 'ours'\nregex = '^billing'\ncategory = 'resource'\nmax_retries = 1\n";
    let policy = file("explain.toml", rules);
    let told = told(&["billing is down", "--policy", policy.to_str().unwrap()]);
    assert_eq!((&told["rule"], &told["max_retries"]), (&json!("user:ours"), &json!(1)));
    assert_eq!(minutes(&told).len(), 1);
}

#[test]
fn a_person_reads_it_line_by_line() {
    let ran = redrive(&["explain", "HTTP 503 Service Unavailable", "--max-retries", "1"]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim_end).collect();
    assert_eq!(lines[0], "category     transient");
    assert_eq!(lines[4], "policy       exponential (derived)");
    assert_eq!(lines[6], "  retry 1    1m0s after the failure before it, 1m0s after the first");
    assert_eq!(lines[7], "in the end   exhausted");
}

#[test]
fn wrong_usage_says_what_is_right() {
    for wrong in
        [&["explain"][..], &["explain", "x", "--max-retries", "101"], &["explain", "x", "--retry-policy", "often"]]
    {
        let ran = redrive(wrong);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{wrong:?}");
        assert!(!ran.stderr.is_empty());
    }
}

#[test]
fn a_server_tells_the_same_of_its_queue() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    for question in [
        &["HTTP 429 Too Many Requests"][..],
        &["Field is required", "--type", "ValidationError", "--max-retries", "4"],
        &["boom", "--retry-policy", "linear", "--max-retries", "2"],
        &["--grpc", "14", "--max-retries", "0"],
        &["x", "--sqlstate", "40P01"],
    ] {
        for form in ["json", "table"] {
            let here = redrive(&[&["explain", "--output", form], question].concat()).stdout;
            assert!(!here.is_empty());
            assert_eq!(bed.done(&[&["explain", "--queue", "dead", "--output", form], question].concat()), here);
            assert_eq!(bed.done(&[&["letters", "explain", "dead", "--output", form], question].concat()), here);
        }
    }
    let unknown = bed.objects(&["explain", "permission denied", "--queue", "dead"]).remove(0);
    assert_eq!(
        (&unknown["policy"], &unknown["max_retries"]),
        (&json!("never"), &Value::Null),
        "it is the server's own"
    );
    assert_eq!(bed.run(&["explain", "x", "--queue", "nobody"]).code, 3);
    for wrong in [&["--io", "TimedOut"][..], &["--cause", "y"], &["--metadata", "a=b"], &["--policy", "default"]] {
        assert_eq!(bed.run(&[&["explain", "x", "--queue", "dead"], wrong].concat()).code, 2, "{wrong:?}");
    }
}
