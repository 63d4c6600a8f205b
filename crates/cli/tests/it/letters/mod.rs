//! `redrive letters`.

mod advice;
mod bulk;
mod capture;
mod configure;
mod edit;
mod examples;
mod export;
mod groups;
mod list;
mod manual;
mod outlook;
mod resume;
mod retry;
mod show;
mod stats;
mod templates;
mod widths;
mod wrong_values;

use serde_json::Value;

use crate::test_server::TestServer;

pub(crate) const UNKNOWN: &str = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";

/// A server with a queue `dead`, and with a clock frozen at noon.
fn with_dead() -> TestServer {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "dead"]);
    server
}

/// The same with a target of `dead` that nothing listens at, and a processor that is not started: letters show when
/// they would be retried.
fn with_target(name: &str) -> TestServer {
    let target = "targets = [{ queue = \"dead\", http = \"http://127.0.0.1:9/\" }]";
    TestServer::frozen_with(name, &format!("[dlq]\nretry_processor_enabled = false\n{target}\n"))
}

/// Captures a transient failure, and returns the id of the letter.
fn capture(server: &TestServer, source_id: &str) -> String {
    captured(server, &["the payload", "--source-id", source_id, "--error", "HTTP 503 Service Unavailable"])
}

fn captured(server: &TestServer, arguments: &[&str]) -> String {
    let lines = server.objects(&[&["letters", "capture", "dead"], arguments].concat());
    lines[0]["id"].as_str().unwrap().to_owned()
}

fn show(server: &TestServer, id: &str) -> Value {
    server.objects(&["letters", "show", "dead", id]).remove(0)
}
