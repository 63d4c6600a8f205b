//! `redrive status`, and what the commands about queues say of a paused one.

mod overview;
mod paused;
mod watch;
mod widths;

use serde_json::Value;

use crate::test_server::TestServer;

/// The object that `redrive status` prints.
fn status(server: &TestServer, arguments: &[&str]) -> Value {
    server.objects(&[&["status"], arguments].concat()).remove(0)
}

/// A frozen server with items, letters and paused queues in several states.
fn busy_server() -> TestServer {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders-dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "orders-dead", "--max-attempts", "3"]);
    server.run_ok(&["queue", "create", "invoices"]);
    server.run_ok(&["queue", "create", &"long-".repeat(20)]);
    server.run_ok(&["letters", "configure", "orders-dead", "max_size=100"]);
    server.run_with(&["produce", "orders"], b"a\nb\nc\n");
    server.run_ok(&["produce", "orders", "later", "--at", "2026-11-15T13:00:00Z"]);
    server.run_ok(&["lease", "orders"]);
    server.run_ok(&["produce", "invoices", "one"]);
    server.run_ok(&["queue", "pause", "invoices"]);
    for (source_id, retries) in [("order-1", "3"), ("order-2", "0")] {
        let capture = ["letters", "capture", "orders-dead", "{}", "--source-id", source_id, "--max-retries", retries];
        server.run_ok(&[&capture[..], &["--error", "HTTP 503 Service Unavailable"]].concat());
    }
    server.advance("45s");
    server
}
