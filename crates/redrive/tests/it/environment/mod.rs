//! Each variable about letters, by what it does to a server; and where a server has its settings from.

mod bounds;
mod breaker;
mod captures;
mod dependencies;
mod keeping;
mod processor;
mod sources;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bed::{Bed, NOON, command, folder};
use crate::retries::{call, ok, post};

/// A server at noon with these variables, which has a queue `dead`.
fn serve(variables: &[(&str, &str)]) -> Bed {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]);
    serve.args(["--freeze", NOON]).env("REDRIVE_TEST_MODE", "true").envs(variables.iter().copied());
    let bed = Bed::start(serve);
    bed.done(&["queue", "create", "dead"]);
    bed
}

/// The same with a target for the letters of `dead`.
fn serve_with(name: &str, url: &str, variables: &[(&str, &str)]) -> Bed {
    let folder = folder(name);
    std::fs::write(folder.join("redrive.toml"), targets(url)).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]);
    serve.args(["--freeze", NOON]).env("REDRIVE_TEST_MODE", "true").envs(variables.iter().copied());
    serve.current_dir(&folder);
    Bed::start(serve)
}

fn targets(url: &str) -> String {
    format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n")
}

/// Moves the server's clock.
fn advance(bed: &Bed, duration: &str) {
    let control = bed.control.as_deref().unwrap();
    assert_eq!(post(control, "test.advance", &json!({ "duration": duration })).0, 200);
}

/// A failure that is retried at once.
fn failure(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "order 17", "retry_policy": "immediate", "fault": { "error": "timed out" } })
}

/// A failure that only a person retries.
fn parked(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "order 17", "retry_policy": "never", "fault": { "error": "timed out" } })
}

fn captures(letters: &[Value]) -> Value {
    json!({ "queue_name": "dead", "letters": letters })
}

/// The ids of new letters.
fn capture(bed: &Bed, letters: &[Value]) -> Vec<Value> {
    let captured = ok(bed, "letters.capture", &captures(letters));
    captured["letters"].as_array().unwrap().iter().map(|letter| letter["id"].clone()).collect()
}

/// Why letters are not taken.
fn refused(bed: &Bed, letters: &[Value]) -> (u16, String) {
    let (status, answer) = call(bed, "letters.capture", &captures(letters));
    (status, answer["details"]["reason"].as_str().unwrap_or_default().to_owned())
}

fn get(bed: &Bed, id: &Value) -> Value {
    ok(bed, "letters.get", &json!({ "queue_name": "dead", "id": id }))
}

fn letter(bed: &Bed, id: &Value) -> Value {
    get(bed, id)["letter"].clone()
}

fn is_there(bed: &Bed, id: &Value) -> bool {
    call(bed, "letters.get", &json!({ "queue_name": "dead", "id": id })).0 == 200
}

fn stats(bed: &Bed) -> Value {
    ok(bed, "letters.stats", &json!({ "queue_name": "dead" }))
}

fn process(bed: &Bed) -> Value {
    ok(bed, "letters.process", &json!({ "queue_name": "dead" }))
}

/// A target that answers when the test says so.
struct Target {
    url: String,
    asked: Receiver<Request>,
}

struct Request(TcpStream);

impl Target {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let (asks, asked) = mpsc::sync_channel(16);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    reader.read_line(&mut head).unwrap();
                }
                let length =
                    head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
                reader.read_exact(&mut vec![0; length.unwrap_or(0)]).unwrap();
                // The test may have seen enough.
                let _unread = asks.send(Request(reader.into_inner()));
            }
        });
        Self { url, asked }
    }

    fn next(&self) -> Request {
        self.asked.recv_timeout(Duration::from_secs(30)).expect("a request")
    }
}

impl Request {
    fn answer(mut self, status: u16) {
        let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        self.0.write_all(answer.as_bytes()).unwrap();
    }
}
