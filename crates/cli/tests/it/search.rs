//! A server whose index of letters cannot be reached: it continues to work.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::outcome;
use crate::retries::{call, ok, until};
use crate::serve::get;
use crate::test_server::{TestServer, command, folder};

/// A server in memory, with this configuration.
fn serve(folder: &Path, config: &str) -> Command {
    std::fs::write(folder.join("redrive.toml"), config).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder);
    serve
}

/// A URL without a listener.
pub(crate) fn unreachable_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

pub(crate) fn with_index_down(name: &str, more: &str) -> TestServer {
    let config = format!("[dlq]\nopensearch_url = '{}'\n{more}", unreachable_url());
    let folder = folder(name);
    let serve = serve(folder.path(), &config);
    let server = TestServer::start_in(folder, serve);
    until("the index is reported as down", || get(&server.address, "/health").contains(r#""status":"warn""#));
    server
}

#[test]
fn an_index_that_is_down_degrades_the_server_and_letters_are_captured() {
    let server = with_index_down("search-down", "");
    let health = get(&server.address, "/health");
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    assert!(health.contains("letters:index") && health.contains("they wait in the store"), "{health}");
    server.run_ok(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "fault": { "error": "timed out" } });
    ok(&server, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    until("the letter is in the outbox", || get(&server.address, "/metrics").contains("redrive_search_outbox_depth 1"));
    let stats = ok(&server, "letters.stats", &json!({ "queue_name": "dead" }));
    assert_eq!((&stats["projection"]["state"], &stats["projection"]["outbox_depth"]), (&json!("down"), &json!(1)));
    let metrics = get(&server.address, "/metrics");
    assert!(metrics.contains(r#"redrive_search_state{state="down"} 1"#), "{metrics}");
    assert!(metrics.contains(r#"redrive_search_failures_total{reason="unreachable"}"#), "{metrics}");
    assert!(metrics.contains("redrive_search_lag_seconds "), "{metrics}");
}

#[test]
fn a_server_without_an_index_does_not_report_one() {
    let server = TestServer::new();
    assert!(!get(&server.address, "/health").contains("letters:index"));
    assert!(!get(&server.address, "/metrics").contains("redrive_search_"));
}

#[test]
fn inconsistent_settings_of_the_index_are_rejected() {
    let folder = folder("search-config");
    let url = "opensearch_url = 'http://127.0.0.1:9200'\n";
    for (config, expected) in [
        ("fail_on_opensearch_unavailable = true\n".to_owned(), "dlq.opensearch_url is not"),
        ("opensearch_password = 'hush-hush'\n".to_owned(), "dlq.opensearch_url is not"),
        (format!("{url}opensearch_user = 'me'\n"), "without dlq.opensearch_password"),
        (format!("{url}opensearch_password = 'hush-hush'\n"), "without dlq.opensearch_user"),
        (format!("{url}opensearch_user = 'me'\nopensearch_api_key = 'hush-hush'\n"), "remove one of them"),
        (format!("{url}opensearch_index = 'Upper'\n"), "index"),
        (format!("{url}opensearch_timeout_seconds = 601\n"), "allowed: 1 to 600"),
        (format!("{url}opensearch_replicas = 101\n"), "replicas"),
        (format!("{url}opensearch_ca_file = 'missing.pem'\n"), "missing.pem"),
        ("opensearch_url = 'http://me:hush-hush@127.0.0.1'\n".to_owned(), "nothing secret in it"),
        (format!("{url}fail_on_opensearch_unavailable = 'maybe'\n"), "fail_on_opensearch_unavailable"),
    ] {
        let config = format!("[dlq]\n{config}");
        let served = outcome(serve(folder.path(), &config).spawn().unwrap());
        assert!(served.code == 1 && served.stderr.contains(expected), "{config}: {}", served.stderr);
        let mut check = command(&["config", "check", "redrive.toml"]);
        let checked = outcome(check.current_dir(folder.path()).spawn().unwrap());
        assert!(checked.code == 1 && checked.stderr.contains(expected), "{config}: {}", checked.stderr);
        assert!(!served.stderr.contains("hush") && !checked.stderr.contains("hush"), "secrets are not printed");
    }
}

#[test]
fn a_password_of_digits_is_accepted_in_both_spellings_of_its_variable() {
    for name in ["REDRIVE_DLQ_OPENSEARCH_PASSWORD", "REDRIVE_DLQ__OPENSEARCH_PASSWORD"] {
        let config = format!("dlq_opensearch_url = '{}'\ndlq_opensearch_user = 'me'\n", unreachable_url());
        let folder = folder(name);
        let mut serve = serve(folder.path(), &config);
        serve.env(name, "12345");
        let server = TestServer::start(serve);
        assert!(get(&server.address, "/health").contains("letters:index"), "{name}");
    }
}

#[test]
fn search_commands_name_the_missing_setting_if_there_is_no_index() {
    let server = TestServer::new();
    for arguments in [["search", "status"], ["search", "rebuild"], ["search", "restore"]] {
        let ran = server.run(&arguments);
        assert!(ran.code == 1 || ran.code == 4, "{arguments:?} exited with {}", ran.code);
        assert!(ran.stderr.contains("dlq.opensearch_url"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn the_state_of_the_index_is_printed_as_text_or_as_json() {
    let server = with_index_down("search-status", "");
    let text = server.run_ok(&["search", "status"]);
    assert!(text.contains("state        down") && text.contains("captures     do not wait"), "{text}");
    let status = server.objects(&["search", "status"]).remove(0);
    assert_eq!((&status["state"], &status["strict"]), (&json!("down"), &json!(false)));
    assert!(!status["trouble"].as_str().unwrap().is_empty());
    server.run(&["search", "restore"]).fails(1, "index of letters is not available");
}

#[test]
fn a_strict_server_rejects_letters_that_cannot_be_indexed() {
    let server = with_index_down("search-strict", "fail_on_opensearch_unavailable = true\n");
    server.run_ok(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "fault": { "error": "timed out" } });
    let (status, answer) = call(&server, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    assert_eq!((status, &answer["details"]["reason"]), (454, &json!("persist_failed")), "{answer}");
    assert_eq!(server.objects(&["letters", "list", "dead"]).len(), 0, "the letter is not stored");
    let metrics = get(&server.address, "/metrics");
    let counted = r#"redrive_dlq_persist_total{outcome="rejected",reason="persist_failed"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    assert!(server.run_ok(&["search", "status"]).contains("captures     wait for the index"));
}
