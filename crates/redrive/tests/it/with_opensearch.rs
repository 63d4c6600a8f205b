//! A server with a real OpenSearch beside it: the index is made anew, and letters come back from it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::bed::{Bed, command, folder};
use crate::retries::{ok, until};

/// A server in a folder, with an index of its own.
fn serve(folder: &Path, index: &str, more: &str) -> Bed {
    let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("run by cargo xtask test, which sets it");
    let config = format!(
        "[server]\nlisten = '127.0.0.1:0'\n[store]\ndata_dir = 'data'\n[dlq]\nopensearch_url = 'http://{address}'\n\
         opensearch_index = '{index}'\nopensearch_replicas = 0\n{more}"
    );
    std::fs::write(folder.join("redrive.toml"), config).unwrap();
    let mut serve: Command = command(&["serve"]);
    serve.current_dir(folder);
    Bed::start(serve)
}

fn index(name: &str) -> String {
    format!("cli-{}-{name}", std::process::id())
}

fn status(bed: &Bed) -> Value {
    bed.objects(&["search", "status"]).remove(0)
}

/// What OpenSearch itself answers to a GET.
fn asked(path: &str) -> String {
    let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("run by cargo xtask test, which sets it");
    let mut connection = TcpStream::connect(&address).unwrap();
    write!(connection, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

fn settled(bed: &Bed) {
    until("the index has everything", || {
        let status = status(bed);
        status["state"] == "ok" && status["outbox_depth"] == 0
    });
}

fn capture(bed: &Bed, source_id: &str, more: &Value) -> String {
    let mut letter = json!({
        "source_id": source_id, "bytes": "AP8K", "key": "a2V5", "headers": [{ "name": "h", "value": "/w==" }],
        "fault": { "error": format!("HTTP 503 Service Unavailable for {source_id}") },
        "origin": { "transport": "kafka", "name": "orders", "partition": 1, "offset": source_id.len() },
        "metadata": { "tenant": "acme" }, "parts": ["a", "b"], "priority": "high", "trace_id": "t-1",
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        letter[name] = value.clone();
    }
    let captured = ok(bed, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    captured["letters"][0]["id"].as_str().unwrap().to_owned()
}

/// All that is told of a letter, its payload included.
fn whole(bed: &Bed, id: &str) -> Value {
    bed.objects(&["letters", "show", "dead", id, "--reveal", "--reason", "compared in a test"]).remove(0)
}

/// Letters to which everything has happened that leaves something behind.
fn fill(bed: &Bed) -> Vec<String> {
    bed.done(&["queue", "create", "dead"]);
    let [plain, edited, archived, exhausted, done] = ["p", "ed", "arc", "exha", "doned"].map(|source_id| {
        let more = if source_id == "exha" { json!({ "max_retries": 0 }) } else { json!({}) };
        capture(bed, source_id, &more)
    });
    bed.done(&["letters", "edit", "dead", &edited, "--payload", "mended", "--max-retries", "7"]);
    bed.done(&["letters", "note", "dead", &edited, "looked at it"]);
    bed.done(&["letters", "archive", "dead", &archived]);
    // The exhausted one is all that a lease gives of these.
    let leased = bed.objects(&["lease", "dead"]);
    let leased = leased[0]["id"].as_str().unwrap();
    bed.done(&["retry", "dead", leased]);
    bed.done(&["letters", "purge", "dead", &done, "--yes"]);
    vec![plain, edited, archived, exhausted]
}

#[test]
fn an_index_is_made_anew_and_letters_come_back_from_it() {
    let folder = folder("with-opensearch-restore");
    let index = index("restore");
    let mut bed = serve(&folder, &index, "");
    let letters = fill(&bed);
    settled(&bed);
    let before: Vec<Value> = letters.iter().map(|id| whole(&bed, id)).collect();
    assert_eq!(bed.stop(), Some(0));

    let mut bed = serve(&folder, &index, "");
    let rebuilt = bed.objects(&["search", "rebuild"]).remove(0);
    assert_eq!((&rebuilt["letters"], &rebuilt["left_aside"]), (&json!(4), &json!("")), "{rebuilt}");
    settled(&bed);
    // Somebody holds the exhausted one when the store is lost.
    bed.done(&["lease", "dead"]);
    settled(&bed);
    assert_eq!(bed.stop(), Some(0));

    std::fs::remove_dir_all(folder.join("data")).unwrap();
    let bed = serve(&folder, &index, "");
    until("the index is known to be another store's", || status(&bed)["state"] == "down");
    let trouble = status(&bed)["trouble"].as_str().unwrap().to_owned();
    assert!(trouble.contains("redrive search restore"), "{trouble}");
    let ran = bed.run(&["search", "restore", "--output", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("made the queue 'dead'"), "{}", ran.stderr);
    let sums: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(sums, json!({ "restored": 4, "there": 0, "refused": 0, "queues_made": 1 }));
    let (held, others) = letters.split_last().unwrap();
    for (id, before) in others.iter().zip(&before) {
        assert_eq!(whole(&bed, id), *before, "field by field");
    }
    let held = whole(&bed, held);
    let told = (&held["status"], &held["retry_count"], &held["outcome_unknown"]);
    assert_eq!(told, (&json!("exhausted"), &json!(2), &json!(true)), "it comes back without its holder: {held}");

    let again = bed.run(&["search", "restore"]);
    assert!(again.code == 4 && again.stderr.contains("the store is not empty"), "{}", again.stderr);
    let merged = bed.objects(&["search", "restore", "--merge"]).remove(0);
    assert_eq!((&merged["restored"], &merged["there"]), (&json!(0), &json!(4)), "twice is as good as once");
    let rebuilt = bed.objects(&["search", "rebuild"]).remove(0);
    assert_eq!(rebuilt["letters"], 4);
    assert!(rebuilt["left_aside"].as_str().unwrap().starts_with(&index), "the other store's index is left: {rebuilt}");
    settled(&bed);
}

/// The source ids of what a list finds.
fn found(bed: &Bed, arguments: &[&str]) -> Vec<String> {
    let letters = bed.objects(&[&["letters", "list", "dead"], arguments].concat());
    letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn letters_are_found_by_their_words_and_shown_as_the_store_has_them() {
    let bed = serve(&folder("with-opensearch-query"), &index("query"), "");
    bed.done(&["queue", "create", "dead"]);
    bed.done(&["queue", "create", "other"]);
    let ids: Vec<String> = (1..=7).map(|number| capture(&bed, &"x".repeat(number), &json!({}))).collect();
    let quiet = json!({ "fault": { "error": "disk quota exceeded" } });
    capture(&bed, "quiet-one", &quiet);
    let elsewhere = json!({ "source_id": "elsewhere", "fault": { "error": "HTTP 503 Service Unavailable" } });
    ok(&bed, "letters.capture", &json!({ "queue_name": "other", "letters": [elsewhere] }));
    settled(&bed);
    let words = ["--query", "service unavailable"];
    until("the words are found", || found(&bed, &words).len() == 7);
    let in_order: Vec<String> = (1..=7).map(|number| "x".repeat(number)).collect();
    assert_eq!(found(&bed, &words), in_order, "in the order of the store, and of this queue alone");
    assert_eq!(found(&bed, &["--query", "quota"]), ["quiet-one"]);
    assert_eq!(found(&bed, &["--query", "-unavailable acme"]), ["quiet-one"]);
    assert_eq!(found(&bed, &[&words[..], &["--filter", "source_id == 'xx'"]].concat()), ["xx"], "and by a condition");

    let list = |after: &Value| {
        let page = json!({ "queue_name": "dead", "query": "unavailable", "limit": 3, "after": after });
        ok(&bed, "letters.list", &page)
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
    assert_eq!(seen, ids.iter().map(|id| json!(id)).collect::<Vec<_>>(), "page by page, each once");

    // The index hears of it later, and lets a search see it later still.
    bed.done(&["letters", "archive", "dead", &ids[0]]);
    bed.done(&["letters", "purge", "dead", &ids[1], "--yes"]);
    assert_eq!(
        found(&bed, &[&words[..], &["-s", "pending"]].concat()),
        in_order[2..],
        "what it is now, the store says"
    );
}

#[test]
fn a_strict_capture_is_answered_when_the_index_has_it() {
    let index = index("strict");
    let bed = serve(&folder("with-opensearch-strict"), &index, "fail_on_opensearch_unavailable = true\n");
    bed.done(&["queue", "create", "dead"]);
    settled(&bed);
    for number in 1..=3 {
        let id = capture(&bed, &"x".repeat(number), &json!({}));
        let answer = asked(&format!("/{index}/_doc/{id}"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}
