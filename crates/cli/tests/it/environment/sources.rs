//! The sources of settings, as `letters.configure` reports them.

use std::collections::BTreeMap;

use serde_json::json;

use crate::outcome;
use crate::retries::{call, ok};
use crate::test_server::{TestServer, command, folder};

/// The value and the source of every setting.
fn settings(server: &TestServer) -> BTreeMap<String, (String, String)> {
    let configured = ok(server, "letters.configure", &json!({ "queue_name": "dead" }));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let settings = configured["settings"].as_array().unwrap().iter();
    settings.map(|one| (text(&one["name"]), (text(&one["value"]), text(&one["source"])))).collect()
}

fn setting(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

#[test]
fn each_setting_is_reported_with_its_source() {
    let folder = folder("environment-sources");
    let file =
        "dlq_max_size = 500\n[dlq]\non_full = 'reject'\nlease_seconds = 9\nbreaker_probes = 2\nmax_parallel = 5\n";
    std::fs::write(folder.path().join("redrive.toml"), file).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder.path());
    serve.args(["--set", "dlq.max_parallel=3", "--set", "dlq_default_max_retries = 4"]);
    serve.env("REDRIVE_DLQ_ON_FULL", "overflow").env("REDRIVE_DLQ__LEASE_SECONDS", "8");
    serve.env("REDRIVE_DLQ_MAX_PARALLEL", "4").env("REDRIVE_DLQ_JITTER_PERCENT", "");
    let server = TestServer::start(serve);
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["letters", "configure", "dead", "on_duplicate=reject"]);
    let settings = settings(&server);
    for (name, expected) in [
        ("max_size", setting("500", "file")),
        ("breaker_probes", setting("2", "file")),
        ("on_full", setting("overflow", "environment")),
        ("lease_seconds", setting("8", "environment")),
        ("max_parallel", setting("3", "flag")),
        ("default_max_retries", setting("4", "flag")),
        ("on_duplicate", setting("reject", "queue")),
        ("jitter_percent", setting("0", "default")),
        ("auto_archive_exhausted_seconds", setting("off", "default")),
        ("retry_interval_seconds", setting("60", "default")),
    ] {
        assert_eq!(settings[name], expected, "{name}");
    }
}

#[test]
fn every_setting_of_the_template_is_reported() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    let settings = settings(&server);
    let template = outcome(command(&["config", "template"]).spawn().unwrap()).stdout;
    let section = template.split("[dlq]").nth(1).unwrap().split("\n[").next().unwrap();
    let names = section.lines().filter(|line| line.starts_with('#') && !line.starts_with("# "));
    let names: Vec<&str> = names.filter_map(|line| line[1..].split_once(" =").map(|(name, _)| name.trim())).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(settings.contains_key(name), "{name} is not reported");
    }
}

#[test]
fn secrets_are_reported_as_set_without_their_value() {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.env("REDRIVE_DLQ_OPENSEARCH_URL", crate::search::unreachable_url());
    serve.env("REDRIVE_DLQ_OPENSEARCH_USER", "me").env("REDRIVE_DLQ_OPENSEARCH_PASSWORD", "hush-hush");
    let server = TestServer::start(serve);
    server.run_ok(&["queue", "create", "dead"]);
    let settings = settings(&server);
    assert_eq!(settings["opensearch_password"], setting("********", "environment"));
    assert_eq!(settings["opensearch_api_key"], setting("", "default"));
    assert_eq!(settings["opensearch_user"], setting("me", "environment"));
    let shown = server.run_ok(&["letters", "configure", "dead"]);
    assert!(!shown.contains("hush-hush"));
}

#[test]
fn a_queue_cannot_override_a_setting_of_the_server() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    let set = json!({ "queue_name": "dead", "set": { "max_parallel": "3" } });
    let (status, answer) = call(&server, "letters.configure", &set);
    assert_eq!((status, &answer["details"]["reason"]), (400, &json!("invalid")));
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("in the configuration of the server"), "{message}");
}
