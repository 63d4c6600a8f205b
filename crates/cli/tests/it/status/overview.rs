//! What `redrive status` reports.

use serde_json::{Value, json};

use super::{busy_server, status};
use crate::outcome;
use crate::test_server::{TestServer, command, folder, words};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_object_has_every_field() {
    let server = busy_server();
    let object = status(&server, &[]);
    let top = "attention attention_total next now queues retries routes routes_total server totals";
    assert_eq!(keys(&object), words(top));
    let totals = json!({ "queues": 4, "paused": 1, "ready": 4, "leased": 1, "scheduled": 2, "stranded": 0,
        "damaged": 0, "dead": 2, "exhausted": 1, "overdue": 0 });
    assert_eq!(object["totals"], totals);
    let orders = object["queues"].as_array().unwrap().iter().find(|queue| queue["queue_name"] == "orders").unwrap();
    let expected = json!({ "queue_name": "orders", "namespace": "_system", "paused": false, "ready": 2, "leased": 1,
        "scheduled": 1, "stranded": 0, "damaged": 0, "dead": 0, "exhausted": 0, "overdue": 0, "limit": 10_000,
        "oldest_at": "2026-11-15T12:00:00Z", "average_age_ms": 45_000, "in_total": 4, "out_total": 0,
        "in_per_minute": 0.7, "out_per_minute": 0.0, "waiting": 0, "dead_queue": "orders-dead",
        "target": null });
    assert_eq!(orders, &expected);
    let first = json!({ "severity": "warning", "kind": "paused", "queue_name": "invoices", "route_name": null,
        "namespace": "_system", "run": null, "count": 1, "missing_permission": null,
        "message": "'invoices' is paused: 1 item waiting", "next": "redrive queue resume invoices" });
    assert_eq!(object["attention"][0], first);
    let server = json!({ "version": env!("CARGO_PKG_VERSION"), "store": "ok", "live_bytes": 0, "log_bytes": 0,
        "disk_free_bytes": null, "disk_total_bytes": null, "disk_low_bytes": null, "reserve_bytes": 0, "damaged": 0, "index": "off", "index_outbox_depth": 0, "index_lag_ms": 0 });
    assert_eq!(object["server"], server);
}

#[test]
fn a_server_on_disk_shows_the_free_space_of_its_file_system() {
    let folder = folder("status-disk");
    let mut serve = command(&["serve", "--data-dir", "data", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder.path());
    let server = TestServer::start(serve);
    let object = status(&server, &[])["server"].clone();
    let [free, total, reserve] =
        ["disk_free_bytes", "disk_total_bytes", "reserve_bytes"].map(|name| object[name].as_u64().unwrap());
    assert!(0 < free && free <= total && reserve > 0, "{object}");
    let table = server.run_ok(&["status"]);
    let disk = table.lines().find_map(|line| line.strip_prefix("disk     ")).unwrap();
    assert!(disk.contains(" free of "), "{table}");
}

#[test]
fn the_next_step_of_every_entry_is_a_valid_command() {
    let server = busy_server();
    let object = status(&server, &[]);
    let entries = object["attention"].as_array().unwrap();
    assert_eq!(entries.len(), 3, "{entries:?}");
    for entry in entries {
        let words: Vec<&str> = entry["next"].as_str().unwrap().split(' ').skip(1).collect();
        assert_eq!(server.run(&words).code, 0, "{words:?}");
    }
}

#[test]
fn queues_are_listed_page_by_page() {
    let server = TestServer::new();
    let names: Vec<String> = (0..60).map(|number| format!("q{number:02}")).collect();
    crate::test_server::create_queues(&format!("http://{}", server.address), &names);
    let listed = |object: &Value| -> Vec<String> {
        let queues = object["queues"].as_array().unwrap();
        queues.iter().map(|queue| queue["queue_name"].as_str().unwrap().to_owned()).collect()
    };
    let first = status(&server, &[]);
    assert_eq!((listed(&first), &first["next"]), (names[..50].to_vec(), &json!("q50")));
    assert_eq!(first["totals"]["queues"], 60);
    let rest = status(&server, &["--from", "q50", "--limit", "20"]);
    assert_eq!((listed(&rest), &rest["next"]), (names[50..].to_vec(), &Value::Null));
    let table = server.run_ok(&["status", "--limit", "2"]);
    assert!(table.contains("\nmore queues follow: redrive status --from q02\n"), "{table}");
}

#[test]
fn a_wrong_value_is_one_sentence_with_the_right_form() {
    for (arguments, form) in [
        (["--limit", "0"], "expected a whole number from 1 to 1000"),
        (["--limit", "many"], "expected a whole number from 1 to 1000"),
        (["--watch", "0"], "expected a whole number from 1 to 3600"),
        (["--watch", "often"], "expected a whole number from 1 to 3600"),
    ] {
        let ran = outcome(command(&[&["status"], &arguments[..]].concat()).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        let message = ran.stderr.split("\n\n").next().unwrap();
        assert!(message.starts_with("error: invalid value '") && message.ends_with(form), "{message}");
    }
}

#[test]
fn the_examples_of_the_help_work() {
    let server = busy_server();
    let help = server.run_ok(&["status", "--help"]);
    let examples: Vec<&str> = help.split("Examples:\n").nth(1).unwrap().lines().map(str::trim).collect();
    assert_eq!(examples.len(), 3, "{help}");
    for example in examples {
        let words: Vec<&str> = example.split(' ').collect();
        assert_eq!(words[..2], ["redrive", "status"]);
        server.run_ok(&words[1..]);
    }
}
