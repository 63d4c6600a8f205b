//! Where a server has its settings from, as `letters.configure` tells it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::bed::{Bed, command, folder};
use crate::outcome;
use crate::retries::{call, ok};

/// Value and source of every setting, as they are told.
fn settings(bed: &Bed) -> BTreeMap<String, (String, String)> {
    let told = ok(bed, "letters.configure", &json!({ "queue_name": "dead" }));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let settings = told["settings"].as_array().unwrap().iter();
    settings.map(|one| (text(&one["name"]), (text(&one["value"]), text(&one["source"])))).collect()
}

fn told(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

#[test]
fn each_setting_is_told_with_who_said_so() {
    let folder = folder("environment-sources");
    let file =
        "dlq_max_size = 500\n[dlq]\non_full = 'reject'\nlease_seconds = 9\nbreaker_probes = 2\nmax_parallel = 5\n";
    std::fs::write(folder.join("redrive.toml"), file).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(&folder);
    serve.args(["--set", "dlq.max_parallel=3", "--set", "dlq_default_max_retries = 4"]);
    serve.env("REDRIVE_DLQ_ON_FULL", "overflow").env("REDRIVE_DLQ__LEASE_SECONDS", "8");
    serve.env("REDRIVE_DLQ_MAX_PARALLEL", "4").env("REDRIVE_DLQ_JITTER_PERCENT", "");
    let bed = Bed::start(serve);
    bed.done(&["queue", "create", "dead"]);
    bed.done(&["letters", "configure", "dead", "on_duplicate=reject"]);
    let settings = settings(&bed);
    for (name, expected) in [
        ("max_size", told("500", "file")),
        ("breaker_probes", told("2", "file")),
        ("on_full", told("overflow", "environment")),
        ("lease_seconds", told("8", "environment")),
        ("max_parallel", told("3", "flag")),
        ("default_max_retries", told("4", "flag")),
        ("on_duplicate", told("reject", "queue")),
        ("jitter_percent", told("0", "default")),
        ("auto_archive_exhausted_seconds", told("off", "default")),
        ("retry_interval_seconds", told("60", "default")),
    ] {
        assert_eq!(settings[name], expected, "{name}");
    }
}

#[test]
fn every_setting_of_the_template_is_told() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    let settings = settings(&bed);
    let template = outcome(command(&["config", "template"]).spawn().unwrap()).stdout;
    let section = template.split("[dlq]").nth(1).unwrap().split("\n[").next().unwrap();
    let names = section.lines().filter(|line| line.starts_with('#') && !line.starts_with("# "));
    let names: Vec<&str> = names.filter_map(|line| line[1..].split_once(" =").map(|(name, _)| name.trim())).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(settings.contains_key(name), "{name} is not told");
    }
}

#[test]
fn what_is_secret_is_told_to_be_set_and_no_more() {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.env("REDRIVE_DLQ_OPENSEARCH_URL", crate::search::nobody());
    serve.env("REDRIVE_DLQ_OPENSEARCH_USER", "me").env("REDRIVE_DLQ_OPENSEARCH_PASSWORD", "hush-hush");
    let bed = Bed::start(serve);
    bed.done(&["queue", "create", "dead"]);
    let settings = settings(&bed);
    assert_eq!(settings["opensearch_password"], told("********", "environment"));
    assert_eq!(settings["opensearch_api_key"], told("", "default"));
    assert_eq!(settings["opensearch_user"], told("me", "environment"));
    let shown = bed.done(&["letters", "configure", "dead"]);
    assert!(!shown.contains("hush-hush"));
}

#[test]
fn a_setting_of_the_server_is_not_a_queues() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    let set = json!({ "queue_name": "dead", "set": { "max_parallel": "3" } });
    let (status, answer) = call(&bed, "letters.configure", &set);
    assert_eq!((status, &answer["details"]["reason"]), (400, &json!("invalid")));
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("for the configuration of the server"), "{message}");
}
