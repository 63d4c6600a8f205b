//! The effect of each environment variable about letters, and the sources of settings.

mod bounds;
mod breaker;
mod captures;
mod dependencies;
mod processor;
mod retention;
mod rules;
mod sources;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

use crate::retries::{call, ok};
use crate::test_server::{TestServer, folder_with, serve_frozen};

/// A server with these variables, a clock frozen at noon, and a queue `dead`.
fn serve(variables: &[(&str, &str)]) -> TestServer {
    let mut serve = serve_frozen();
    serve.envs(variables.iter().copied());
    let server = TestServer::start(serve);
    server.run_ok(&["queue", "create", "dead"]);
    server
}

/// The same server with a target for the letters of `dead`.
fn serve_with(name: &str, url: &str, variables: &[(&str, &str)]) -> TestServer {
    let mut serve = serve_frozen();
    serve.envs(variables.iter().copied());
    TestServer::start_in(folder_with(name, &targets(url)), serve)
}

/// The same server with a target that is not called: letters show when they would be retried.
fn serve_unstarted(name: &str, variables: &[(&str, &str)]) -> TestServer {
    let unstarted = [("REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", "false")];
    serve_with(name, "http://127.0.0.1:9/", &[&unstarted[..], variables].concat())
}

fn targets(url: &str) -> String {
    format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n")
}

/// A failure that is retried immediately.
fn failure(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "order 17", "retry_policy": "immediate", "fault": { "error": "timed out" } })
}

/// A failure without automatic retries.
fn parked(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "order 17", "retry_policy": "never", "fault": { "error": "timed out" } })
}

fn captures(letters: &[Value]) -> Value {
    json!({ "queue_name": "dead", "letters": letters })
}

/// Captures letters, and returns their ids.
fn capture(server: &TestServer, letters: &[Value]) -> Vec<Value> {
    let captured = ok(server, "letters.capture", &captures(letters));
    captured["letters"].as_array().unwrap().iter().map(|letter| letter["id"].clone()).collect()
}

/// The status and the reason with which a capture is rejected.
fn rejected(server: &TestServer, letters: &[Value]) -> (u16, String) {
    let (status, answer) = call(server, "letters.capture", &captures(letters));
    (status, answer["details"]["reason"].as_str().unwrap_or_default().to_owned())
}

fn get(server: &TestServer, id: &Value) -> Value {
    ok(server, "letters.get", &json!({ "queue_name": "dead", "id": id }))
}

fn letter(server: &TestServer, id: &Value) -> Value {
    get(server, id)["letter"].clone()
}

fn exists(server: &TestServer, id: &Value) -> bool {
    call(server, "letters.get", &json!({ "queue_name": "dead", "id": id })).0 == 200
}

fn stats(server: &TestServer) -> Value {
    ok(server, "letters.stats", &json!({ "queue_name": "dead" }))
}

fn process(server: &TestServer) -> Value {
    ok(server, "letters.process", &json!({ "queue_name": "dead" }))
}

/// A target whose requests the test answers.
struct Target {
    url: String,
    rx: Receiver<Request>,
}

struct Request(TcpStream);

impl Target {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let (tx, rx) = mpsc::sync_channel(16);
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
                // The test may have ended.
                let _unread = tx.send(Request(reader.into_inner()));
            }
        });
        Self { url, rx }
    }

    fn next(&self) -> Request {
        self.rx.recv_timeout(Duration::from_secs(30)).expect("a request")
    }
}

impl Request {
    fn answer(mut self, status: u16) {
        let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        self.0.write_all(answer.as_bytes()).unwrap();
    }
}
