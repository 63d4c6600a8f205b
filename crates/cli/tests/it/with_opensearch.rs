//! A server with a real OpenSearch: rebuild, restore, search, strict captures.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::retries::{ok, until};
use crate::test_server::{TestServer, command, folder};

/// A server with its data in a folder, and with a separate index.
fn serve(folder: &Path, index: &str, more: &str) -> TestServer {
    let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("run by cargo xtask test, which sets it");
    let config = format!(
        "[server]\nlisten = '127.0.0.1:0'\n[store]\ndata_dir = 'data'\n[dlq]\nopensearch_url = 'http://{address}'\n\
         opensearch_index = '{index}'\nopensearch_replicas = 0\n{more}"
    );
    std::fs::write(folder.join("redrive.toml"), config).unwrap();
    let mut serve: Command = command(&["serve"]);
    serve.current_dir(folder);
    TestServer::start(serve)
}

fn index(name: &str) -> String {
    format!("cli-{}-{name}", std::process::id())
}

fn status(server: &TestServer) -> Value {
    server.objects(&["search", "status"]).remove(0)
}

/// The response of OpenSearch to a GET request.
fn get_from_opensearch(path: &str) -> String {
    let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("run by cargo xtask test, which sets it");
    let mut connection = TcpStream::connect(&address).unwrap();
    write!(connection, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

fn settled(server: &TestServer) {
    until("the index is up to date", || {
        let status = status(server);
        status["state"] == "ok" && status["outbox_depth"] == 0
    });
}

fn capture(server: &TestServer, source_id: &str, more: &Value) -> String {
    let mut letter = json!({
        "source_id": source_id, "bytes": "AP8K", "key": "a2V5", "headers": [{ "name": "h", "value": "/w==" }],
        "fault": { "error": format!("HTTP 503 Service Unavailable for {source_id}") },
        "origin": { "transport": "kafka", "name": "orders", "partition": 1, "offset": source_id.len() },
        "metadata": { "tenant": "acme" }, "parts": ["a", "b"], "priority": "high", "trace_id": "t-1",
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        letter[name] = value.clone();
    }
    let captured = ok(server, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    captured["letters"][0]["id"].as_str().unwrap().to_owned()
}

/// A letter with all fields, including its payload.
fn reveal(server: &TestServer, id: &str) -> Value {
    server.objects(&["letters", "show", "dead", id, "--reveal", "--reason", "compared in a test"]).remove(0)
}

/// Captures letters, and edits, annotates, archives, leases and purges them.
fn fill(server: &TestServer) -> Vec<String> {
    server.run_ok(&["queue", "create", "dead"]);
    let [plain, edited, archived, exhausted, done] = ["p", "ed", "arc", "exha", "doned"].map(|source_id| {
        let more = if source_id == "exha" { json!({ "max_retries": 0 }) } else { json!({}) };
        capture(server, source_id, &more)
    });
    server.run_ok(&["letters", "edit", "dead", &edited, "--payload", "corrected", "--max-retries", "7"]);
    server.run_ok(&["letters", "note", "dead", &edited, "checked"]);
    server.run_ok(&["letters", "archive", "dead", &archived]);
    // Of these letters, a lease returns only the exhausted one.
    let leased = server.objects(&["lease", "dead"]);
    let leased = leased[0]["id"].as_str().unwrap();
    server.run_ok(&["retry", "dead", leased]);
    server.run_ok(&["letters", "purge", "dead", &done, "--yes", "--reason", "a test"]);
    vec![plain, edited, archived, exhausted]
}

#[test]
fn the_index_is_rebuilt_and_letters_are_restored_from_it() {
    let folder = folder("with-opensearch-restore");
    let index = index("restore");
    let mut server = serve(folder.path(), &index, "");
    let letters = fill(&server);
    settled(&server);
    let before: Vec<Value> = letters.iter().map(|id| reveal(&server, id)).collect();
    assert_eq!(server.stop(), Some(0));

    let mut server = serve(folder.path(), &index, "");
    let rebuilt = server.objects(&["search", "rebuild"]).remove(0);
    assert_eq!((&rebuilt["letters"], &rebuilt["left_aside"]), (&json!(4), &json!("")), "{rebuilt}");
    settled(&server);
    // The exhausted letter is leased when the store is lost.
    server.run_ok(&["lease", "dead"]);
    settled(&server);
    assert_eq!(server.stop(), Some(0));

    std::fs::remove_dir_all(folder.path().join("data")).unwrap();
    let server = serve(folder.path(), &index, "");
    until("the server reports that the index belongs to another store", || status(&server)["state"] == "down");
    let trouble = status(&server)["trouble"].as_str().unwrap().to_owned();
    assert!(trouble.contains("redrive search restore"), "{trouble}");
    let ran = server.run(&["search", "restore", "--output", "json"]).succeeded();
    assert!(ran.stderr.contains("created queue 'dead'"), "{}", ran.stderr);
    let sums: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(sums, json!({ "restored": 4, "there": 0, "refused": 0, "queues_made": 1 }));
    let (leased, others) = letters.split_last().unwrap();
    for (id, before) in others.iter().zip(&before) {
        assert_eq!(reveal(&server, id), *before, "all fields are restored");
    }
    let leased = reveal(&server, leased);
    let restored = (&leased["status"], &leased["retry_count"], &leased["outcome_unknown"]);
    assert_eq!(restored, (&json!("exhausted"), &json!(2), &json!(true)), "it is restored without its lease: {leased}");

    server.run(&["search", "restore"]).fails(4, "the store is not empty");
    let merged = server.objects(&["search", "restore", "--merge"]).remove(0);
    assert_eq!((&merged["restored"], &merged["there"]), (&json!(0), &json!(4)), "a restore is idempotent");
    let rebuilt = server.objects(&["search", "rebuild"]).remove(0);
    assert_eq!(rebuilt["letters"], 4);
    assert!(rebuilt["left_aside"].as_str().unwrap().starts_with(&index), "the other index is kept: {rebuilt}");
    settled(&server);
}

/// The source ids of the listed letters.
fn found(server: &TestServer, arguments: &[&str]) -> Vec<String> {
    let letters = server.objects(&[&["letters", "list", "dead", "--sort", "id"], arguments].concat());
    letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn letters_are_found_by_words_and_returned_from_the_store() {
    let folder = folder("with-opensearch-query");
    let server = serve(folder.path(), &index("query"), "");
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "other"]);
    let ids: Vec<String> = (1..=7).map(|number| capture(&server, &"x".repeat(number), &json!({}))).collect();
    let quiet = json!({ "fault": { "error": "disk quota exceeded" } });
    capture(&server, "quiet-one", &quiet);
    let elsewhere = json!({ "source_id": "elsewhere", "fault": { "error": "HTTP 503 Service Unavailable" } });
    ok(&server, "letters.capture", &json!({ "queue_name": "other", "letters": [elsewhere] }));
    settled(&server);
    let words = ["--query", "service unavailable"];
    until("the letters are searchable", || found(&server, &words).len() == 7);
    let in_order: Vec<String> = (1..=7).map(|number| "x".repeat(number)).collect();
    assert_eq!(found(&server, &words), in_order, "in the order of the store, and only of this queue");
    let newest = server.objects(&["letters", "list", "dead", "--query", "service unavailable", "-l", "3"]);
    let newest: Vec<&Value> = newest.iter().map(|letter| &letter["source_id"]).collect();
    assert_eq!(newest, in_order.iter().rev().take(3).collect::<Vec<_>>(), "the newest first");
    assert_eq!(found(&server, &[&words[..], &["--since", "1h", "--until", "0s"]].concat()).len(), 7);
    assert_eq!(found(&server, &[&words[..], &["--until", "1h"]].concat()), Vec::<String>::new());
    assert_eq!(server.run(&["letters", "list", "dead", "--query", "x", "--sort", "due"]).code, 4);
    until("the last letter is searchable", || found(&server, &["--query", "quota"]) == ["quiet-one"]);
    assert_eq!(found(&server, &["--query", "-unavailable acme"]), ["quiet-one"]);
    assert_eq!(found(&server, &[&words[..], &["--filter", "source_id == 'xx'"]].concat()), ["xx"], "with a filter");

    let list = |after: &Value| {
        let page = json!({ "queue_name": "dead", "query": "unavailable", "limit": 3, "after": after });
        ok(&server, "letters.list", &page)
    };
    let (mut after, mut seen) = (json!(""), Vec::new());
    loop {
        let page = list(&after);
        seen.extend(page["letters"].as_array().into_iter().flatten().map(|letter| letter["id"].clone()));
        match page.get("next") {
            Some(next) => after = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen, ids.iter().map(|id| json!(id)).collect::<Vec<_>>(), "each letter once over all pages");

    // The index has these changes later, and a search sees them even later.
    server.run_ok(&["letters", "archive", "dead", &ids[0]]);
    server.run_ok(&["letters", "purge", "dead", &ids[1], "--yes", "--reason", "a test"]);
    assert_eq!(
        found(&server, &[&words[..], &["-s", "pending"]].concat()),
        in_order[2..],
        "the status is that of the store"
    );
}

#[test]
fn a_strict_capture_is_answered_when_the_letter_is_indexed() {
    let (folder, index) = (folder("with-opensearch-strict"), index("strict"));
    let server = serve(folder.path(), &index, "fail_on_opensearch_unavailable = true\n");
    server.run_ok(&["queue", "create", "dead"]);
    settled(&server);
    for number in 1..=3 {
        let id = capture(&server, &"x".repeat(number), &json!({}));
        let answer = get_from_opensearch(&format!("/{index}/_doc/{id}"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}
