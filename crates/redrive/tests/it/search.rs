//! A server with an index of letters that cannot be reached: it is in nobody's way.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::bed::{Bed, command, folder};
use crate::outcome;
use crate::retries::{call, ok, until};
use crate::serve::get;

/// A server whose configuration says this, in memory.
fn serve(folder: &Path, config: &str) -> Command {
    std::fs::write(folder.join("redrive.toml"), config).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder);
    serve
}

/// An address at which nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

pub(crate) fn down(name: &str, more: &str) -> Bed {
    let config = format!("[dlq]\nopensearch_url = '{}'\n{more}", nobody());
    let bed = Bed::start(serve(&folder(name), &config));
    until("the index is known to be down", || get(&bed.address, "/health").contains(r#""status":"warn""#));
    bed
}

#[test]
fn an_index_that_is_down_degrades_the_server_and_takes_nothing_from_it() {
    let bed = down("search-down", "");
    let health = get(&bed.address, "/health");
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    assert!(health.contains("letters:index") && health.contains("they wait in the store"), "{health}");
    bed.done(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "fault": { "error": "timed out" } });
    ok(&bed, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    until("the letter waits", || get(&bed.address, "/metrics").contains("redrive_search_outbox_depth 1"));
    let stats = ok(&bed, "letters.stats", &json!({ "queue_name": "dead" }));
    assert_eq!((&stats["projection"]["state"], &stats["projection"]["outbox_depth"]), (&json!("down"), &json!(1)));
    let metrics = get(&bed.address, "/metrics");
    assert!(metrics.contains(r#"redrive_search_state{state="down"} 1"#), "{metrics}");
    assert!(metrics.contains(r#"redrive_search_failures_total{reason="unreachable"}"#), "{metrics}");
    assert!(metrics.contains("redrive_search_lag_seconds "), "{metrics}");
}

#[test]
fn a_server_without_an_index_says_nothing_of_one() {
    let bed = Bed::new();
    assert!(!get(&bed.address, "/health").contains("letters:index"));
    assert!(!get(&bed.address, "/metrics").contains("redrive_search_"));
}

#[test]
fn what_is_said_of_the_index_must_fit_together() {
    let folder = folder("search-config");
    let url = "opensearch_url = 'http://127.0.0.1:9200'\n";
    for (config, told) in [
        ("fail_on_opensearch_unavailable = true\n".to_owned(), "dlq.opensearch_url is not"),
        ("opensearch_password = 'hush-hush'\n".to_owned(), "dlq.opensearch_url is not"),
        (format!("{url}opensearch_user = 'me'\n"), "without dlq.opensearch_password"),
        (format!("{url}opensearch_password = 'hush-hush'\n"), "without dlq.opensearch_user"),
        (format!("{url}opensearch_user = 'me'\nopensearch_api_key = 'hush-hush'\n"), "keep one"),
        (format!("{url}opensearch_index = 'Upper'\n"), "index"),
        (format!("{url}opensearch_timeout_seconds = 601\n"), "allowed: 1 to 600"),
        (format!("{url}opensearch_replicas = 101\n"), "replicas"),
        (format!("{url}opensearch_ca_file = 'missing.pem'\n"), "missing.pem"),
        ("opensearch_url = 'http://me:hush-hush@127.0.0.1'\n".to_owned(), "nothing secret in it"),
        (format!("{url}fail_on_opensearch_unavailable = 'maybe'\n"), "fail_on_opensearch_unavailable"),
    ] {
        let config = format!("[dlq]\n{config}");
        let served = outcome(serve(&folder, &config).spawn().unwrap());
        assert!(served.code == 1 && served.stderr.contains(told), "{config}: {}", served.stderr);
        let mut check = command(&["config", "check", "redrive.toml"]);
        let checked = outcome(check.current_dir(&folder).spawn().unwrap());
        assert!(checked.code == 1 && checked.stderr.contains(told), "{config}: {}", checked.stderr);
        assert!(!served.stderr.contains("hush") && !checked.stderr.contains("hush"), "a secret is shown nowhere");
    }
}

#[test]
fn a_password_may_be_written_in_either_way_and_of_digits_alone() {
    for name in ["REDRIVE_DLQ_OPENSEARCH_PASSWORD", "REDRIVE_DLQ__OPENSEARCH_PASSWORD"] {
        let config = format!("dlq_opensearch_url = '{}'\ndlq_opensearch_user = 'me'\n", nobody());
        let mut serve = serve(&folder(name), &config);
        serve.env(name, "12345");
        let bed = Bed::start(serve);
        assert!(get(&bed.address, "/health").contains("letters:index"), "{name}");
    }
}

#[test]
fn commands_about_an_index_say_what_to_set_where_there_is_none() {
    let bed = Bed::new();
    for arguments in [["search", "status"], ["search", "rebuild"], ["search", "restore"]] {
        let ran = bed.run(&arguments);
        assert!(ran.code == 1 || ran.code == 4, "{arguments:?} ended with {}", ran.code);
        assert!(ran.stderr.contains("dlq.opensearch_url"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn the_state_of_an_index_is_told_to_people_and_to_programs() {
    let bed = down("search-status", "");
    let told = bed.done(&["search", "status"]);
    assert!(told.contains("state        down") && told.contains("captures     do not wait"), "{told}");
    let status = bed.objects(&["search", "status"]).remove(0);
    assert_eq!((&status["state"], &status["strict"]), (&json!("down"), &json!(false)));
    assert!(!status["trouble"].as_str().unwrap().is_empty());
    let restore = bed.run(&["search", "restore"]);
    assert!(restore.code == 1 && restore.stderr.contains("index of letters is not available"), "{}", restore.stderr);
}

#[test]
fn a_strict_server_takes_no_letter_that_the_index_does_not_take() {
    let bed = down("search-strict", "fail_on_opensearch_unavailable = true\n");
    bed.done(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "fault": { "error": "timed out" } });
    let (status, told) = call(&bed, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    assert_eq!((status, &told["details"]["reason"]), (454, &json!("persist_failed")), "{told}");
    assert_eq!(bed.objects(&["letters", "list", "dead"]).len(), 0, "nothing is kept anywhere");
    let metrics = get(&bed.address, "/metrics");
    let counted = r#"redrive_dlq_persist_total{outcome="rejected",reason="persist_failed"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    assert!(bed.done(&["search", "status"]).contains("captures     wait for the index"));
}
