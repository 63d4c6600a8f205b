//! A server that is killed while it retries letters, and restarts.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::retries::{ok, post};
use crate::test_server::{TestServer, command, folder};

/// A target that never answers. Sends the head of each request to the receiver.
fn hanging_target() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (tx, rx) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            held.push(reader);
            if tx.send(head).is_err() {
                return;
            }
        }
    });
    (url, rx)
}

fn serve(folder: &Path, is_processing: bool) -> TestServer {
    let processing = format!("dlq.retry_processor_enabled={is_processing}");
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--set", &processing]);
    serve.current_dir(folder);
    TestServer::start(serve)
}

fn capture(server: &TestServer, queue: &str, policy: &str) -> Value {
    let letter = json!({ "source_id": policy, "utf8": "order 17", "retry_policy": policy, "max_retries": 2,
        "fault": { "error": "timed out" } });
    ok(server, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }))["letters"][0]["id"].clone()
}

fn letter(server: &TestServer, queue: &str, id: &Value) -> Value {
    ok(server, "letters.get", &json!({ "queue_name": queue, "id": id }))
}

/// The status, the failed retries, and the causes of the attempts after the first failure.
fn outcome(server: &TestServer, queue: &str, id: &Value) -> (String, u64, Vec<String>) {
    let letter = letter(server, queue, id);
    let attempts = letter["attempts"].as_array().unwrap().iter().skip(1);
    let causes = attempts.map(|attempt| attempt["attempt"]["cause"].as_str().unwrap_or_default().to_owned());
    let summary = &letter["letter"];
    let count = summary["retry_count"].as_u64().unwrap_or(0);
    assert_eq!(summary["outcome_unknown"].as_bool().unwrap_or(false), count > 0);
    (summary["status"].as_str().unwrap().to_owned(), count, causes.collect())
}

fn expected(status: &str, lost: usize) -> (String, u64, Vec<String>) {
    (status.to_owned(), lost as u64, vec!["lost".to_owned(); lost])
}

#[test]
fn claims_of_a_killed_server_end_as_lost_at_the_next_start() {
    let (url, requests) = hanging_target();
    let folder = folder("killed-retrying");
    let targets = ["dead", "other"].map(|queue| format!("{{ queue = '{queue}', http = '{url}' }}")).join(", ");
    std::fs::write(folder.path().join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();

    let mut server = serve(folder.path(), true);
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "order 18"]);
    let item = server.objects(&["lease", "orders"]).remove(0);
    let leased = capture(&server, "dead", "never");
    let held = server.objects(&["lease", "dead"]).remove(0);
    let [dead, other] = ["dead", "other"].map(|queue| capture(&server, queue, "immediate"));
    requests.recv().unwrap();
    requests.recv().unwrap();
    for (queue, id) in [("dead", &dead), ("other", &other), ("dead", &leased)] {
        assert_eq!(letter(&server, queue, id)["letter"]["status"], "retrying");
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();

    // Without automatic retries, so that only the start changes the letters.
    let mut server = serve(folder.path(), false);
    assert_eq!(outcome(&server, "dead", &dead), expected("pending", 1));
    assert_eq!(outcome(&server, "other", &other), expected("pending", 1));
    assert_eq!(outcome(&server, "dead", &leased), expected("retrying", 0), "its holder is not the server");
    let (address, request) = (server.address.clone(), json!({ "queue_name": "dead", "id": dead }));
    let retry = std::thread::spawn(move || std::panic::catch_unwind(|| post(&address, "letters.retry", &request)));
    requests.recv().unwrap();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    retry.join().unwrap().expect_err("a killed server does not answer");

    let server = serve(folder.path(), false);
    assert_eq!(outcome(&server, "dead", &dead), expected("exhausted", 2));
    assert_eq!(outcome(&server, "other", &other), expected("pending", 1), "its claim was lost only once");
    server.run_ok(&["complete", "dead", held["id"].as_str().unwrap()]);
    server.run_ok(&["complete", "orders", item["id"].as_str().unwrap()]);
    assert_eq!(outcome(&server, "dead", &leased).0, "completed");
}

/// The server is killed twenty times while a run hands letters back and a consumer completes what it gets. Each kill comes
/// after another number of answers of the consumer, so that it hits the run at another place.
#[test]
fn a_run_that_is_killed_twenty_times_hands_each_letter_back_once() {
    const LETTERS: usize = 2_000;
    const KILLS: usize = 20;
    let folder = folder("killed-running");
    let mut server = serve(folder.path(), false);
    server.run_ok(&["queue", "create", "orders-dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "orders-dead"]);
    let lines: String = (0..LETTERS).map(|number| format!("order {number}\n")).collect();
    server.run_with(&["produce", "orders"], lines.as_bytes()).succeeded();
    for _ in 0..LETTERS / 500 {
        let leased = server.run(&["lease", "orders", "--count", "500", "--output", "json"]).succeeded().stdout;
        server.run_with(&["retry", "orders", "-", "--dead"], leased.as_bytes()).succeeded();
    }
    let bulk = ["letters", "retry", "orders-dead", "--all", "--yes", "--rate", "400", "--detach", "--reason", "r"];
    let run = server.objects(&bulk).remove(0)["id"].as_str().unwrap().to_owned();
    let mut seen = Vec::new();
    for kill in 0..=KILLS {
        let before_kill = if kill == KILLS { LETTERS } else { seen.len() + 10 + 7 * kill };
        while seen.len() < before_kill.min(LETTERS) {
            let claim = json!({ "queue_name": "orders", "batch_size": 50, "request_timeout": "1s" });
            let (status, leased) = post(&server.address, "queue.claim", &claim);
            if status != 200 {
                continue;
            }
            let items = leased["items"].as_array().unwrap();
            let ids: Vec<&Value> = items.iter().map(|item| &item["id"]).collect();
            let complete = json!({ "queue_name": "orders", "partition": 0, "ids": ids, "request_timeout": "10s" });
            assert_eq!(post(&server.address, "queue.complete", &complete).0, 200);
            seen.extend(items.iter().map(|item| item["payload"].as_str().unwrap().to_owned()));
        }
        if kill < KILLS {
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            server = serve(folder.path(), false);
        }
    }
    let run = server.objects(&["letters", "run", "orders-dead", &run]).remove(0);
    assert_eq!(
        (&run["state"], &run["retried"], &run["skipped"]),
        (&json!("finished"), &json!(LETTERS), &json!(0)),
        "{run}"
    );
    seen.sort();
    let all = seen.len();
    seen.dedup();
    assert_eq!((all, seen.len()), (LETTERS, LETTERS), "each item is seen once");
    assert_eq!(server.objects(&["items", "list", "orders"]), Vec::<Value>::new());
}
