//! A server that was killed while it retried letters, and starts again.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::bed::{Bed, command, folder};
use crate::retries::{ok, post};

/// Takes requests and never answers; sends the head of each.
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

fn serve(folder: &Path, is_processing: bool) -> Bed {
    let processing = format!("dlq.retry_processor_enabled={is_processing}");
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--set", &processing]);
    serve.current_dir(folder);
    Bed::start(serve)
}

fn capture(bed: &Bed, queue: &str, policy: &str) -> Value {
    let letter = json!({ "source_id": policy, "utf8": "order 17", "retry_policy": policy, "max_retries": 2,
        "fault": { "error": "timed out" } });
    ok(bed, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }))["letters"][0]["id"].clone()
}

fn letter(bed: &Bed, queue: &str, id: &Value) -> Value {
    ok(bed, "letters.get", &json!({ "queue_name": queue, "id": id }))
}

/// Status, failed retries, and the causes of the attempts after the first failure.
fn fate(bed: &Bed, queue: &str, id: &Value) -> (String, u64, Vec<String>) {
    let letter = letter(bed, queue, id);
    let attempts = letter["attempts"].as_array().unwrap().iter().skip(1);
    let causes = attempts.map(|attempt| attempt["attempt"]["cause"].as_str().unwrap_or_default().to_owned());
    let told = &letter["letter"];
    let count = told["retry_count"].as_u64().unwrap_or(0);
    assert_eq!(told["outcome_unknown"].as_bool().unwrap_or(false), count > 0);
    (told["status"].as_str().unwrap().to_owned(), count, causes.collect())
}

fn fates(status: &str, lost: usize) -> (String, u64, Vec<String>) {
    (status.to_owned(), lost as u64, vec!["lost".to_owned(); lost])
}

#[test]
fn letters_that_a_killed_server_was_retrying_are_lost_at_its_next_start() {
    let (url, requests) = hanging_target();
    let folder = folder("killed-retrying");
    let targets = ["dead", "other"].map(|queue| format!("{{ queue = '{queue}', http = '{url}' }}")).join(", ");
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();

    let mut bed = serve(&folder, true);
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "order 18"]);
    let item = bed.objects(&["lease", "orders"]).remove(0);
    let leased = capture(&bed, "dead", "never");
    let held = bed.objects(&["lease", "dead"]).remove(0);
    let [dead, other] = ["dead", "other"].map(|queue| capture(&bed, queue, "immediate"));
    requests.recv().unwrap();
    requests.recv().unwrap();
    for (queue, id) in [("dead", &dead), ("other", &other), ("dead", &leased)] {
        assert_eq!(letter(&bed, queue, id)["letter"]["status"], "retrying");
    }
    bed.child.kill().unwrap();
    bed.child.wait().unwrap();

    // Nothing is claimed here, so that what is seen is what the start did.
    let mut bed = serve(&folder, false);
    assert_eq!(fate(&bed, "dead", &dead), fates("pending", 1));
    assert_eq!(fate(&bed, "other", &other), fates("pending", 1));
    assert_eq!(fate(&bed, "dead", &leased), fates("retrying", 0), "its holder is somebody else");
    let (address, by_hand) = (bed.address.clone(), json!({ "queue_name": "dead", "id": dead }));
    let asked = std::thread::spawn(move || std::panic::catch_unwind(|| post(&address, "letters.retry", &by_hand)));
    requests.recv().unwrap();
    bed.child.kill().unwrap();
    bed.child.wait().unwrap();
    asked.join().unwrap().expect_err("no answer comes from a server that was killed");

    let bed = serve(&folder, false);
    assert_eq!(fate(&bed, "dead", &dead), fates("exhausted", 2));
    assert_eq!(fate(&bed, "other", &other), fates("pending", 1), "it was lost once");
    bed.done(&["complete", "dead", held["id"].as_str().unwrap()]);
    bed.done(&["complete", "orders", item["id"].as_str().unwrap()]);
    assert_eq!(fate(&bed, "dead", &leased).0, "completed");
}
